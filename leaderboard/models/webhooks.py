"""Webhooks and what was sent to them."""

import secrets
import uuid

from django.db import models
from django.db.models import Q

from benchmarks.models import Benchmark


def new_secret() -> str:
    return secrets.token_urlsafe(32)


class Webhook(models.Model):
    """An address that is told what happens in a benchmark."""

    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="webhooks")
    url = models.URLField("address", max_length=500, help_text="https; the address of a public host.")
    tells_accepted = models.BooleanField("a file was accepted", default=True)
    tells_scored = models.BooleanField("a batch is scored", default=True)
    tells_released = models.BooleanField("a release is published", default=True)
    is_active = models.BooleanField("active", default=True)
    secret = models.CharField(
        max_length=64,
        default=new_secret,
        editable=False,
        help_text="X-Heldout-Signature is sha256= and the HMAC-SHA256 of the body under this secret, in hex.",
    )
    made_at = models.DateTimeField(editable=False)
    looked_until = models.DateTimeField(editable=False, help_text="What happened before was put in the post.")

    class Meta:
        ordering = ["benchmark", "pk"]
        constraints = [models.UniqueConstraint(fields=["benchmark", "url"], name="webhook_once_per_address")]

    def __str__(self) -> str:
        return self.url


class WebhookDelivery(models.Model):
    """One message to one webhook, from when it was written until it was taken or given up."""

    class Status(models.TextChoices):
        WAITING = "waiting", "waiting to be sent"
        SENDING = "sending", "being sent"
        SENT = "sent", "taken"
        FAILED = "failed", "given up"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    about = models.CharField("occasion", max_length=120)
    body = models.JSONField()
    status = models.CharField(max_length=16, choices=Status, default=Status.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    error = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField()
    due_at = models.DateTimeField(
        help_text="When it is tried next; of one being sent, when it is tried again."
    )

    class Meta:
        ordering = ["-created_at", "id"]
        verbose_name_plural = "webhook deliveries"
        constraints = [
            models.UniqueConstraint(fields=["webhook", "about"], name="webhook_told_once"),
            models.CheckConstraint(
                condition=Q(status__in=["waiting", "sending", "sent", "failed"]),
                name="webhook_delivery_status_known",
            ),
        ]
        indexes = [models.Index(fields=["status", "due_at"], name="webhook_delivery_due")]

    def __str__(self) -> str:
        return self.about
