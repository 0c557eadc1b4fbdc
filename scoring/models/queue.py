"""The queue of what is to be scored: batches of submissions, and one run per comparison with gold labels."""

from django.db import models
from django.db.models import Q

from benchmarks.models import Phase, Split
from benchmarks.spec import DEV
from catalogue.disclosure import RULES, Exact, Rule
from catalogue.disclosure.rule import ALL
from scoring.models.gold import GoldVersion
from scoring.querysets import BatchQuerySet, RunQuerySet
from submissions.models import Predictions, Submission


def part_of(rule: type[Rule], split: Split, *, at_the_end: bool) -> str | None:
    """The items of a split that answers are scored on under a rule; None where nothing is scored yet.

    Of development data all count at any time: they guard nothing.
    """
    return ALL if split.slug == DEV else rule.part(split.item_count, at_the_end=at_the_end)


class Batch(models.Model):
    """Everything accepted before one cut-off of a phase."""

    class Status(models.TextChoices):
        SCORING = "scoring", "being scored"
        SCORED = "scored", "scored, waiting for its release"
        RELEASED = "released", "released"
        EMPTY = "empty", "empty: nothing was submitted"

    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, related_name="batches")
    cut_off_at = models.DateTimeField()
    status = models.CharField(max_length=16, choices=Status, default=Status.SCORING)
    closed_at = models.DateTimeField()
    scored_at = models.DateTimeField(null=True, blank=True)
    disclosure = models.CharField(
        max_length=16, default=Exact.key, help_text="How much is shown, as the phase had it at the cut-off."
    )
    is_final = models.BooleanField(
        default=False, help_text="Whether the phase closed with it: then what was kept back or sealed counts."
    )
    publish_failures = models.PositiveSmallIntegerField(default=0)
    set_aside_because = models.TextField(
        "why it was set aside",
        blank=True,
        help_text="Why it could not be published; it is not tried again by itself.",
    )

    objects = BatchQuerySet.as_manager()

    class Meta:
        ordering = ["-cut_off_at"]
        verbose_name_plural = "batches"
        constraints = [
            models.UniqueConstraint(fields=["phase", "cut_off_at"], name="batch_once_per_cut_off"),
            models.CheckConstraint(
                condition=Q(status__in=["scoring", "scored", "released", "empty"]), name="batch_status_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.phase} {self.cut_off_at:%Y-%m-%d %H:%M}"

    @property
    def rule(self) -> type[Rule]:
        return RULES[self.disclosure]

    def part_of(self, split: Split, *, at_the_end: bool) -> str | None:
        """The items of a split that answers are scored on, before the end or then; see `part_of`."""
        return part_of(self.rule, split, at_the_end=at_the_end)


class BatchEntry(models.Model):
    """One submission in one batch, and how it ended there."""

    class Outcome(models.TextChoices):
        PENDING = "pending", "being scored"
        SCORED = "scored", "scored"
        FAILED = "failed", "failed"

    batch = models.ForeignKey(Batch, on_delete=models.PROTECT, related_name="entries")
    submission = models.ForeignKey(Submission, on_delete=models.PROTECT, related_name="batch_entries")
    outcome = models.CharField(max_length=16, choices=Outcome, default=Outcome.PENDING)

    class Meta:
        verbose_name_plural = "batch entries"
        constraints = [
            models.UniqueConstraint(fields=["batch", "submission"], name="entry_once_per_batch"),
            models.CheckConstraint(
                condition=Q(outcome__in=["pending", "scored", "failed"]), name="entry_outcome_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.batch}: {self.submission_id}"


class ScoringRun(models.Model):
    """One comparison of predictions with gold labels. Its key makes scoring idempotent."""

    class Status(models.TextChoices):
        PENDING = "pending", "waiting"
        RUNNING = "running", "running"
        DONE = "done", "done"
        FAILED = "failed", "failed"

    class Error(models.TextChoices):
        """The only words that may leave the scorer about a failure."""

        KEY_MISSING = "key_missing", "The scorer has no private key."
        KEY_WRONG = "key_wrong", "The gold labels were sealed to another key."
        GOLD_DAMAGED = "gold_damaged", "The sealed gold labels are damaged."
        PREDICTIONS_DAMAGED = "predictions_damaged", "The stored predictions are damaged."
        TASK_CHANGED = "task_changed", "The task has changed since the file was accepted."
        INTERNAL = "internal", "The scorer met an unforeseen fault."
        OVERDUE = "overdue", "The run was not finished in time."
        NOT_YET = "not_yet", "The rule of the phase does not let it be scored yet."
        BUDGET_SPENT = "budget_spent", "The budget of judged answers is spent."

    submission = models.ForeignKey(Submission, on_delete=models.PROTECT, related_name="runs")
    split = models.ForeignKey(Split, on_delete=models.PROTECT, related_name="runs")
    predictions = models.ForeignKey(Predictions, on_delete=models.PROTECT, related_name="runs")
    gold_version = models.ForeignKey(GoldVersion, on_delete=models.PROTECT, related_name="runs")
    scorer_version = models.CharField(max_length=32)
    part = models.CharField(max_length=24, blank=True, help_text="Which items were scored; empty for all.")
    item_count = models.PositiveIntegerField(null=True, help_text="How many items were scored.")
    status = models.CharField(max_length=16, choices=Status, default=Status.PENDING)
    attempt = models.PositiveSmallIntegerField(default=0)
    lease_token = models.UUIDField(null=True, editable=False)
    lease_expires_at = models.DateTimeField(null=True, help_text="Until then nobody else may take it.")
    hinted_at = models.DateTimeField(null=True, help_text="When a worker was last told of it.")
    created_at = models.DateTimeField()
    deadline_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)
    error = models.CharField(max_length=32, choices=Error, blank=True)
    code_commit = models.CharField(
        max_length=64,
        blank=True,
        help_text="Of the code that made its scores; empty where nobody noted it.",
    )
    libraries = models.JSONField(
        null=True, blank=True, help_text="Versions of the libraries that made its scores, by name, if noted."
    )

    objects = RunQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "id"]
        indexes = [models.Index(fields=["status", "lease_expires_at"], name="run_due")]
        constraints = [
            models.UniqueConstraint(
                fields=["predictions", "gold_version", "scorer_version", "part"], name="run_once_per_key"
            ),
            models.CheckConstraint(
                condition=Q(status__in=["pending", "running", "done", "failed"]), name="run_status_known"
            ),
            models.CheckConstraint(
                condition=~Q(status="running") | Q(lease_expires_at__isnull=False, lease_token__isnull=False),
                name="run_running_has_a_lease",
            ),
            models.CheckConstraint(
                condition=Q(status="failed") ^ Q(error=""), name="run_failed_has_an_error"
            ),
        ]

    def __str__(self) -> str:
        return f"run {self.pk}"
