from django.apps import AppConfig
from django.conf import settings


class OperationsConfig(AppConfig):
    name = "operations"

    def ready(self) -> None:
        """Begin to report errors, where an operator has said to whom; without that nothing of it is imported."""
        if settings.SENTRY_DSN:
            from operations.logs.error_reports import report_errors

            report_errors(
                settings.SENTRY_DSN,
                release=settings.CODE_COMMIT or settings.VERSION,
                environment=settings.MODE,
            )
