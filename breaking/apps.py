from django.apps import AppConfig


class BreakingConfig(AppConfig):
    name = "breaking"
    default_auto_field = "django.db.models.BigAutoField"
