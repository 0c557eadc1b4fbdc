"""Whether somebody has shown that an e-mail address is theirs, and where the link that shows it leads on to."""

import logging
from typing import Any, cast
from urllib.parse import urlencode

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.account.utils import get_next_redirect_url
from allauth.mfa.stages import AuthenticateStage
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.crypto import get_random_string

from accounts.events.log import note
from accounts.formats.instants import in_words
from accounts.formats.mailboxes import mailbox
from accounts.mail.outbox import write_to
from accounts.models import EventKind, User
from accounts.server.clock import database_now
from accounts.sign_in import staff_sessions
from accounts.sign_in.groups import follow_groups_of
from accounts.sign_in.second_factor import SecondFactorStage, runs_something
from accounts.sign_in.unconfirmed import NOT_SIGNED_IN, awaits_confirmation, must_confirm
from accounts.tokens.services import end_all_tokens

logger = logging.getLogger(__name__)

_ON_ITS_WAY = "account/messages/email_confirmation_sent.txt"
_WAS_NOT_SENT = "heldout.mail_was_not_sent"
_ADDED = "a further one was confirmed"
_SECOND_FACTOR = f"{SecondFactorStage.__module__}.{SecondFactorStage.__name__}"

# What allauth tells by the name of a mail; ours goes out in its place. No address is kept with an event: it would
# outlive the person's account.
TOLD = {
    "account/email/password_changed": (EventKind.PASSWORD, ""),
    "account/email/password_set": (EventKind.PASSWORD, "the first one"),
    "account/email/password_reset": (EventKind.PASSWORD, "by a link that was sent"),
    "account/email/email_changed": (EventKind.ADDRESS, "another one is the primary one"),
    "account/email/email_deleted": (EventKind.ADDRESS, "one was removed"),
    "socialaccount/email/account_connected": (EventKind.PROVIDER, "connected"),
    "socialaccount/email/account_disconnected": (EventKind.PROVIDER, "disconnected"),
    "mfa/email/totp_activated": (EventKind.FACTOR, "an authenticator app was added"),
    "mfa/email/totp_deactivated": (EventKind.FACTOR, "the authenticator app was removed"),
    "mfa/email/webauthn_added": (EventKind.FACTOR, "a passkey was added"),
    "mfa/email/webauthn_removed": (EventKind.FACTOR, "a passkey was removed"),
    "mfa/email/recovery_codes_generated": (EventKind.FACTOR, "new recovery codes were made"),
}


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth has no types
    """The mail's link keeps where a newcomer wanted to go: it may be opened in another browser, or after signing in."""

    def get_email_confirmation_url(self, request: HttpRequest, emailconfirmation: object) -> str:
        """The link, with `next` where the form had an address of this site in it."""
        link = str(super().get_email_confirmation_url(request, emailconfirmation))
        onwards = get_next_redirect_url(request)
        return f"{link}?{urlencode({REDIRECT_FIELD_NAME: onwards})}" if onwards else link

    def post_login(self, request: HttpRequest, user: User, **details: Any) -> HttpResponse:
        note(user, EventKind.SIGN_IN)
        if sign_in := (details.get("signal_kwargs") or {}).get("sociallogin"):
            follow_groups_of(user, sign_in)
        if runs_something(user):
            staff_sessions.begin(request.session)
        return cast(HttpResponse, super().post_login(request, user, **details))

    def get_login_stages(self) -> list[str]:
        """Called by allauth for what a sign-in goes through, as dotted names."""
        ours = {f"{AuthenticateStage.__module__}.{AuthenticateStage.__name__}": _SECOND_FACTOR}
        return [ours.get(stage, stage) for stage in super().get_login_stages()]

    def clean_email(self, email: str) -> str:
        """Called by allauth for each address that is typed into a form or comes from a provider."""
        return mailbox(super().clean_email(email))

    def authenticate(self, request: HttpRequest, **credentials: Any) -> User | None:
        """Who has this password; nobody, as for a wrong one, where they have signed up and confirmed no address.

        Else whoever signs up with somebody's address and then signs in would see whether there was an account.
        """
        user = cast(User | None, super().authenticate(request, **credentials))
        if user is None or request.user.is_authenticated or not awaits_confirmation(user):
            return user
        self.pre_authenticate(request, **credentials)  # it counts as an attempt
        return None

    def validation_error(self, code: str, *args: Any) -> ValidationError:
        if code == "email_password_mismatch" and must_confirm():
            return ValidationError(NOT_SIGNED_IN, code=code)
        return cast(ValidationError, super().validation_error(code, *args))

    def respond_email_verification_sent(self, request: HttpRequest, user: User | None) -> HttpResponse:
        """Called by allauth with nobody where an account is not made, because there is one; making one hashes."""
        if user is None:
            User().set_password(get_random_string(12))
        return cast(HttpResponse, super().respond_email_verification_sent(request, user))

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        """Called by allauth where a password is wrong. What was tried for an address that nobody has is not kept."""
        tried = str(credentials.get("email") or "")
        owner = None if "\0" in tried else User.objects.filter(email__iexact=tried).first()
        if owner is not None:
            note(owner, EventKind.SIGN_IN_FAILED)
        super().authentication_failed(request, **credentials)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Called by allauth for each mail about an account. What is done stays done where the mail server is away.

        allauth writes to every address alike, whether or not it has an account, so the message tells nothing of that.
        """
        try:
            super().send_mail(template_prefix, email, context)
        except OSError as error:
            logger.warning("a mail about an account was not sent: %s", type(error).__name__)
            self.request.META[_WAS_NOT_SENT] = email
            messages.warning(
                self.request,
                f"The mail to {email} could not be sent: the mail server does not take it now. If you need it to go "
                "on, please ask for it again in a few minutes.",
            )

    def add_message(
        self, request: HttpRequest, level: int, message_template: str | None = None, *args: Any, **more: Any
    ) -> None:
        """Called by allauth also where `send_mail` has just said that no mail is on its way."""
        if message_template != _ON_ITS_WAY or _WAS_NOT_SENT not in request.META:
            super().add_message(request, level, message_template, *args, **more)

    def send_password_reset_mail(self, user: User, email: str, context: dict[str, Any]) -> None:
        note(user, EventKind.RESET_ASKED)
        super().send_password_reset_mail(user, email, context)

    def confirm_email(self, request: HttpRequest, email_address: EmailAddress) -> bool:
        """Called by allauth where a link was followed; addresses that were confirmed before are told of it."""
        user = cast(User, email_address.user)
        before = list(confirmed_addresses(user).values_list("email", flat=True))
        is_confirmed = bool(super().confirm_email(request, email_address))
        if is_confirmed and before:
            note(user, EventKind.ADDRESS, _ADDED)
            _warn(user, before, EventKind.ADDRESS, _ADDED)
        return is_confirmed

    def send_notification_mail(
        self,
        template_prefix: str,
        user: User,
        context: dict[str, Any] | None = None,
        email: str | None = None,
    ) -> None:
        """Called by allauth once something about an account has changed. Another primary address ends all tokens."""
        told = context or {}
        if template_prefix in TOLD:
            kind, detail = TOLD[template_prefix]
            note(user, kind, detail)
            _warn(user, list(confirmed_addresses(user).values_list("email", flat=True)), kind, detail)
        if template_prefix == "account/email/email_changed" and told["from_email"] != told["to_email"]:
            end_all_tokens(user)


def _warn(user: User, addresses: list[str], kind: EventKind, detail: str) -> None:
    """Tell a person what has changed about their account, at these addresses, so that nobody else changes it unseen."""
    if not addresses:
        return
    what = f"{kind.label}: {detail}" if detail else kind.label
    write_to(
        addresses,
        subject=f"Heldout: {kind.label}",
        text=f"Of your account {user.email} at {settings.SITE_URL}, {what}. This was on "
        f"{in_words(database_now())}.\n\n"
        "If it was you, there is nothing to do. If not, choose a new password, which ends all sessions and API tokens:"
        f"\n\n{settings.SITE_URL}{reverse('account_reset_password')}\n\n"
        "then see what else has happened, remove every second factor, address and connected site that is not yours, "
        "and sign out everywhere. A new password leaves them as they are, and each can sign in without it:"
        f"\n\n{settings.SITE_URL}{reverse('accounts:security')}\n\n"
        "Where you are asked for a second factor that you never added, write to whoever runs this site, who can remove "
        "it.",
    )


def has_confirmed_address(user: User) -> bool:
    """True once the person has followed the link sent to one of their addresses, or a provider vouched for it."""
    return confirmed_addresses(user).exists()


def confirmed_addresses(user: User) -> QuerySet[EmailAddress]:
    """Those of a person's addresses that are known to be theirs."""
    found: QuerySet[EmailAddress] = EmailAddress.objects.filter(user=user, verified=True)
    return found


def confirm_address(user: User) -> None:
    """Note that the person's address is theirs, without a mail: for accounts that a command makes."""
    EmailAddress.objects.update_or_create(
        user=user, email=user.email, defaults={"verified": True, "primary": True}
    )
