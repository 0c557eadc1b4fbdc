"""Whether somebody has shown that an e-mail address is theirs."""

from allauth.account.models import EmailAddress

from accounts.models import User


def has_confirmed_address(user: User) -> bool:
    """True once the person has followed the link sent to one of their addresses, or a provider vouched for it."""
    return bool(EmailAddress.objects.filter(user=user, verified=True).exists())


def confirm_address(user: User) -> None:
    """Note that the person's address is theirs, without a mail: for accounts that a command makes."""
    EmailAddress.objects.update_or_create(
        user=user, email=user.email, defaults={"verified": True, "primary": True}
    )
