"""The model that texts of a campaign are tried on, and what it said of each."""

import uuid

from django.db import models
from django.db.models import Q

from accounts.server.database_rights import Writer
from labelling.models.campaign import Campaign
from labelling.models.work import Assignment
from labelling.querysets import AttemptQuerySet

MOST_TRIES = 10
"""How many texts a worker may try on the model for one unit."""


class AskedModel(models.Model):
    """The model of a campaign of writing: one that the server trained itself, or an organiser's endpoint."""

    class Kind(models.TextChoices):
        EMBEDDED = "embedded", "trained here"
        ENDPOINT = "endpoint", "an endpoint"

    campaign = models.OneToOneField(Campaign, on_delete=models.PROTECT, related_name="asked_model")
    kind = models.CharField(max_length=16, choices=Kind)
    url = models.URLField("address", max_length=500, blank=True)
    secret_box = models.BinaryField(
        null=True, editable=False, help_text="Its secret, sealed to the scorer's key: only workers ask it."
    )
    secret_commitment = models.CharField(max_length=64, blank=True, editable=False)
    version = models.CharField(
        max_length=100, blank=True, help_text="Of the first answer, or accepted since: tries on it count."
    )
    told_version = models.CharField(max_length=100, blank=True, help_text="Of its last answer.")
    failures = models.PositiveSmallIntegerField("failures in a row", default=0)
    last_fault = models.CharField(max_length=300, blank=True, help_text="For organisers alone.")
    last_fault_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(kind__in=["embedded", "endpoint"]), name="model_kind_known"),
            models.CheckConstraint(
                condition=Q(kind="endpoint") ^ Q(url=""), name="model_endpoint_has_an_address"
            ),
            models.CheckConstraint(
                condition=Q(secret_box__isnull=True) ^ ~Q(secret_commitment=""),
                name="model_secret_has_a_commitment",
            ),
        ]

    def __str__(self) -> str:
        return self.url or f"model of {self.campaign}"


class TaughtRows(models.Model):
    """The texts and labels that a model is trained on, packed as `labelling.predictors.teaching` writes them."""

    model = models.OneToOneField(
        AskedModel, primary_key=True, on_delete=models.CASCADE, related_name="taught"
    )
    packed = models.BinaryField()
    row_count = models.PositiveIntegerField()
    version = models.CharField(max_length=100, help_text="The name of the model that the rows make.")
    file_name = models.CharField(max_length=255)
    given_at = models.DateTimeField()
    claimed_until = models.DateTimeField(null=True, help_text="While a worker trains on them.")

    def __str__(self) -> str:
        return f"{self.row_count} rows of {self.model}"


class TrainedWeights(models.Model):
    """What came of the training: arrays, as `labelling.predictors.embedded` writes them."""

    sole_writer = Writer.WORKER

    model = models.OneToOneField(
        AskedModel, primary_key=True, on_delete=models.CASCADE, related_name="weights"
    )
    packed = models.BinaryField()
    version = models.CharField(max_length=100)
    trained_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.version


class Attempt(models.Model):
    """One text that a worker tried on the model, kept for ever; one that the model did not answer is given back."""

    class State(models.TextChoices):
        WAITING = "waiting", "waits for the model"
        ANSWERED = "answered", "answered"
        GIVEN_BACK = "given_back", "given back"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    assignment = models.ForeignKey(Assignment, on_delete=models.PROTECT, related_name="attempts")
    model = models.ForeignKey(AskedModel, on_delete=models.PROTECT, related_name="attempts")
    number = models.PositiveSmallIntegerField(help_text=f"The how-manieth try, from 1 to {MOST_TRIES}.")
    client_id = models.UUIDField(unique=True, help_text="Made by whoever sent it: sent twice, it is one try.")
    text = models.TextField()
    text_sha256 = models.CharField(max_length=64)
    target = models.CharField(max_length=240, help_text="The label that the text was to have.")
    model_version = models.CharField(max_length=100, blank=True)
    prediction = models.JSONField(null=True)
    is_fooling = models.BooleanField(
        null=True, help_text="Whether the model gave another label than it was to have."
    )
    asked_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True)
    given_back = models.BooleanField(default=False)
    claims = models.PositiveSmallIntegerField(default=0, help_text="How often a worker process took it up.")
    claimed_until = models.DateTimeField(null=True)

    objects = AttemptQuerySet.as_manager()

    class Meta:
        ordering = ["assignment", "asked_at"]
        indexes = [
            models.Index(fields=["model", "text_sha256"], name="attempt_same_text"),
            models.Index(
                fields=["model", "asked_at"],
                condition=Q(answered_at__isnull=True, given_back=False),
                name="attempt_waiting",
            ),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["assignment", "number"],
                condition=Q(given_back=False),
                name="attempt_number_once_per_assignment",
            ),
            models.CheckConstraint(
                condition=Q(number__gte=1, number__lte=MOST_TRIES), name="attempt_number_in_range"
            ),
            models.CheckConstraint(
                condition=Q(answered_at__isnull=True, prediction__isnull=True, is_fooling__isnull=True)
                | Q(
                    answered_at__isnull=False,
                    prediction__isnull=False,
                    is_fooling__isnull=False,
                    given_back=False,
                ),
                name="attempt_answered_has_a_prediction",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.assignment} try {self.number}"

    @property
    def state(self) -> State:
        if self.given_back:
            return self.State.GIVEN_BACK
        return self.State.WAITING if self.answered_at is None else self.State.ANSWERED
