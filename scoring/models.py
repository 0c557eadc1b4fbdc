"""Sealed gold labels, batches, scoring runs and their scores."""

import zlib

from django.conf import settings
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import F, Q

from benchmarks.fields import OrderedJSONField
from benchmarks.models import Benchmark, Phase, Split
from benchmarks.spec import DisclosureSpec
from benchmarks.spec.disclosure import shown_part
from scoring.querysets import BatchQuerySet, ResponseSetQuerySet, RunQuerySet, VersionQuerySet
from submissions.models import Predictions, Submission

_SHA256 = RegexValidator(r"\A[0-9a-f]{64}\Z")


class GoldVersion(models.Model):
    """One version of a split's gold labels."""

    split = models.ForeignKey(Split, on_delete=models.PROTECT, related_name="gold_versions")
    number = models.PositiveIntegerField()
    task_version = models.PositiveIntegerField()
    key_fingerprint = models.CharField(max_length=64)
    commitment = models.CharField(
        max_length=64,
        validators=[_SHA256],
        help_text="Salted SHA-256: proves later that gold never changed.",
    )
    remainder_by = models.CharField(
        max_length=64,
        blank=True,
        help_text=(
            "Commitment of the version by whose salt the private remainder is drawn; empty: its own, by "
            "the places of items instead of their ids."
        ),
    )
    item_count = models.PositiveIntegerField()
    class_counts = models.JSONField(
        null=True, blank=True, help_text="Public, and only there if the organiser asked for it."
    )
    note = models.CharField(max_length=500, blank=True, help_text="Why this version was loaded.")
    loaded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    loaded_at = models.DateTimeField()

    objects = VersionQuerySet.as_manager()

    class Meta:
        ordering = ["split", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["split", "number"], name="gold_number_once_per_split"),
            models.CheckConstraint(condition=Q(number__gte=1), name="gold_number_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.split} gold {self.number}"


class SealedLabels(models.Model):
    """The labels of a version, sealed to the scorer's key; nobody reads them without it."""

    version = models.OneToOneField(
        GoldVersion, primary_key=True, on_delete=models.CASCADE, related_name="sealed"
    )
    ciphertext = models.BinaryField()

    class Meta:
        verbose_name_plural = "sealed gold labels"

    def __str__(self) -> str:
        return f"{self.version} sealed"


class OpenedGold(models.Model):
    """Gold labels that are public now: the salt of their commitment, and the canonical CSV that it covers."""

    gold_version = models.OneToOneField(GoldVersion, on_delete=models.PROTECT, related_name="opened")
    salt = models.CharField(max_length=64, help_text="32 bytes in hexadecimal.")
    packed = models.BinaryField()
    opened_at = models.DateTimeField()

    class Meta:
        verbose_name_plural = "opened gold labels"

    def __str__(self) -> str:
        return f"{self.gold_version} opened"

    def csv(self) -> bytes:
        """Columns `id` and `label`, an item per line."""
        return zlib.decompress(self.packed)


class OpeningOrder(models.Model):
    """An organiser's word that all gold labels of a benchmark become public. A worker with the key carries it out."""

    benchmark = models.OneToOneField(Benchmark, on_delete=models.PROTECT, related_name="opening_order")
    given_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    given_at = models.DateTimeField()
    reason = models.CharField(max_length=500, help_text="Public.")
    done_at = models.DateTimeField(null=True, help_text="When all labels were public.")

    def __str__(self) -> str:
        return f"{self.benchmark_id}: open gold labels"


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
    disclosure = models.JSONField(
        default=dict, help_text="How much of its scores is shown, as the phase had it at the cut-off."
    )
    part = models.CharField(
        max_length=24,
        blank=True,
        help_text="Which items count; empty for all. See `scoring.gold.holdout_split`.",
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
    def parts(self) -> tuple[str, ...]:
        """The items that answers are scored on: those that count and, where the best one does, those that say which."""
        counts_best = self.phase.counting == Phase.CountingRule.BEST
        return tuple(dict.fromkeys([self.part, shown_part(self.part)])) if counts_best else (self.part,)

    @property
    def disclosed_by(self) -> DisclosureSpec:
        return DisclosureSpec.from_stored(self.disclosure)


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

    submission = models.ForeignKey(Submission, on_delete=models.PROTECT, related_name="runs")
    split = models.ForeignKey(Split, on_delete=models.PROTECT, related_name="runs")
    predictions = models.ForeignKey(Predictions, on_delete=models.PROTECT, related_name="runs")
    gold_version = models.ForeignKey(GoldVersion, on_delete=models.PROTECT, related_name="runs")
    scorer_version = models.CharField(max_length=32)
    part = models.CharField(max_length=24, blank=True, help_text="Which items were scored; empty for all.")
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


class PairSet(models.Model):
    """One version of the pairs of items that a system should score alike, as an organiser uploaded them."""

    split = models.ForeignKey(Split, on_delete=models.PROTECT, related_name="pair_sets")
    comparison = models.SlugField(max_length=64, help_text="What the two sides of a pair differ in: gender.")
    title = models.CharField(max_length=120)
    number = models.PositiveIntegerField()
    first = models.CharField(max_length=80)
    second = models.CharField(max_length=80)
    packed = models.BinaryField()
    pair_count = models.PositiveIntegerField()
    item_count = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64, validators=[_SHA256])
    file_name = models.CharField(max_length=255)
    uploaded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    uploaded_at = models.DateTimeField()

    class Meta:
        ordering = ["split", "comparison", "-number"]
        constraints = [
            models.UniqueConstraint(
                fields=["split", "comparison", "number"], name="pair_set_number_once_per_comparison"
            )
        ]

    def __str__(self) -> str:
        return f"{self.split} {self.comparison} {self.number}"


class EquityResult(models.Model):
    """A paired test of one system's scores on one set of pairs. `stratum` is empty for all pairs together."""

    predictions = models.ForeignKey(Predictions, on_delete=models.PROTECT, related_name="equity_results")
    pair_set = models.ForeignKey(PairSet, on_delete=models.PROTECT, related_name="results")
    stratum = models.CharField(max_length=64, blank=True)
    pair_count = models.PositiveIntegerField()
    mean_first = models.FloatField()
    mean_second = models.FloatField()
    mean_difference = models.FloatField()
    mean_absolute_difference = models.FloatField()
    largest_absolute_difference = models.FloatField()
    first_higher_count = models.PositiveIntegerField()
    equal_count = models.PositiveIntegerField()
    t = models.FloatField(null=True)
    is_t_infinite = models.BooleanField(default=False)
    p = models.FloatField(null=True)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["predictions", "pair_set", "stratum"]
        constraints = [
            models.UniqueConstraint(
                fields=["predictions", "pair_set", "stratum"], name="equity_result_once_per_stratum"
            )
        ]

    def __str__(self) -> str:
        return f"{self.predictions} {self.pair_set}"


class ResponseSet(models.Model):
    """One version of several workers' responses for a split: sealed as they came, and what may be read of them."""

    split = models.ForeignKey(Split, on_delete=models.PROTECT, related_name="response_sets")
    number = models.PositiveIntegerField()
    gold_version = models.OneToOneField(
        GoldVersion, on_delete=models.PROTECT, help_text="The gold labels inferred from them."
    )
    sealed = models.BinaryField()
    key_fingerprint = models.CharField(max_length=64)
    commitment = models.CharField(
        max_length=64, validators=[_SHA256], help_text="Salted SHA-256 of the file of responses."
    )
    item_count = models.PositiveIntegerField(help_text="All items of the file.")
    response_count = models.PositiveIntegerField(
        help_text="The responses for the items that are in the split."
    )
    report = OrderedJSONField(help_text="Counts over all items of the file.")
    human = OrderedJSONField(help_text="The human estimate on the items that are in the split.")
    file_name = models.CharField(max_length=255)
    loaded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.PROTECT, related_name="+"
    )
    loaded_at = models.DateTimeField()

    objects = ResponseSetQuerySet.as_manager()

    class Meta:
        ordering = ["split", "-number"]
        constraints = [
            models.UniqueConstraint(fields=["split", "number"], name="response_set_number_once_per_split"),
            models.CheckConstraint(condition=Q(number__gte=1), name="response_set_number_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.split} responses {self.number}"
