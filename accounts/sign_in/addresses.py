"""Whether somebody has shown that an e-mail address is theirs, and where the link that shows it leads on to."""

from typing import Any
from urllib.parse import urlencode

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.account.utils import get_next_redirect_url
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.http import HttpRequest

from accounts.models import User
from accounts.tokens.services import end_all_tokens


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth has no types
    """The mail's link keeps where a newcomer wanted to go: it may be opened in another browser, or after signing in."""

    def get_email_confirmation_url(self, request: HttpRequest, emailconfirmation: object) -> str:
        """The link, with `next` where the form had an address of this site in it."""
        link = str(super().get_email_confirmation_url(request, emailconfirmation))
        onwards = get_next_redirect_url(request)
        return f"{link}?{urlencode({REDIRECT_FIELD_NAME: onwards})}" if onwards else link

    def send_notification_mail(
        self,
        template_prefix: str,
        user: User,
        context: dict[str, Any] | None = None,
        email: str | None = None,
    ) -> None:
        """Called by allauth once something about an account has changed. Another primary address ends all tokens."""
        told = context or {}
        if template_prefix == "account/email/email_changed" and told["from_email"] != told["to_email"]:
            end_all_tokens(user)
        super().send_notification_mail(template_prefix, user, context, email)


def has_confirmed_address(user: User) -> bool:
    """True once the person has followed the link sent to one of their addresses, or a provider vouched for it."""
    return bool(EmailAddress.objects.filter(user=user, verified=True).exists())


def confirm_address(user: User) -> None:
    """Note that the person's address is theirs, without a mail: for accounts that a command makes."""
    EmailAddress.objects.update_or_create(
        user=user, email=user.email, defaults={"verified": True, "primary": True}
    )
