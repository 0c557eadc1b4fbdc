"""What a rule made of the answers of a campaign."""

from django.conf import settings
from django.db import models

from benchmarks.fields import OrderedJSONField
from catalogue.problems import counted
from labelling.models.campaign import Campaign
from scoring.models import GoldVersion


class Outcome(models.Model):
    """What came of a campaign: made again of the same answers and seeds, it is the same to the last bit.

    `report` holds figures that tell the label of no single item; the values per item stand in the box, and where the
    answers are not sealed in `values` too.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="outcomes")
    number = models.PositiveIntegerField()
    rule = models.CharField(max_length=32)
    rule_settings = models.JSONField(default=dict)
    answers_sha256 = models.CharField(
        max_length=64, help_text="Of the answers that counted, in canonical order."
    )
    report = OrderedJSONField()
    values = OrderedJSONField(
        null=True, help_text="Of each item, as JSON keeps it; empty where answers are sealed."
    )
    item_count = models.PositiveIntegerField(help_text="Items with a value.")
    set_aside = models.PositiveIntegerField(default=0, help_text="Items without one.")
    gold_version = models.ForeignKey(
        GoldVersion, null=True, on_delete=models.PROTECT, related_name="outcomes"
    )
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["campaign", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "number"], name="outcome_number_once_per_campaign")
        ]

    def __str__(self) -> str:
        return f"{self.campaign} outcome {self.number}"


class SealedOutcome(models.Model):
    """The value of each item, sealed to the scorer's key."""

    outcome = models.OneToOneField(Outcome, primary_key=True, on_delete=models.PROTECT, related_name="sealed")
    box = models.BinaryField()
    commitment = models.CharField(max_length=64)

    def __str__(self) -> str:
        return f"{self.outcome} sealed"


class CampaignFigures(models.Model):
    """How a campaign stood at an instant, for its organisers: counts, agreement, reliability; no answer of anybody."""

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="figures")
    answer_count = models.PositiveIntegerField(help_text="Answers that counted.")
    newest_answer = models.PositiveBigIntegerField(
        default=0,
        db_default=0,
        help_text="Row of the newest of them, which tells others of the same number apart.",
    )
    report = OrderedJSONField()
    made_at = models.DateTimeField()

    class Meta:
        ordering = ["campaign", "made_at"]
        verbose_name_plural = "campaign figures"
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "answer_count", "newest_answer"], name="figures_once_per_answers"
            )
        ]

    def __str__(self) -> str:
        return f"{self.campaign}, {counted(self.answer_count, 'answer')}"
