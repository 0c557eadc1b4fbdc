"""Signing in over other sites: what is taken from them, the way there and the way back."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, cast

from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialLogin
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from requests import RequestException

from accounts.formats.mailboxes import mailbox
from accounts.formats.names import as_one_line
from accounts.models import NAME_LENGTH, User
from accounts.page_content import PageContent
from accounts.sign_in.unconfirmed import forget_claims

logger = logging.getLogger(__name__)
View = Callable[..., HttpResponse]
# What a provider may answer is its own affair: allauth finds keys missing, or values of other types, by these.
_NOT_UNDERSTOOD = (OAuth2Error, RequestException, LookupError, TypeError, ValueError, AttributeError)


@dataclass(frozen=True)
class LeavingPage(PageContent):
    """The provider's address; the answer's Refresh header goes on to it by itself."""

    template = "socialaccount/leaving.html"
    to: str


@dataclass(frozen=True)
class SignInFailedPage(PageContent):
    """What to do where a provider was of no use."""

    template = "socialaccount/authentication_error.html"


class ProviderAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]  # allauth has no types
    """What a provider's account says about a person."""

    error_messages = DefaultSocialAccountAdapter.error_messages | {
        "email_taken": (
            "There is an account with this address already. Sign in to it with its password, then connect "
            "%s on your account page."
        ),
    }

    def populate_user(self, request: HttpRequest, sociallogin: SocialLogin, data: dict[str, Any]) -> User:
        """Take the name and the address. Only `true` confirms an address: some providers write "false"."""
        for address in sociallogin.email_addresses:
            address.email = mailbox(address.email)
            address.verified = address.verified is True
            if address.verified:
                forget_claims(address.email)
        parts = (data.get("first_name"), data.get("last_name"))
        name = data.get("name") or " ".join(part for part in parts if part)
        user = cast(User, sociallogin.user)
        user.name = as_one_line(str(name))[:NAME_LENGTH]
        user.email = mailbox(str(data.get("email") or ""))
        return user


def setting_out(view: View) -> View:
    """Lead to the provider by a page of our own, which goes on by itself.

    A form may only be sent to this site (`form-action`), and browsers hold the redirects after it to that as well:
    where a provider sends its visitors on to is not for us to know.
    """

    asked = returning(view)

    def left(request: HttpRequest, **kwargs: object) -> HttpResponse:
        response = asked(request, **kwargs)
        if response.status_code != 302:
            return response
        to = response["Location"]
        page = LeavingPage(to).answer(request)
        page["Refresh"] = f"0; url={to}"
        return page

    return never_cache(left)


def returning(view: View) -> View:
    """Say what to do where the provider cannot be reached, or answers what nobody understands."""

    @never_cache
    @wraps(view)
    def guarded(request: HttpRequest, **kwargs: object) -> HttpResponse:
        try:
            return view(request, **kwargs)
        except _NOT_UNDERSTOOD:
            logger.exception("Signing in at %s failed", request.path)
            return SignInFailedPage().answer(request, status=502)

    return guarded
