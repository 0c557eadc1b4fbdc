"""What scoring runs yield: scores, what is shown of them, their resamples and tests between two runs."""

from django.db import models
from django.db.models import F, Q

from scoring.models.queue import Batch, ScoringRun


class Score(models.Model):
    """One number, or the reason why there is none. Append-only: a trigger refuses every change."""

    run = models.ForeignKey(ScoringRun, on_delete=models.PROTECT, related_name="scores")
    metric = models.CharField(max_length=64)
    metric_version = models.PositiveIntegerField()
    stratum = models.CharField(max_length=64, blank=True)
    value = models.FloatField(null=True)
    undefined = models.CharField(max_length=32, blank=True)
    ci_low = models.FloatField(null=True)
    ci_high = models.FloatField(null=True)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["run", "metric"]
        constraints = [
            models.UniqueConstraint(fields=["run", "metric", "stratum"], name="score_once_per_run"),
            models.CheckConstraint(
                condition=Q(value__isnull=True) ^ Q(undefined=""), name="score_value_or_reason"
            ),
            models.CheckConstraint(
                # NaN and the infinities fall outside on either database.
                condition=Q(value__isnull=True) | Q(value__gt=-1e308, value__lt=1e308),
                name="score_value_finite",
            ),
            models.CheckConstraint(
                condition=Q(ci_low__isnull=True, ci_high__isnull=True) | Q(ci_low__lte=F("ci_high")),
                name="score_interval_in_order",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.metric} {self.value}"


class Disclosed(models.Model):
    """What the rule of a phase lets be seen of one answer, and the rule's state after it. Append-only.

    `row` is what the number stands for on boards: a system, or a team where it has one row. Everything from `leader`
    on is secret: no page or export may show it.
    """

    run = models.ForeignKey(ScoringRun, on_delete=models.PROTECT, related_name="disclosed")
    rule = models.CharField(max_length=64, help_text="The rule with its settings.")
    batch = models.ForeignKey(Batch, on_delete=models.PROTECT, related_name="disclosed")
    row = models.CharField(max_length=64)
    shown = models.FloatField(null=True)
    undefined = models.CharField(max_length=32, blank=True)
    leads = models.BooleanField(help_text="Whether the row's number stands for this answer from now on.")
    leader = models.FloatField(null=True, help_text="The exact score behind the row's number.")
    behind = models.FloatField(default=0.0, help_text="Gains that are still to be shown.")
    spent = models.FloatField(default=0.0, help_text="What misses have cost the phase.")
    mark = models.FloatField(null=True, help_text="The number beyond which there is progress.")
    created_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "disclosed scores"
        constraints = [
            models.UniqueConstraint(fields=["run", "rule"], name="disclosed_once_per_rule"),
            models.CheckConstraint(
                condition=Q(shown__isnull=True) ^ Q(undefined=""), name="disclosed_value_or_reason"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.run}: {self.shown} ({self.rule})"


class RunReplicates(models.Model):
    """A run's scores in every resample of its split's items, for what boards show, average or derive.

    Read them with `scoring.uncertainty.stored_replicates.replicates_of`.
    """

    run = models.OneToOneField(ScoringRun, on_delete=models.PROTECT, related_name="replicates")
    metrics = models.JSONField(help_text="Names, in the order of the packed rows.")
    packed = models.BinaryField(help_text="A row of 16-bit steps per metric.")
    count = models.PositiveIntegerField(help_text="Resamples.")
    method = models.CharField(max_length=32)
    seed_id = models.CharField(max_length=16, help_text="The same for runs that were resampled alike.")

    class Meta:
        verbose_name_plural = "replicates of runs"
        constraints = [models.CheckConstraint(condition=Q(count__gte=1), name="replicates_at_least_one")]

    def __str__(self) -> str:
        return f"{self.run} replicates"


class PairedTest(models.Model):
    """Tests of two systems on the same items that need gold labels; `first` is the run of the smaller id.

    A p is None where the test could not be made, or is none for the task's metric.
    """

    first = models.ForeignKey(ScoringRun, on_delete=models.PROTECT, related_name="+")
    second = models.ForeignKey(ScoringRun, on_delete=models.PROTECT, related_name="+")
    metric = models.CharField(max_length=64)
    exchange_p = models.FloatField(null=True, help_text="Approximate randomisation.")
    mcnemar_p = models.FloatField(null=True, help_text="Exact, where the metric is accuracy.")
    draws = models.PositiveIntegerField()
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["first", "second"], name="paired_test_once_per_pair"),
            models.CheckConstraint(condition=Q(first__lt=F("second")), name="paired_test_in_order"),
        ]

    def __str__(self) -> str:
        return f"{self.first} against {self.second}"
