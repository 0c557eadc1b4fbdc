"""A benchmark with its definition, its tasks, the attacks on them, and the questions of its fact sheet."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from json import dumps
from typing import Any

from django.db import models
from django.db.models import F, Q

from accounts.models import User
from benchmarks.fields import OrderedJSONField
from benchmarks.people.models import Role
from benchmarks.querysets import HIDDEN, BenchmarkQuerySet
from benchmarks.spec import BenchmarkSpec, ReportedRow, RowKind, SplitSpec, TaskSpec
from benchmarks.spec.loader import build_spec
from benchmarks.spec.model import RegistrationMode


class Benchmark(models.Model):
    class Registration(models.TextChoices):
        OPEN = RegistrationMode.OPEN.value, "open: a team takes part at once"
        APPROVAL = RegistrationMode.APPROVAL.value, "approval: an organiser approves each team first"
        CODE = RegistrationMode.CODE.value, "code: a team registers with a code that the organisers give"

    class Visibility(models.TextChoices):
        DRAFT = "draft", "draft: nobody but those who have a role in it"
        PRIVATE = "private", "private: members of approved teams, and those who have a role in it"
        UNLISTED = "unlisted", "unlisted: everybody who has the address; no list and no search names it"
        PUBLIC = "public", "public: everybody"

    slug = models.SlugField(primary_key=True, max_length=64)
    title = models.CharField(max_length=120)
    definition_sha256 = models.CharField(max_length=64)
    position = models.PositiveIntegerField(default=0)
    is_synthetic = models.BooleanField(
        default=False, help_text="Gold labels and systems are made up; every page says so."
    )
    is_anonymous = models.BooleanField(
        "systems are anonymous",
        default=False,
        help_text="No page, export or mail names a system or its team to others until this is lifted.",
    )
    visibility = models.CharField(max_length=16, choices=Visibility, default=Visibility.PUBLIC)
    registration = models.CharField(max_length=16, choices=Registration, default=Registration.OPEN)
    registration_secret = models.CharField(
        max_length=128,
        default="",
        blank=True,
        editable=False,
        help_text="A hash of the code that teams register with; empty until organisers set one.",
    )
    registration_opens_at = models.DateTimeField(
        null=True, blank=True, help_text="From then on teams may begin to take part. Empty: at once."
    )
    registration_closes_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="The first instant at which no further team may begin to take part. Empty: never.",
    )
    archived_at = models.DateTimeField(
        null=True, editable=False, help_text="Since when no list and no form names it; its pages stay."
    )
    # What breakers' pairs became, see `services.keep_made_split`.
    made_splits = OrderedJSONField(default=list, editable=False)
    # Which `PublishedRows` there are; empty where none were loaded.
    published_sha256 = models.CharField(max_length=64, default="", blank=True, editable=False)
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
                condition=Q(visibility__in=["draft", "private", "unlisted", "public"]),
                name="benchmark_visibility_known",
            ),
            models.CheckConstraint(
                condition=Q(registration__in=["open", "approval", "code"]),
                name="benchmark_registration_known",
            ),
            models.CheckConstraint(
                condition=Q(registration_opens_at__isnull=True)
                | Q(registration_closes_at__isnull=True)
                | Q(registration_opens_at__lt=F("registration_closes_at")),
                name="benchmark_registration_opens_before_it_closes",
            ),
        ]

    def __str__(self) -> str:
        return self.title

    def takes_new_teams(self, at: dt.datetime) -> bool:
        """Whether a team that has not taken part may begin to at that instant."""
        opens, closes = self.registration_opens_at, self.registration_closes_at
        return (opens is None or opens <= at) and (closes is None or at < closes)

    @property
    def is_hidden(self) -> bool:
        """Whether strangers are to learn nothing of it."""
        return self.visibility in HIDDEN

    @property
    def organisers(self) -> models.QuerySet[User]:
        """Those who run it and are written to: its owners and organisers, the first one first."""
        running = {"roles__benchmark": self.pk, "roles__role__in": [Role.OWNER, Role.ORGANISER]}
        return User.objects.filter(**running).order_by("roles__given_at", "roles__pk")

    @property
    def spec(self) -> BenchmarkSpec:
        """The frozen specification; rows of the same definition, made splits and published rows share one."""
        made_splits = dumps(self.made_splits) if self.made_splits else ""
        key = self.definition_sha256, made_splits, self.published_sha256
        if key not in _SPECS:
            made = defaultdict(list)
            for row in self.made_splits:
                made[row["task"]].append(SplitSpec(**row["split"], made=True))
            spec = build_spec(self.definition.document, self.slug).with_splits(made)
            _SPECS[key] = spec.with_reported(self.loaded_rows)
        return _SPECS[key]

    @property
    def loaded_rows(self) -> list[ReportedRow]:
        """The same as `published_rows`, as the specification has rows."""
        return [ReportedRow(**row | {"kind": RowKind(row["kind"])}) for row in self.published_rows]

    @property
    def published_rows(self) -> list[dict[str, Any]]:
        """The rows that were loaded beside the definition, see `PublishedRows`."""
        return self.published.rows if self.published_sha256 else []


class DefinitionDocument(models.Model):
    """The YAML document that a benchmark was synced from."""

    benchmark = models.OneToOneField(
        Benchmark, primary_key=True, on_delete=models.CASCADE, related_name="definition"
    )
    document = OrderedJSONField()

    def __str__(self) -> str:
        return f"{self.benchmark_id}: definition"


class PublishedRows(models.Model):
    """Published figures that an organiser loaded beside those of the definition: what is of one file, at most.

    Each of `rows` has the fields of `benchmarks.spec.ReportedRow`.
    """

    benchmark = models.OneToOneField(
        Benchmark, primary_key=True, on_delete=models.CASCADE, related_name="published"
    )
    rows = OrderedJSONField()

    class Meta:
        verbose_name_plural = "published rows"

    def __str__(self) -> str:
        return f"{self.benchmark_id}: published rows"


# By digest of the definition. A server sees few definitions in its life, so nothing is ever thrown out.
_SPECS: dict[tuple[str, str, str], BenchmarkSpec] = {}


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
