from django.apps import AppConfig


class BreakingConfig(AppConfig):
    name = "breaking"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from breaking import key_checks  # noqa: F401  # importing it registers them
        from breaking.pairs import merged_teams  # noqa: F401  # importing it registers what goes along in a merge
