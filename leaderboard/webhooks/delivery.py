"""Send what waits for webhooks: signed, to public hosts alone, again and again until it is taken."""

import datetime as dt
import hmac
import json
import logging
from base64 import b64encode
from http import HTTPStatus
from urllib.parse import urlsplit

from django.conf import settings
from django.db.models import F
from django.urls import reverse

from accounts.mail.outbox import LEASE, LONGEST_AHEAD, MAX_ATTEMPTS, RETRY_AFTER, tell_at_once
from accounts.server.clock import database_now, has_come
from accounts.server.outgoing import Limits, SendingFailed, post
from leaderboard.models import Webhook, WebhookDelivery
from leaderboard.models.webhooks import new_secret
from leaderboard.webhooks.givers import told_ones

logger = logging.getLogger(__name__)

Status = WebhookDelivery.Status
PER_SWEEP = 50
LIMITS = Limits(connect=5, total=5)


class _NotTaken(SendingFailed):
    """The receiver answered, and did not take this message."""


class _Gone(_NotTaken):
    """The receiver answered that it takes no messages any more."""


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


def send_given_up(webhook: Webhook, now: dt.datetime) -> int:
    """Put what was given up back in the post, as if nobody had tried; returns how many messages."""
    given_up = webhook.deliveries.filter(status=Status.FAILED)
    return given_up.update(status=Status.WAITING, attempts=0, due_at=now, error="")


def messages_in_words(count: int) -> str:
    return "1 message is" if count == 1 else f"{count} messages are"


def renew_secret(webhook: Webhook) -> None:
    """Sign with a new secret from now on, also what waits."""
    webhook.secret = new_secret()
    webhook.save(update_fields=["secret"])


def _send(delivery: WebhookDelivery, now: dt.datetime) -> bool:
    row = WebhookDelivery.objects.filter(pk=delivery.pk)
    try:
        _post_and_judge(delivery)
    except SendingFailed as error:
        logger.info("webhook message %s was not taken: %s", delivery.pk, type(error).__name__)
        attempt, said = delivery.attempts + 1, str(error)[:200]
        if attempt < MAX_ATTEMPTS and not isinstance(error, _Gone):
            row.update(status=Status.WAITING, due_at=now + RETRY_AFTER[attempt - 1], error=said)
        else:
            is_first = not _has_given_up(delivery.webhook)
            row.update(status=Status.FAILED, error=said)
            if is_first:
                _tell_given_up(delivery.webhook, said)
        if not isinstance(error, _NotTaken):
            others = WebhookDelivery.objects.filter(webhook=delivery.webhook, status=Status.WAITING)
            others.filter(due_at__lte=now).update(due_at=now + RETRY_AFTER[0])
        return False
    row.update(status=Status.SENT, error="")
    return True


def _post_and_judge(delivery: WebhookDelivery) -> None:
    """Send a message once. SendingFailed, where it was not taken."""
    status = _post(delivery)
    if status == HTTPStatus.GONE:
        raise _Gone("It answered 410: it takes no messages any more.")
    if not HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES:
        raise _NotTaken(f"It answered {status}; expected 200 to 299.")


def _has_given_up(webhook: Webhook) -> bool:
    """Whether a message was given up since one was taken."""
    newest = webhook.deliveries.filter(status=Status.SENT).order_by("-created_at").first()
    given_up = webhook.deliveries.filter(status=Status.FAILED)
    return (given_up.filter(created_at__gte=newest.created_at) if newest else given_up).exists()


def _tell_given_up(webhook: Webhook, said: str) -> None:
    """Write to those who run the benchmark, once until messages are taken again; the address may hold a secret."""
    host = urlsplit(webhook.url).hostname
    page = reverse("admin:leaderboard_webhook_change", args=[webhook.pk])
    tell_at_once(
        people=webhook.benchmark.organisers,
        subject=f"{webhook.benchmark}: a webhook took no message",
        text=f"A message to a webhook of {webhook.benchmark} at {host} was given up. {said}\n\n"
        "What is given up is kept: once messages are taken there again, “Send again” on the webhook's page sends it. "
        "Further ones are tried as before, and you are not written to about them until one was taken. If none will "
        f"be, untick “Active” there.\n\n{settings.SITE_URL}{page}",
    )


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
