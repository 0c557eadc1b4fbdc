"""Send what waits for webhooks: signed, to public hosts alone, again and again until it is taken."""

import datetime as dt
import hmac
import http.client
import ipaddress
import json
import logging
import socket
import ssl
from http import HTTPStatus
from urllib.parse import urlsplit

from django.conf import settings
from django.db.models import F

from accounts.mail.outbox import LEASE, MAX_ATTEMPTS, RETRY_AFTER
from leaderboard.models import WebhookDelivery

logger = logging.getLogger(__name__)

Status = WebhookDelivery.Status
PER_SWEEP = 50
SECONDS = 5.0


class Undeliverable(Exception):
    """Why a message was not taken, in words for organisers."""


def deliver_due(now: dt.datetime) -> int:
    """Send what is due, the oldest first; returns how many were taken. Two sweeps at once send nothing twice.

    A message whose sending was cut short is sent again: receivers tell a second one by its X-Heldout-Delivery.
    """
    due = WebhookDelivery.objects.filter(
        status__in=[Status.WAITING, Status.SENDING], due_at__lte=now, webhook__is_active=True
    )
    taken = 0
    for delivery in due.select_related("webhook").order_by("due_at", "created_at", "pk")[:PER_SWEEP]:
        claimed = WebhookDelivery.objects.filter(pk=delivery.pk, attempts=delivery.attempts)
        if claimed.update(status=Status.SENDING, attempts=F("attempts") + 1, due_at=now + LEASE):
            taken += _send(delivery, now)
    return taken


def send_deliveries_again(delivery: WebhookDelivery, now: dt.datetime) -> None:
    """Put one that was given up back in the post, as if nobody had tried."""
    WebhookDelivery.objects.filter(pk=delivery.pk, status=Status.FAILED).update(
        status=Status.WAITING, attempts=0, due_at=now, error=""
    )


def _send(delivery: WebhookDelivery, now: dt.datetime) -> bool:
    row = WebhookDelivery.objects.filter(pk=delivery.pk)
    try:
        _post(delivery)
    except (Undeliverable, OSError, http.client.HTTPException) as error:
        logger.info("webhook message %s was not taken: %s", delivery.pk, type(error).__name__)
        attempt = delivery.attempts + 1
        again: dict[str, object] = {"status": Status.FAILED}
        if attempt < MAX_ATTEMPTS:
            again = {"status": Status.WAITING, "due_at": now + RETRY_AFTER[attempt - 1]}
        words = str(error) if isinstance(error, Undeliverable) else f"{type(error).__name__}: {error}"
        row.update(**again, error=words[:200])
        return False
    row.update(status=Status.SENT, error="")
    return True


def _post(delivery: WebhookDelivery) -> None:
    """Send a message once. What is answered beside the status is not read, and redirects are not followed."""
    address = urlsplit(delivery.webhook.url)
    body = json.dumps(delivery.body, ensure_ascii=False).encode()
    signature = hmac.new(delivery.webhook.secret.encode(), body, "sha256").hexdigest()
    connection = _connected(address.scheme, address.hostname or "", address.port)
    try:
        connection.request(
            "POST",
            f"{address.path or '/'}{'?' + address.query if address.query else ''}",
            body,
            {
                "Content-Type": "application/json",
                "User-Agent": "Heldout",
                "X-Heldout-Delivery": str(delivery.pk),
                "X-Heldout-Signature": f"sha256={signature}",
            },
        )
        status = connection.getresponse().status
    finally:
        connection.close()
    if not HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES:
        raise Undeliverable(f"It answered {status}; expected 200 to 299.")


def _connected(scheme: str, host: str, port: int | None) -> http.client.HTTPConnection:
    """A connection to the very address that was checked: a name asked twice may lead elsewhere the second time."""
    is_plain = scheme == "http" and settings.WEBHOOKS_REACH_PRIVATE_HOSTS
    if scheme != "https" and not is_plain:
        raise Undeliverable("Expected an address that begins with https.")
    port = port or (80 if is_plain else 443)
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError:
        raise Undeliverable(f"No host is called {host}.") from None
    for *_, place in found:
        if not settings.WEBHOOKS_REACH_PRIVATE_HOSTS and not ipaddress.ip_address(place[0]).is_global:
            raise Undeliverable(f"{host} is no public host. Messages go to public hosts alone.")
    plain = socket.create_connection((str(found[0][4][0]), port), timeout=SECONDS)
    connection = http.client.HTTPConnection(host, port, timeout=SECONDS)
    connection.sock = (
        plain if is_plain else ssl.create_default_context().wrap_socket(plain, server_hostname=host)
    )
    return connection
