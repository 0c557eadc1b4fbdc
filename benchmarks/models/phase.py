"""Phases: when submissions are taken, how many, and what is shown of them."""

from __future__ import annotations

import datetime as dt

from django.db import models
from django.db.models import F, Q

from benchmarks.fields import rule_choices
from benchmarks.models.benchmark import Benchmark
from benchmarks.querysets import PhaseQuerySet
from benchmarks.spec import Counting, Feedback, Period, PhaseKind, PhaseSpec, Taking, handed_in
from benchmarks.spec.read_phases import limits_from, targets_from
from benchmarks.spec.rule_fit import Window
from benchmarks.spec.schedule import next_cut_off
from catalogue.disclosure import RULES, Exact, Rule


class Phase(models.Model):
    """A window with quota and weekly cut-offs, which submissions are made to."""

    class CountingRule(models.TextChoices):
        LATEST = Counting.LATEST.value, "latest submission"
        BEST = Counting.BEST.value, "best submission"
        CHOSEN = Counting.CHOSEN.value, "the submission the team chose"

    class FeedbackMoment(models.TextChoices):
        NONE = Feedback.NONE.value, "none: releases tell"
        IMMEDIATE = Feedback.IMMEDIATE.value, "immediate: within seconds of an upload"
        DAILY = Feedback.DAILY.value, "daily: after midnight in the zone of the phase"
        AT_CUT_OFF = Feedback.AT_CUT_OFF.value, "at cut-offs: when the batch is scored"

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
        "quota per cut-off",
        null=True,
        blank=True,
        help_text="Submissions one team may have accepted until the next cut-off. Empty: as many as the other limits "
        "allow.",
    )
    quota_per_day = models.PositiveIntegerField(
        null=True, blank=True, help_text="Days are those of the phase's zone. Empty: no limit."
    )
    quota_per_week = models.PositiveIntegerField(
        null=True, blank=True, help_text="Weeks begin on Monday in the phase's zone. Empty: no limit."
    )
    quota_total = models.PositiveIntegerField(
        "quota in all", null=True, blank=True, help_text="From the opening to the end. Empty: no limit."
    )
    targets = models.JSONField(
        default=list,
        blank=True,
        help_text="What the phase is about: splits of tasks, each with limits of its own where it has any. Empty: "
        "everything.",
    )
    release_not_before = models.DateTimeField(
        null=True,
        blank=True,
        help_text="A finished release is published then at the earliest. Empty: at once.",
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

    feedback = models.CharField(
        max_length=16,
        choices=FeedbackMoment,
        default=FeedbackMoment.NONE,
        help_text="When a team, and nobody else, is told the scores of its submissions before a release.",
    )

    objects = PhaseQuerySet.as_manager()

    class Meta:
        ordering = ["benchmark", "position", "opens_at"]
        constraints = [
            models.UniqueConstraint(fields=["benchmark", "slug"], name="phase_once_per_benchmark"),
            models.CheckConstraint(
                condition=(Q(quota_limit__isnull=True) | Q(quota_limit__gte=1))
                & (Q(quota_per_day__isnull=True) | Q(quota_per_day__gte=1))
                & (Q(quota_per_week__isnull=True) | Q(quota_per_week__gte=1))
                & (Q(quota_total__isnull=True) | Q(quota_total__gte=1)),
                name="phase_quota_from_one",
            ),
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
            limits=limits_from(
                {
                    Period.CUT_OFF: self.quota_limit,
                    Period.DAY: self.quota_per_day,
                    Period.WEEK: self.quota_per_week,
                    Period.TOTAL: self.quota_total,
                }
            ),
            counting=Counting(self.counting),
            publish_automatically=self.publish_automatically,
            one_per_team=self.one_per_team,
            editions_per_year=self.editions_per_year,
            kind=PhaseKind(self.kind),
            disclosure=self.rule,
            targets=targets_from(self.targets),
            opens_at=self.opens_at,
            closes_at=self.closes_at,
            not_before=self.release_not_before,
            feedback=Feedback(self.feedback),
        )

    def taking(self) -> Taking:
        """What it takes: task by task and split by split, and in words."""
        spec = self.as_spec()
        words = handed_in(spec.kind, [target.place for target in spec.targets])
        return Taking(self.title, spec.taken(self.benchmark.spec), words)

    def window(self) -> Window:
        """When it takes submissions, and under which rule."""
        places = frozenset((row["task"], row["split"]) for row in self.targets)
        return Window(self.title, self.rule, self.opens_at, self.closes_at, places)

    @property
    def rule(self) -> type[Rule]:
        """How much is shown before the end of the phase."""
        return RULES[self.disclosure]

    def is_open(self, at: dt.datetime) -> bool:
        """Whether a submission whose request began at that instant is taken."""
        return (self.opens_at is None or self.opens_at <= at) and (
            self.closes_at is None or at < self.closes_at
        )

    @property
    def awaited_cut_off(self) -> dt.datetime | None:
        """The next cut-off that uploads can wait for; None past the last one: later ones are for corrections alone."""
        is_past = self.closes_at is not None and self.next_cut_off_at > self.closes_at
        return None if is_past else self.next_cut_off_at

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
