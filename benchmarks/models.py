"""The definitions as rows: what submissions, gold labels and releases point at."""

from __future__ import annotations

import datetime as dt
import zlib
from collections import defaultdict
from copy import copy
from json import dumps

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse

from benchmarks.fields import OrderedJSONField, rule_choices
from benchmarks.notices.models import Acceptance, Announcement, Mailing, Terms  # noqa: F401  # Django looks for rows here
from benchmarks.querysets import BenchmarkQuerySet, PhaseQuerySet, TextsQuerySet
from benchmarks.spec import (
    BenchmarkSpec,
    Counting,
    PhaseKind,
    PhaseSpec,
    SplitSpec,
    TaskSpec,
)
from benchmarks.spec.loader import build_spec
from benchmarks.spec.model import RegistrationMode
from benchmarks.spec.rule_fit import Window
from benchmarks.spec.schedule import next_cut_off
from catalogue.disclosure import RULES, Exact, Rule


class Benchmark(models.Model):
    class Registration(models.TextChoices):
        OPEN = RegistrationMode.OPEN.value, "open: a team takes part at once"
        APPROVAL = RegistrationMode.APPROVAL.value, "approval: an organiser approves each team first"

    slug = models.SlugField(primary_key=True, max_length=64)
    title = models.CharField(max_length=120)
    definition_sha256 = models.CharField(max_length=64)
    position = models.PositiveIntegerField(default=0)
    organisers = models.ManyToManyField(settings.AUTH_USER_MODEL, blank=True, related_name="organised")
    is_synthetic = models.BooleanField(
        default=False, help_text="Gold labels and systems are made up; every page says so."
    )
    is_anonymous = models.BooleanField(
        "systems are anonymous",
        default=False,
        help_text="No page, export or mail names a system or its team to others until this is lifted.",
    )
    registration = models.CharField(max_length=16, choices=Registration, default=Registration.OPEN)
    # What breakers' pairs became, see `services.keep_made_split`.
    made_splits = OrderedJSONField(default=list, editable=False)
    # Counted on by whatever changes something that published pages show. Whoever renders them notes which count they
    # show, in the same transaction, so that a rendering that fails or is overtaken by another change is done again.
    pages_wanted = models.PositiveBigIntegerField(default=1, editable=False)
    pages_rendered = models.PositiveBigIntegerField(default=0, editable=False)
    # The same for the permanent pages of every earlier release.
    archive_wanted = models.PositiveBigIntegerField(default=0, editable=False)
    archive_rendered = models.PositiveBigIntegerField(default=0, editable=False)

    objects = BenchmarkQuerySet.as_manager()

    class Meta:
        ordering = ["position", "slug"]
        constraints = [
            models.CheckConstraint(
                condition=Q(registration__in=["open", "approval"]), name="benchmark_registration_known"
            )
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def spec(self) -> BenchmarkSpec:
        """The frozen specification; rows of the same definition and the same made splits share one."""
        key = self.definition_sha256, dumps(self.made_splits)
        if key not in _SPECS:
            made = defaultdict(list)
            for row in self.made_splits:
                made[row["task"]].append(SplitSpec(**row["split"], made=True))
            _SPECS[key] = build_spec(self.definition.document, self.slug).with_splits(made)
        return _SPECS[key]


class DefinitionDocument(models.Model):
    """The YAML document that a benchmark was synced from."""

    benchmark = models.OneToOneField(
        Benchmark, primary_key=True, on_delete=models.CASCADE, related_name="definition"
    )
    document = OrderedJSONField()

    def __str__(self) -> str:
        return f"{self.benchmark_id}: definition"


# By digest of the definition. A server sees few definitions in its life, so nothing is ever thrown out.
_SPECS: dict[tuple[str, str], BenchmarkSpec] = {}


class Task(models.Model):
    """One input/output contract. `version` rises with anything that can change a number."""

    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="tasks")
    slug = models.CharField(max_length=64)
    title = models.CharField(max_length=120)
    version = models.PositiveIntegerField(default=1)
    fingerprint = models.CharField(max_length=64)
    position = models.PositiveIntegerField(default=0)
    is_retired = models.BooleanField(default=False, help_text="The definition no longer names it.")

    class Meta:
        ordering = ["benchmark", "position"]
        constraints = [
            models.UniqueConstraint(fields=["benchmark", "slug"], name="task_once_per_benchmark"),
            models.CheckConstraint(condition=Q(version__gte=1), name="task_version_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.benchmark_id}/{self.slug}"

    @property
    def spec(self) -> TaskSpec:
        return self.benchmark.spec.task(self.slug)


class Split(models.Model):
    """A fixed set of public item ids of one task, in public order (`benchmarks.spec.item_order`)."""

    task = models.ForeignKey(Task, on_delete=models.PROTECT, related_name="splits")
    slug = models.SlugField(max_length=64, default="test")
    item_count = models.PositiveIntegerField()
    ids_sha256 = models.CharField(max_length=64)
    gold_opened_at = models.DateTimeField(
        null=True,
        editable=False,
        help_text="Since when its gold labels are public: it is answered no longer.",
    )

    class Meta:
        ordering = ["task", "slug"]
        constraints = [
            models.UniqueConstraint(fields=["task", "slug"], name="split_once_per_task"),
            models.CheckConstraint(condition=Q(item_count__gte=1), name="split_has_items"),
        ]

    def __str__(self) -> str:
        return f"{self.task}/{self.slug}"

    def ids_text(self) -> bytes:
        """The ids in split order, UTF-8, one per line."""
        return zlib.decompress(self.ids.packed)

    def as_of(self, gold_number: int) -> Split:
        """The split as it was under a version of its gold labels: with the items of then. Not to be stored."""
        renewal = self.renewals.filter(gold_number__gt=gold_number).order_by("gold_number").first()
        if renewal is None:
            return self
        then = copy(self)
        then.ids_sha256, then.item_count = renewal.former_sha256, renewal.former_count
        return then


class ItemRenewal(models.Model):
    """That a split took new items between two phases. Its former ids are kept, so that old releases can be made again.

    Anchors stand in the former set and in the new one. What was told of them before is public, so all of them are on
    the displayed side from then on.
    """

    split = models.ForeignKey(Split, on_delete=models.PROTECT, related_name="renewals")
    renewed_at = models.DateTimeField()
    gold_number = models.PositiveIntegerField(help_text="The first version of gold labels of the new items.")
    former_sha256 = models.CharField(max_length=64)
    former_count = models.PositiveIntegerField()
    former_packed = models.BinaryField(
        help_text="The former ids: UTF-8, one per line, in their order, compressed."
    )
    anchors_packed = models.BinaryField(help_text="The ids of the anchors, as above.")
    anchor_count = models.PositiveIntegerField()
    retired_count = models.PositiveIntegerField()
    new_count = models.PositiveIntegerField()

    class Meta:
        ordering = ["split", "gold_number"]
        constraints = [
            models.UniqueConstraint(fields=["split", "gold_number"], name="items_renewed_once_per_gold")
        ]

    def __str__(self) -> str:
        return f"{self.split} renewed with gold {self.gold_number}"

    def former_ids(self) -> bytes:
        """As `Split.ids_text`."""
        return zlib.decompress(self.former_packed)

    def anchors(self) -> set[str]:
        text = zlib.decompress(self.anchors_packed).decode()
        return set(text.split("\n")) if text else set()


class SplitIds(models.Model):
    """The public item ids of a split: UTF-8, one per line, in split order, compressed."""

    split = models.OneToOneField(Split, primary_key=True, on_delete=models.CASCADE, related_name="ids")
    packed = models.BinaryField()

    class Meta:
        verbose_name_plural = "split ids"

    def __str__(self) -> str:
        return f"{self.split_id}: {self.split.item_count} ids"


class Phase(models.Model):
    """A window with quota and weekly cut-offs, which submissions are made to."""

    class CountingRule(models.TextChoices):
        LATEST = Counting.LATEST.value, "latest submission"
        BEST = Counting.BEST.value, "best submission"
        CHOSEN = Counting.CHOSEN.value, "the submission the team chose"

    class Kind(models.TextChoices):
        PREDICTIONS = PhaseKind.PREDICTIONS.value, "predictions"
        BUILD = PhaseKind.BUILD.value, "build: predictions for the development data"
        BREAK = PhaseKind.BREAK.value, "break: minimal pairs"
        SCORE = PhaseKind.SCORE.value, "score: predictions for all pairs"

    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="phases")
    slug = models.SlugField(max_length=64)
    title = models.CharField(max_length=120)
    series = models.SlugField(
        max_length=64,
        blank=True,
        editable=False,
        help_text="The phase of the definition that it is an edition of.",
    )
    editions_per_year = models.PositiveSmallIntegerField(
        default=0,
        choices=[
            (count, str(count) if count else "none: it is no edition") for count in (0, 1, 2, 3, 4, 6, 12)
        ],
        help_text="When an edition closes, the next one opens by itself and closes with the first cut-off of the next "
        "part of the year.",
    )
    kind = models.CharField(max_length=16, choices=Kind, default=Kind.PREDICTIONS)
    position = models.PositiveIntegerField(default=0)
    opens_at = models.DateTimeField(null=True, blank=True, help_text="Empty: open from the start.")
    closes_at = models.DateTimeField(null=True, blank=True, help_text="Empty: open without end.")
    timezone = models.CharField(max_length=64, default="UTC")
    weekday = models.PositiveSmallIntegerField(
        null=True,
        blank=True,
        help_text="0 is Monday, 6 is Sunday. Empty: one cut-off, when the phase closes.",
    )
    time = models.TimeField(help_text="Wall-clock time of the cut-off in the phase's own zone.")
    next_cut_off_at = models.DateTimeField(editable=False)
    quota_limit = models.PositiveIntegerField(
        help_text="Submissions one team may have accepted per cut-off window."
    )
    counting = models.CharField(max_length=16, choices=CountingRule)
    one_per_team = models.BooleanField(
        "one row per team",
        default=False,
        help_text="All systems of a team share one row: of all their submissions one counts per cell.",
    )
    publish_automatically = models.BooleanField(
        default=True, help_text="Off: a finished release waits for the organiser's word."
    )
    disclosure = models.CharField(
        max_length=16,
        choices=rule_choices,
        default=Exact.key,
        help_text="How much is shown before the end of the phase.",
    )

    objects = PhaseQuerySet.as_manager()

    class Meta:
        ordering = ["benchmark", "position", "opens_at"]
        constraints = [
            models.UniqueConstraint(fields=["benchmark", "slug"], name="phase_once_per_benchmark"),
            models.CheckConstraint(condition=Q(quota_limit__gte=1), name="phase_quota_from_one"),
            models.CheckConstraint(
                condition=Q(weekday__isnull=True) | Q(weekday__lte=6), name="phase_weekday_monday_to_sunday"
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["predictions", "build", "break", "score"]), name="phase_kind_known"
            ),
            models.CheckConstraint(
                condition=Q(weekday__isnull=False) | Q(closes_at__isnull=False),
                name="phase_has_a_cut_off",
            ),
            models.CheckConstraint(
                condition=Q(opens_at__isnull=True)
                | Q(closes_at__isnull=True)
                | Q(opens_at__lt=F("closes_at")),
                name="phase_opens_before_it_closes",
            ),
            models.CheckConstraint(
                condition=~Q(disclosure__in=[rule.key for rule in RULES if rule.keeps_best])
                | Q(counting="best"),
                name="phase_shows_the_best_it_counts",
            ),
            models.CheckConstraint(
                condition=~Q(disclosure__in=[rule.key for rule in RULES if rule.keeps_back])
                | Q(weekday__isnull=False, closes_at__isnull=False, one_per_team=True),
                name="phase_that_keeps_back_ends",
            ),
            models.CheckConstraint(
                condition=~Q(disclosure__in=[rule.key for rule in RULES if not rule.shows_before_end])
                | Q(weekday__isnull=True),
                name="phase_that_is_sealed_is_scored_once",
            ),
            models.CheckConstraint(
                condition=Q(editions_per_year=0)
                | Q(
                    editions_per_year__in=[1, 2, 3, 4, 6, 12], weekday__isnull=False, closes_at__isnull=False
                ),
                name="phase_of_editions_closes",
            ),
            models.CheckConstraint(
                condition=Q(kind="predictions") | Q(disclosure=Exact.key),
                name="phase_of_breakers_is_exact",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.benchmark_id}/{self.slug}"

    def as_spec(self) -> PhaseSpec:
        """The phase as its organisers have set it, in the form of a definition."""
        return PhaseSpec(
            id=self.slug,
            title=self.title,
            timezone=self.timezone,
            weekday=self.weekday,
            time=self.time,
            quota=self.quota_limit,
            counting=Counting(self.counting),
            publish_automatically=self.publish_automatically,
            one_per_team=self.one_per_team,
            editions_per_year=self.editions_per_year,
            kind=PhaseKind(self.kind),
            disclosure=self.rule,
        )

    def window(self) -> Window:
        """When it takes submissions, and under which rule."""
        return Window(self.title, self.rule, self.opens_at, self.closes_at)

    @property
    def rule(self) -> type[Rule]:
        """How much is shown before the end of the phase."""
        return RULES[self.disclosure]

    def is_open(self, at: dt.datetime) -> bool:
        """Whether a submission whose request began at that instant is taken."""
        return (self.opens_at is None or self.opens_at <= at) and (
            self.closes_at is None or at < self.closes_at
        )

    def is_over(self, at: dt.datetime) -> bool:
        """Whether the phase had closed before that instant."""
        return self.closes_at is not None and self.closes_at < at

    def cut_off_after(self, instant: dt.datetime) -> dt.datetime:
        """The first scheduled cut-off later than `instant`; the end of the phase where that comes first."""
        closes_at = self.closes_at
        if self.weekday is None and closes_at is not None and closes_at > instant:
            return closes_at
        # After the close come weekly instants too: for uploads that were under way, retries and new gold labels.
        weekday = self.weekday or 0
        scheduled = next_cut_off(timezone=self.timezone, weekday=weekday, time=self.time, after=instant)
        return min(scheduled, closes_at) if closes_at and closes_at > instant else scheduled


class Attack(models.Model):
    """A way of perturbing test texts, and what share of samples it transforms correctly (c_a)."""

    class Method(models.TextChoices):
        DEFINITION = "definition", "stated in the definition"
        ENTERED = "entered", "entered by the organiser"
        READABILITY = "readability", "Flesch-Kincaid grade of the perturbed texts"
        ANNOTATORS = "annotators", "two annotators"

    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="attacks")
    slug = models.CharField(max_length=64)
    title = models.CharField(max_length=120)
    position = models.PositiveIntegerField(default=0)
    correct_share = models.FloatField(null=True, blank=True, help_text="From 0 to 1. Empty: not known yet.")
    method = models.CharField(max_length=16, choices=Method, default=Method.DEFINITION)
    kappa = models.FloatField(null=True, blank=True, help_text="Cohen's kappa of the two annotators.")
    sample_count = models.PositiveIntegerField(null=True, blank=True)
    note = models.CharField(max_length=500, blank=True)
    changed_at = models.DateTimeField()

    class Meta:
        ordering = ["benchmark", "position", "slug"]
        constraints = [
            models.UniqueConstraint(fields=["benchmark", "slug"], name="attack_once_per_benchmark"),
            models.CheckConstraint(
                condition=Q(correct_share__isnull=True) | Q(correct_share__gte=0, correct_share__lte=1),
                name="attack_correct_share_from_0_to_1",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.benchmark_id}/{self.slug}"


class FactList(models.Model):
    """One question of the fact sheet: which of these options a system uses."""

    benchmark = models.ForeignKey(Benchmark, on_delete=models.PROTECT, related_name="fact_lists")
    slug = models.CharField(max_length=64)
    title = models.CharField(max_length=120)
    options = models.JSONField(default=list)
    position = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["benchmark", "position", "slug"]
        constraints = [
            models.UniqueConstraint(fields=["benchmark", "slug"], name="fact_list_once_per_benchmark")
        ]

    def __str__(self) -> str:
        return f"{self.benchmark_id}/{self.slug}"


class Texts(models.Model):
    """The public inputs of a split: CSV with the column `id` and one or more columns of text, in split order."""

    split = models.OneToOneField(Split, on_delete=models.PROTECT, related_name="texts")
    header = models.JSONField(help_text="The columns, `id` first.")
    packed = models.BinaryField()
    sha256 = models.CharField(max_length=64)
    item_count = models.PositiveIntegerField()
    seed = models.PositiveIntegerField(null=True, help_text="Of the generator, where an attack made them.")
    made_at = models.DateTimeField()

    objects = TextsQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "texts"

    def __str__(self) -> str:
        return f"{self.split} texts"

    def csv(self) -> bytes:
        return zlib.decompress(self.packed)

    def get_absolute_url(self) -> str:
        task = self.split.task
        return reverse("benchmarks:texts", args=[task.benchmark_id, task.slug, self.split.slug])
