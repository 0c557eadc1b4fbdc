from django.apps import AppConfig


class TransparencyConfig(AppConfig):
    name = "transparency"

    def ready(self) -> None:
        from transparency import checks  # noqa: F401  # importing it registers them
