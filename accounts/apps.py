from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "accounts"

    def ready(self) -> None:
        from accounts.server import checks  # noqa: F401  # importing it registers them
        from accounts.sign_in import checks as of_people  # noqa: F401  # importing it registers them
