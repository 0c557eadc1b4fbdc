"""What scoring runs yield: scores, what is shown of them, their resamples and tests between two runs."""

from django.db import models
from django.db.models import F, Q

from accounts.server.database_rights import Writer
from benchmarks.models import Phase, Split
from scoring.models.queue import Batch, ScoringRun
from submissions.models import Submission


class Score(models.Model):
    """One number, or the reason why there is none. Append-only: a trigger refuses every change."""

    sole_writer = Writer.WORKER

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


class JudgedAnswer(models.Model):
    """That the scorer has judged an answer through noise: what its own count of them is made of. Append-only.

    Written by whoever has the gold labels, in the transaction that stores the score, and by nobody else.
    """

    sole_writer = Writer.WORKER

    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, related_name="judged_answers")
    split = models.ForeignKey(Split, on_delete=models.PROTECT, related_name="judged_answers")
    number = models.PositiveIntegerField(help_text="From 1 on, without gaps.")
    run = models.OneToOneField(ScoringRun, on_delete=models.PROTECT, related_name="judged")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["phase", "split", "number"], name="judged_answers_are_counted")
        ]

    def __str__(self) -> str:
        return f"{self.phase}, {self.split}: judged answer {self.number}"


class FinalAnswer(models.Model):
    """The answer of a row that is scored on what was kept back, chosen when the phase closed. Append-only.

    `row` is a system, or a team where it has one row.
    """

    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, related_name="final_answers")
    split = models.ForeignKey(Split, on_delete=models.PROTECT, related_name="final_answers")
    track = models.CharField(max_length=64, blank=True)
    row = models.CharField(max_length=64)
    submission = models.ForeignKey(Submission, on_delete=models.PROTECT, related_name="final_answers")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["phase", "split", "track", "row"], name="one_final_answer_a_row")
        ]

    def __str__(self) -> str:
        return f"{self.phase}, {self.split}: {self.row}"


class Disclosed(models.Model):
    """What the rule of a phase shows of a judged answer, and whether its row stands for it now. Append-only.

    `row` is what the number stands for on boards: a system, or a team where it has one row. It follows from noised
    scores alone.
    """

    sole_writer = Writer.WORKER

    run = models.ForeignKey(ScoringRun, on_delete=models.PROTECT, related_name="disclosed")
    rule = models.CharField(max_length=64)
    batch = models.ForeignKey(Batch, on_delete=models.PROTECT, related_name="disclosed")
    row = models.CharField(max_length=64)
    shown = models.FloatField(null=True)
    undefined = models.CharField(max_length=32, blank=True)
    leads = models.BooleanField(help_text="Whether the row's number stands for this answer from now on.")
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


class ToldAnswer(models.Model):
    """That a team was told an answer's score as feedback, before any release. Append-only.

    `bits` are what the number carries of the labels by itself, at most, reckoned before it was told.
    """

    sole_writer = Writer.WORKER

    run = models.OneToOneField(ScoringRun, on_delete=models.PROTECT, related_name="told")
    told_at = models.DateTimeField()
    bits = models.FloatField(
        help_text="0 of development data, and of what was judged through noise: that is charged when it is judged."
    )

    class Meta:
        constraints = [models.CheckConstraint(condition=Q(bits__gte=0), name="told_answer_is_charged")]

    def __str__(self) -> str:
        return f"{self.run}: told {self.told_at:%Y-%m-%d %H:%M}"


class RunReplicates(models.Model):
    """A run's scores in every resample of its split's items, for what boards show, average or derive.

    Read them with `scoring.uncertainty.stored_replicates.replicates_of`.
    """

    sole_writer = Writer.WORKER

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

    sole_writer = Writer.WORKER

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
