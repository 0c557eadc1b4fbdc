"""What a new password ends."""

from accounts.models import User
from accounts.tokens.services import end_all_tokens


class EndsTokens:
    """Makes a person's API tokens useless once their password is another, whichever way it was changed.

    Django tells password validators when a new password was saved; this one refuses none.
    """

    def validate(self, password: str, user: User | None = None) -> None:
        """Any password will do."""

    def password_changed(self, password: str, user: User | None = None) -> None:
        if user is not None and user.pk is not None:
            end_all_tokens(user)

    def get_help_text(self) -> str:
        return "When you change it, all API tokens of your account end."
