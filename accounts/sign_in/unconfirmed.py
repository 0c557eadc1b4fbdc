"""Who has not shown yet that their address is theirs: they sign in to nothing, and nobody is told that they exist."""

from typing import Any, cast

from allauth.account import app_settings
from allauth.account.app_settings import EmailVerificationMethod
from allauth.account.forms import AddEmailForm, LoginForm, ResetPasswordForm, ResetPasswordKeyForm, SignupForm
from allauth.account.models import EmailAddress
from django import forms

from accounts.formats.mailboxes import mailbox
from accounts.models import User

NOT_SIGNED_IN = (
    "E-mail address or password is wrong, or the address is not confirmed yet: open the link in the mail that came "
    "when you signed up. If none came, choose a new password; the link for that confirms the address too."
)


def must_confirm() -> bool:
    """Whether nobody signs in before they have confirmed an address."""
    return bool(app_settings.EMAIL_VERIFICATION == EmailVerificationMethod.MANDATORY)


def awaits_confirmation(user: User) -> bool:
    """Whether somebody has signed up and confirmed nothing.

    Staff did not come by the form for signing up, so that nobody learns from it whether there is an account of theirs.
    """
    return (
        must_confirm()
        and not user.is_staff
        and not EmailAddress.objects.filter(user=user, verified=True).exists()
    )


def forget_claims(address: str) -> None:
    """Remove an address from accounts to which it was added and not confirmed.

    Anybody may add any address, and would keep its owner from signing up. The one that an account began with stays.
    """
    EmailAddress.objects.filter(email=address, verified=False).exclude(user__email=address).delete()


class NamesTheAddress:
    """The field for an address is called by the words that all pages use; allauth calls it “Email”."""

    fields: dict[str, forms.Field]

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for name in self.fields.keys() & {"email", "login"}:
            self.fields[name].label = "E-mail address"
            self.fields[name].widget.attrs.pop("placeholder", None)


class SignInForm(NamesTheAddress, LoginForm):  # type: ignore[misc]  # allauth has no types
    """Address and password."""

    remember = forms.BooleanField(label="Stay signed in when the browser is closed", required=False)

    def clean_login(self) -> str:
        return mailbox(super().clean_login())


class NewAccountForm(NamesTheAddress, SignupForm):  # type: ignore[misc]  # allauth has no types
    """An address and a password, and what `SignUpForm` asks."""

    def validate_unique_email(self, value: str) -> str:
        forget_claims(value)
        return str(super().validate_unique_email(value))


class FurtherAddressForm(NamesTheAddress, AddEmailForm):  # type: ignore[misc]  # allauth has no types
    """A further address of an account."""


class ForgottenPasswordForm(NamesTheAddress, ResetPasswordForm):  # type: ignore[misc]  # allauth has no types
    """The address that a link for a new password is sent to."""

    users: list[User]

    def clean_email(self) -> str:
        """Whoever has it as the address to sign in with, or has confirmed it: anybody may add any other address."""
        email = mailbox(super().clean_email())
        owners = set(EmailAddress.objects.filter(email=email, verified=True).values_list("user", flat=True))
        self.users = [user for user in self.users if user.email == email or user.pk in owners]
        return email


class NewPasswordForm(ResetPasswordKeyForm):  # type: ignore[misc]  # allauth has no types
    """A new password, chosen by a link that was sent: whoever follows it has the mailbox."""

    def save(self) -> None:
        super().save()
        _confirm_only_address(cast(User, self.user))


def _confirm_only_address(user: User) -> None:
    """Of several addresses it is not known to which the link was sent."""
    addresses: list[Any] = list(EmailAddress.objects.filter(user=user))
    if len(addresses) == 1 and addresses[0].set_verified():
        addresses[0].set_as_primary(conditional=True)
