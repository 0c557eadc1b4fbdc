"""Figures that are read once a minute by a worker and kept for an hour: what the database does not know by itself."""

import datetime as dt
import logging
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from celery import current_app
from cryptography import x509
from django.conf import settings
from django.db.models import Q, Sum

from operations.models import RequestCount, ServerReading
from operations.watching.request_counts import PROBED

logger = logging.getLogger(__name__)

QUEUES = ("celery", "sweep")
WITHIN = 3.0  # seconds for what is asked of the broker
KEPT = dt.timedelta(hours=1)
FRESH = dt.timedelta(minutes=5)
"""Older readings tell nothing of now; and over how long the share of errors is told."""
REQUESTS, ERRORS, CERTIFICATE, QUEUE = "requests", "server errors", "certificate", "queue"


@dataclass(frozen=True, slots=True)
class LatestReadings:
    """Messages by queue, the instant at which the certificate ends, answers of late and server errors among them."""

    queues: dict[str, int]
    certificate: float | None
    answers: int
    errors: int


def take(now: dt.datetime) -> None:
    """Read everything once, and forget what is too old."""
    ServerReading.objects.bulk_create(
        ServerReading(name=name, at=now, value=value) for name, value in _read()
    )
    ServerReading.objects.filter(at__lt=now - KEPT).delete()


def readings(now: dt.datetime) -> LatestReadings:
    """What was last read; nothing where that is too long ago."""
    rows = ServerReading.objects.filter(at__gt=now - FRESH, at__lte=now).order_by("at")
    fresh = dict(rows.values_list("name", "value"))
    return LatestReadings(
        queues={name: int(fresh[key]) for name in QUEUES if (key := f"{QUEUE} {name}") in fresh},
        certificate=fresh.get(CERTIFICATE),
        answers=_since(REQUESTS, fresh, now),
        errors=_since(ERRORS, fresh, now),
    )


def _since(name: str, fresh: dict[str, float], now: dt.datetime) -> int:
    """How much a count has grown in the last minutes."""
    before = ServerReading.objects.filter(name=name, at__lte=now - FRESH).order_by("-at").first()
    return int(fresh[name] - before.value) if before is not None and name in fresh else 0


def _read() -> Iterator[tuple[str, float]]:
    for name, length in queue_lengths().items():
        yield f"{QUEUE} {name}", length
    # Whoever watches asks all day long, and is told 503 where that is the truth.
    counted = RequestCount.objects.exclude(route__in=PROBED)
    sums = counted.aggregate(every=Sum("count"), bad=Sum("count", filter=Q(code="5xx")))
    yield REQUESTS, sums["every"] or 0
    yield ERRORS, sums["bad"] or 0
    if settings.TLS_CERTIFICATE:
        try:
            yield CERTIFICATE, _ends_at(Path(settings.TLS_CERTIFICATE))
        except (OSError, ValueError) as error:
            logger.warning("HELDOUT_TLS_CERTIFICATE could not be read: %s", type(error).__name__)


def _ends_at(path: Path) -> float:
    """Of a chain the first certificate counts: it is the server's own."""
    return x509.load_pem_x509_certificate(path.read_bytes()).not_valid_after_utc.timestamp()


def queue_lengths() -> dict[str, int]:
    """How many messages wait in each queue; nothing of one that does not exist, or where the broker does not answer."""
    limits = {"read_timeout": WITHIN, "write_timeout": WITHIN, "max_retries": 1, "interval_start": 0}
    broker = current_app.connection_for_read(connect_timeout=WITHIN, transport_options=limits)
    found: dict[str, int] = {}
    away: tuple[type[BaseException], ...] = (*broker.connection_errors, OSError)
    try:
        broker.connect()
        for name in QUEUES:
            try:
                channel: Any = broker.channel()  # its type knows no queues
                found[name] = channel.queue_declare(name, passive=True).message_count
            except broker.channel_errors:
                continue
    except away as error:
        logger.warning("The broker was asked for its queues and did not answer: %s", type(error).__name__)
    finally:
        broker.release()
    return found
