"""The submissions whose outputs people judge in a campaign."""

from django.db import models

from labelling.models.campaign import Campaign
from submissions.models import Submission


class JudgedSubmission(models.Model):
    """One of the submissions that a campaign is about, known in its units by a number that was drawn by lot."""

    campaign = models.ForeignKey(Campaign, on_delete=models.PROTECT, related_name="judged")
    submission = models.ForeignKey(Submission, on_delete=models.PROTECT, related_name="judged_in")
    number = models.PositiveIntegerField()
    ties = models.JSONField(
        default=dict,
        help_text="By the number of another: items of drawn pairs for which both gave the same; nobody is asked.",
    )

    class Meta:
        ordering = ["campaign", "number"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "number"], name="judged_number_once_per_campaign"),
            models.UniqueConstraint(fields=["campaign", "submission"], name="judged_once_per_campaign"),
        ]

    def __str__(self) -> str:
        return f"{self.campaign}: number {self.number}"
