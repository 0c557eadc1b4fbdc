"""The second factor: who has to have one, what is closed to them before, and how people show again who they are."""

import time
from collections.abc import Callable
from typing import Any

from allauth.account.internal.flows.login import get_authentication_records
from allauth.account.internal.flows.reauthentication import get_reauthentication_flows
from allauth.core.exceptions import ReauthenticationRequired
from allauth.core.internal.cryptokit import normalize_user_code
from allauth.mfa import app_settings
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from allauth.mfa.models import Authenticator
from allauth.mfa.stages import AuthenticateStage
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib import messages
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.module_loading import import_string

from accounts.events.log import note
from accounts.models import EventKind, User

# What somebody without the factor that they need may still open: adding one, confirming an address, signing out.
_OPEN = ("/accounts/", "/account/sign-out-everywhere/", "/static/")
_SENT_WITHIN = 1800  # seconds
MISSING = (
    "Whoever runs benchmarks or this site signs in with a second factor here. Add an authenticator app or a passkey; "
    "everything else opens once that is done."
)


def has_second_factor(user: User) -> bool:
    """Whether a code or a passkey is asked for when the person signs in."""
    return bool(is_mfa_enabled(user))


def runs_something(user: User) -> bool:
    """Whether somebody is staff or has a role in a benchmark."""
    return user.is_staff or bool(import_string(settings.STAFF_ARE_ALSO)(user))


def lacks_second_factor(user: Any) -> bool:
    """Whether somebody runs something and has no second factor, where that is asked for."""
    return bool(
        settings.STAFF_MFA and user.is_authenticated and runs_something(user) and not has_second_factor(user)
    )


def confirm_identity(request: HttpRequest, *, with_a_file: bool = False) -> None:
    """Have whoever asks show again who they are, if they have not in the last five minutes.

    A page that takes a file asks when it is opened, and what is sent from it may come for half an hour: a file that was
    sent would be lost on the way to the page that asks, and back.

    Raises
    ------
    ReauthenticationRequired
        Allauth's: its middleware leads to the page that asks, and back from there.
    """
    if not settings.ACCOUNT_REAUTHENTICATION_REQUIRED or not get_reauthentication_flows(request.user):
        return
    shown_at = [
        one["at"] for one in get_authentication_records(request, request.user) if one.get("reauthenticated")
    ]
    is_sent = with_a_file and request.method == "POST"
    within = _SENT_WITHIN if is_sent else settings.ACCOUNT_REAUTHENTICATION_TIMEOUT
    if not shown_at or time.time() - shown_at[-1] >= within:
        raise ReauthenticationRequired


class SecondFactorMiddleware:
    """Lead staff and organisers without a second factor to the page where they add one, and nowhere else."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if settings.STAFF_MFA and not request.path.startswith(_OPEN) and lacks_second_factor(request.user):
            return self._lead(request)
        return self.get_response(request)

    def _lead(self, request: HttpRequest) -> HttpResponse:
        if request.path.startswith("/api/"):
            return JsonResponse({"code": "second_factor_missing", "detail": MISSING}, status=403)
        messages.warning(request, MISSING)
        return redirect("mfa_index")


class SecondFactorStage(AuthenticateStage):  # type: ignore[misc]  # allauth has no types
    """Where a sign-in waits for the second factor; it begins anew if that was removed meanwhile.

    Allauth would lead from the page for the code to the one for the password and back, without an end.
    """

    def is_resumable(self, request: HttpRequest) -> bool:
        return has_second_factor(self.login.user)


class SignInCodeForm(AuthenticateForm):  # type: ignore[misc]  # allauth has no types
    """The code after the password; a wrong one is noted, because the password was right."""

    def clean_code(self) -> str:
        return _checked(self, super().clean_code)


class ConfirmCodeForm(ReauthenticateForm):  # type: ignore[misc]  # allauth has no types
    """The code that shows again who somebody is."""

    def clean_code(self) -> str:
        return _checked(self, super().clean_code)


def _checked(form: SignInCodeForm | ConfirmCodeForm, check: Callable[[], str]) -> str:
    try:
        code = check()
        if form.authenticator.type == Authenticator.Type.TOTP and not _is_first_use(form.user, code):
            raise get_adapter().validation_error("incorrect_code")
    except ValidationError:
        note(form.user, EventKind.FACTOR_FAILED)
        raise
    return code


def _is_first_use(user: User, code: str) -> bool:
    """Whether nobody has used a code of the app before. Allauth remembers it for a shorter time than it takes it."""
    taken_for = app_settings.TOTP_PERIOD * (1 + 2 * app_settings.TOTP_TOLERANCE)
    return bool(cache.add(f"code-of-app:{user.pk}:{normalize_user_code(code)}", True, taken_for))
