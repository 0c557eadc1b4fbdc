from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        # Importing them registers them.
        from accounts.server import checks  # noqa: F401  # as above
        from accounts.sign_in import checks as of_people  # noqa: F401  # as above
