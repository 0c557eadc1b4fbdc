"""Send what waits for webhooks: signed, to public hosts alone, again and again until it is taken."""

import datetime as dt
import hmac
import json
import logging
from base64 import b64encode
from http import HTTPStatus

from django.db.models import F

from accounts.mail.outbox import LEASE, LONGEST_AHEAD, MAX_ATTEMPTS, RETRY_AFTER
from accounts.server.clock import database_now, has_come
from accounts.server.outgoing import Limits, SendingFailed, post
from leaderboard.models import Webhook, WebhookDelivery
from leaderboard.webhooks.givers import told_ones

logger = logging.getLogger(__name__)

Status = WebhookDelivery.Status
PER_SWEEP = 50
LIMITS = Limits(connect=5, total=5)


class _NotTaken(SendingFailed):
    """The receiver answered, and did not take this message."""


def deliver_due(now: dt.datetime) -> int:
    """Send what is due, the oldest first; returns how many were taken. Two sweeps at once send nothing twice.

    A message whose sending was cut short is sent again: receivers tell a second one by its Webhook-Id. Where a
    receiver does not answer, its other messages wait for a minute, so that the receivers of others are told in time.
    """
    come = has_come("due_at", now, longest=LONGEST_AHEAD)
    all_due = WebhookDelivery.objects.filter(come, status__in=[Status.WAITING, Status.SENDING])
    due = all_due.filter(webhook__in=told_ones()).select_related("webhook")
    taken = 0
    for delivery in due.order_by("due_at", "created_at", "pk")[:PER_SWEEP]:
        claimed = all_due.filter(pk=delivery.pk, attempts=delivery.attempts)
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
        status = _post(delivery)
        if not HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES:
            raise _NotTaken(f"It answered {status}; expected 200 to 299.")
    except SendingFailed as error:
        logger.info("webhook message %s was not taken: %s", delivery.pk, type(error).__name__)
        attempt = delivery.attempts + 1
        again: dict[str, object] = {"status": Status.FAILED}
        if attempt < MAX_ATTEMPTS:
            again = {"status": Status.WAITING, "due_at": now + RETRY_AFTER[attempt - 1]}
        row.update(**again, error=str(error)[:200])
        if not isinstance(error, _NotTaken):
            others = WebhookDelivery.objects.filter(webhook=delivery.webhook, status=Status.WAITING)
            others.filter(due_at__lte=now).update(due_at=now + RETRY_AFTER[0])
        return False
    row.update(status=Status.SENT, error="")
    return True


def secret_of(webhook: Webhook) -> str:
    """The secret as libraries of Standard Webhooks take it: `whsec_` and the key in Base64."""
    return f"whsec_{b64encode(webhook.secret.encode()).decode()}"


def signature(key: bytes, message_id: str, at: int, body: bytes) -> str:
    """What Standard Webhooks puts into Webhook-Signature: it covers id, seconds since 1970 and body.

    Source: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
    """
    signed = f"{message_id}.{at}.".encode() + body
    return f"v1,{b64encode(hmac.digest(key, signed, 'sha256')).decode()}"


def _post(delivery: WebhookDelivery) -> int:
    """Send a message once; returns the status. What else is answered is not read, and redirects are not followed."""
    body = json.dumps(delivery.body, ensure_ascii=False).encode()
    key, message_id, at = delivery.webhook.secret.encode(), str(delivery.pk), int(database_now().timestamp())
    headers = {
        "Content-Type": "application/json",
        "Webhook-Id": message_id,
        "Webhook-Timestamp": str(at),
        "Webhook-Signature": signature(key, message_id, at, body),
        # For receivers of before; the signature leaves the id open, so whoever has a message can send it under another.
        "X-Heldout-Delivery": message_id,
        "X-Heldout-Signature": f"sha256={hmac.digest(key, body, 'sha256').hex()}",
    }
    return post(delivery.webhook.url, body, headers, LIMITS).status
