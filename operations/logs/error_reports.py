"""Errors as they are reported elsewhere, by Sentry's protocol: where in our code, and nothing of anybody.

No local variables, no bodies, no addresses, no e-mail addresses, no words of an error: PostgreSQL repeats rows in them.
The log of this server has those, under the same id of the request.
"""

from typing import Any

import sentry_sdk
from django.core.exceptions import ImproperlyConfigured
from sentry_sdk.integrations.celery import CeleryIntegration
from sentry_sdk.integrations.django import DjangoIntegration
from sentry_sdk.integrations.logging import LoggingIntegration
from sentry_sdk.utils import BadDsn, Dsn

from operations.logs import request_ids

_TOLD = (
    "event_id", "timestamp", "platform", "level", "logger", "release", "environment", "sdk", "exception", "fingerprint",
)  # fmt: skip


def report_errors(dsn: str, *, release: str, environment: str) -> None:
    """Report from now on what is logged as an error, and what nobody catches. ImproperlyConfigured for a wrong DSN."""
    try:
        Dsn(dsn)
    except BadDsn:
        raise ImproperlyConfigured(
            "HELDOUT_SENTRY_DSN cannot be read. Expected the DSN of a project, such as https://KEY@errors.example.org/1."
        ) from None
    sentry_sdk.init(
        dsn=dsn,
        release=release,
        environment=environment,
        before_send=without_people,
        default_integrations=False,
        integrations=[DjangoIntegration(), CeleryIntegration(), LoggingIntegration(sentry_logs_level=None)],
        send_default_pii=False,
        include_local_variables=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        send_client_reports=False,
        auto_session_tracking=False,
    )


def without_people(event: Any, hint: Any) -> Any:
    """What is sent of an event: what is listed here and no more, with the route and the id of the request."""
    told = {name: event[name] for name in _TOLD if name in event}
    for one in told.get("exception", {}).get("values", ()):
        one["value"] = ""
    if words := (event.get("logentry") or {}).get("message"):
        told["logentry"] = {"message": words}  # before values stand in them
    if (event.get("transaction_info") or {}).get("source") in (
        "route",
        "task",
    ):  # else it is an address as it came
        told["transaction"] = event["transaction"]
    if request_id := request_ids.current():
        told["tags"] = {"request_id": request_id}
    return told
