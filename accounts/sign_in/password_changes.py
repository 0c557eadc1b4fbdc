"""What a new password ends."""

from allauth.account.models import EmailAddress

from accounts.models import User
from accounts.tokens.services import end_all_tokens


class EndsAccess:
    """Ends what somebody who knew the former password may have left behind, whichever way it was changed.

    API tokens end, and addresses that nobody has confirmed are removed, but for the one that the person signs in with:
    the link that confirms one lives for days, and a confirmed address is sent links for new passwords. Django tells
    password validators when a new password was saved; this one refuses none.
    """

    def validate(self, password: str, user: User | None = None) -> None:
        """Any password will do."""

    def password_changed(self, password: str, user: User | None = None) -> None:
        if user is not None and user.pk is not None:
            end_all_tokens(user)
            EmailAddress.objects.filter(user=user, verified=False).exclude(email=user.email).delete()

    def get_help_text(self) -> str:
        """Nothing: the pages that change a password say what it ends; whoever signs up has nothing to lose."""
        return ""
