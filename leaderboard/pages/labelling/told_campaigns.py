"""What everybody may read of closed campaigns: numbers alone, and none that tells of labels that are kept back."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from django.db.models import Count, Q

from benchmarks.models import Benchmark
from labelling.core.aggregation import AGGREGATION_RULES
from labelling.models import Assignment, Campaign, Outcome, Unit, Worker
from labelling.outcomes import PURPOSES
from labelling.outcomes.ordinal_classes import ToldBorder, ToldCuts, told_cuts
from labelling.outcomes.systems.judged_report import judged_in
from scoring.disclosure.guarded_labels import guards_labels
from scoring.gold.opening import labels_of
from scoring.models import OpenedGold

_CONDITIONS = {"all": "All texts", "prompt": "Begun with a prompt", "no prompt": "Begun without one"}
_SAID = {"True": "yes", "False": "no"}
"""How answers to a question of yes or no stand in reports of agreement, and on pages."""


@dataclass(frozen=True, slots=True)
class ToldEstimate:
    """A figure of agreement with its 95 % interval; without a value `because` says why."""

    name: str
    value: float | None
    low: float | None
    high: float | None
    because: str


@dataclass(frozen=True, slots=True)
class ToldFigure:
    """What a rule says of the whole: a count of something, or a number as scores are written."""

    name: str
    value: int | float

    @property
    def is_count(self) -> bool:
        return isinstance(self.value, int)


@dataclass(frozen=True, slots=True)
class CutClass:
    """A class that was cut from scores: its items, and where it begins; the lowest begins nowhere."""

    name: str
    items: int
    begins: ToldBorder | None


@dataclass(frozen=True, slots=True)
class ClassRow:
    """A class: items that are of it, None where that is not told, and how far people agree on it."""

    name: str
    items: int | None
    agreement: Sequence[ToldEstimate]


@dataclass(frozen=True, slots=True)
class ToldShare:
    """`count` of `total` with the 95 % interval of the share; no share where `total` is 0."""

    count: int
    total: int
    low: float | None
    high: float | None

    @property
    def share(self) -> float | None:
        return self.count / self.total if self.total else None


@dataclass(frozen=True, slots=True)
class CardCondition:
    """Texts of a round that were begun in one way; quartiles are mean, first, median and third, or nothing.

    fooled : of texts whose label the model can give, those that it took for something else
    edits : characters that were changed of a prompt
    """

    name: str
    texts: int
    with_majority: ToldShare
    fooled: ToldShare
    words: Sequence[float]
    edits: Sequence[float]

    @property
    def shares(self) -> tuple[ToldShare, ToldShare]:
        return self.with_majority, self.fooled


@dataclass(frozen=True, slots=True)
class CorrectSamples:
    """Of how many samples of a task's attack set what share is correct, and Cohen's kappa of both annotators."""

    name: str
    samples: int
    share: float
    kappa: ToldEstimate


@dataclass(frozen=True)
class ToldCampaign:
    """A closed campaign with its newest outcome, as much as may be told of it.

    is_told : whether anything that depends on answers may be told
    values : of each item its value, where these are public; empty where they are not
    borders : where classes begin on the scale of `scores`; both empty where no scores were cut, or are not public
    """

    campaign: Campaign
    outcome: Outcome
    is_told: bool
    units: int
    checks: int
    answers: int
    people: int
    excluded: int
    values: Mapping[str, Any]
    scores: Mapping[str, Any]

    @property
    def purpose(self) -> str:
        return PURPOSES[self.campaign.purpose].title

    @cached_property
    def is_about_systems(self) -> bool:
        """Whether it gave systems numbers, which boards show; its units are outputs then, and no items."""
        return judged_in(self.outcome) is not None

    @property
    def anchor(self) -> str:
        return f"campaign-{self.campaign.pk}"

    @property
    def is_best_worst(self) -> bool:
        return self.campaign.kind.key == "best_worst"

    @property
    def rule(self) -> str:
        """What the rule does, in a sentence or two; empty where answers are kept as they are, or are about systems."""
        key = "" if self.is_about_systems else self.outcome.rule
        return AGGREGATION_RULES[key].describe(self.outcome.rule_settings) if key else ""

    @property
    def check_rule(self) -> float | None:
        """The share of check questions that had to be right; None where none was asked."""
        return self.campaign.check_threshold if self.checks else None

    @property
    def _report(self) -> Mapping[str, Any]:
        return self.outcome.report if self.is_told else {}

    @cached_property
    def agreement(self) -> tuple[ToldEstimate, ...]:
        """Of all answers together; of best and worst none, for there two halves of the answers are compared.

        Of cut points neither: people are compared by the classes that these give.
        """
        return () if self.is_best_worst or self.cuts else _estimates(self._report.get("agreement", {}))

    @property
    def figures(self) -> list[ToldFigure]:
        """What the rule says of the whole, such as reliability."""
        found = self._report.get("figures", {})
        return [ToldFigure(name, value) for name, value in found.items() if value is not None]

    @cached_property
    def counts(self) -> dict[str, int]:
        """Items by class; empty where values are not public or are no classes."""
        named = [] if _are_scores(self.campaign) else [*map(_classes, self.values.values())]
        if not named or None in named:
            return self._stated_counts()
        rule = self.outcome.rule
        none = AGGREGATION_RULES[rule].without_labels(self.outcome.rule_settings) if rule else ""
        found = Counter(name for each in named for name in each or (none,) if name)
        task = self.campaign.task
        ordered = task.spec.output.classes if task and self.cuts else self.campaign.asked.labels
        first = {option: found.pop(option, 0) for option in ordered}
        return first | dict(sorted(found.items()))

    def _stated_counts(self) -> dict[str, int]:
        version = self.outcome.gold_version
        return dict(version.class_counts or {}) if self.is_told and version else {}

    @property
    def classes(self) -> list[ClassRow]:
        """Every class with how many items are of it, and how far people agree on it, as far as that is told.

        On either of two classes people agree as far as they do at all, which `agreement` tells. Sides on which outputs
        of systems stand are no classes.
        """
        if self.is_about_systems:
            return []
        told = {} if self.is_best_worst else self._report.get("classes", {})
        told = told if len(told) > 2 else {}
        agreed = {_SAID.get(name, name): one for name, one in told.items()}
        names = dict.fromkeys([*self.counts, *agreed])
        return [
            ClassRow(name, self.counts.get(name), _estimates(agreed[name]) if name in agreed else ())
            for name in names
        ]

    @property
    def are_classes_agreed(self) -> bool:
        return any(row.agreement for row in self.classes)

    @cached_property
    def numbers(self) -> list[float]:
        """The scores to be drawn: those that classes were cut from, or the values where these are numbers."""
        drawn = list((self.scores or ({} if self.counts else self.values)).values())
        are_numbers = all(isinstance(each, int | float) and not isinstance(each, bool) for each in drawn)
        return sorted(map(float, drawn)) if are_numbers else []

    @cached_property
    def cuts(self) -> ToldCuts | None:
        """Where people said that classes begin, once classes are public; None of other purposes or while not told."""
        found = told_cuts(self.outcome) if self.is_told else None
        return found if found is None or self.values else replace(found, borders=())

    @property
    def cut_classes(self) -> list[CutClass]:
        """The classes from low to high with where they begin; empty where no borders are told."""
        begins = {border.name: border for border in self.cuts.borders} if self.cuts else {}
        return [CutClass(name, items, begins.get(name)) for name, items in self.counts.items() if begins]

    @property
    def borders(self) -> list[float]:
        """The cut points; where these were sealed with the labels, the lowest score of each class in their place."""
        if not self.scores or self.cuts is None:
            return []
        return [border.cut for border in self.cuts.borders] or _lowest_scores(self.scores, self.values)

    @property
    def conditions(self) -> list[CardCondition]:
        """The card of a round, by how its texts were begun; empty where this was no round, or is not told."""
        found = self._report.get("card", {}).get("conditions", {})
        return [
            CardCondition(
                _CONDITIONS.get(name, name),
                told["texts"],
                ToldShare(*told["with_majority"]),
                ToldShare(*told["fooled"]),
                told.get("words", ()),
                told.get("edits", ()),
            )
            for name, told in found.items()
        ]

    @property
    def sample(self) -> list[str]:
        """The items that people were asked about, for others to label too; empty but for a row of people."""
        if not self.is_told or not PURPOSES[self.campaign.purpose].has_row:
            return []
        units = self.campaign.units.filter(part=Unit.Part.MAIN).order_by("key")
        return [item for items in units.values_list("items", flat=True) for item in items]

    @property
    def correct(self) -> list[CorrectSamples]:
        """Correct samples of an attack, of each task and of all; empty where this was about no attack."""
        if "overall" not in self._report:
            return []
        names = {task.slug: task.title for task in self.campaign.benchmark.tasks.all()}
        rows = {names.get(task, task): told for task, told in self._report["tasks"].items()}
        return [
            CorrectSamples(
                name, told["samples"], told["share"], ToldEstimate("Cohen's kappa", *told["kappa"])
            )
            for name, told in (*sorted(rows.items()), ("All", self._report["overall"]))
        ]


def told_campaigns(benchmark: Benchmark) -> list[ToldCampaign]:
    """The closed campaigns that have an outcome, the first closed first.

    While a phase keeps scores to itself, nothing is told that depends on sealed answers, or on answers about a split.
    Values are told of campaigns alone whose answers are not sealed, or whose gold labels are public.
    """
    closed = Campaign.objects.filter(benchmark=benchmark, status=Campaign.Status.CLOSED)
    closed = (
        closed.exclude(task__is_retired=True)
        .select_related("task", "after")
        .order_by("closed_at", "title", "pk")
    )
    if not closed:
        return []
    is_guarded = guards_labels(benchmark)
    return [told for campaign in closed if (told := _told(campaign, is_guarded=is_guarded))]


def _told(campaign: Campaign, *, is_guarded: bool) -> ToldCampaign | None:
    outcome = campaign.outcomes.select_related("gold_version__opened").first()
    if outcome is None:
        return None
    tells_of_hidden = campaign.is_sealed or bool(campaign.split_slug)
    units = campaign.units.aggregate(
        main=Count("pk", filter=Q(part=Unit.Part.MAIN)), checks=Count("pk", filter=Q(part=Unit.Part.CHECK))
    )
    counted = Assignment.objects.counted().filter(unit__campaign=campaign, unit__part=Unit.Part.MAIN)
    work = counted.aggregate(answers=Count("pk"), people=Count("worker", distinct=True))
    is_told = not (is_guarded and tells_of_hidden)
    values = _values(outcome) if is_told else {}
    before = campaign.after.outcomes.first() if campaign.after and _are_cut(campaign) else None
    # Scores with their borders tell how many items are of each class: not before the classes are public.
    scores = _values(before) if before and values else {}
    return ToldCampaign(
        campaign=campaign,
        outcome=outcome,
        is_told=is_told,
        units=units["main"],
        checks=units["checks"],
        answers=work["answers"],
        people=work["people"],
        excluded=campaign.workers.filter(stage=Worker.Stage.EXCLUDED).count(),
        values=values,
        scores=scores,
    )


def _values(outcome: Outcome) -> Mapping[str, Any]:
    """Of each item its value, where that is public; empty where it is not, and of texts that people wrote."""
    if outcome.campaign.kind.is_written:
        return {}
    if outcome.values is not None:
        return dict(outcome.values)
    opened = OpenedGold.objects.filter(gold_version=outcome.gold_version_id or 0).first()
    if opened is None:
        return {}
    labels = labels_of(opened)
    if _are_scores(outcome.campaign):
        return {item: float(label) for item, label in labels.items()}
    is_several = outcome.campaign.kind.key == "several_labels"
    return (
        {item: label.split("|") if label else [] for item, label in labels.items()} if is_several else labels
    )


def _are_scores(campaign: Campaign) -> bool:
    """Whether its values are numbers on a scale, and no classes that were cut from one."""
    return campaign.kind.key in ("number", "best_worst") and not _are_cut(campaign)


def _are_cut(campaign: Campaign) -> bool:
    return PURPOSES[campaign.purpose].cuts_scores


def _lowest_scores(scores: Mapping[str, float], classes: Mapping[str, Any]) -> list[float]:
    """The lowest score of each class that has items, but for the lowest class; from low to high."""
    lowest: dict[str, float] = {}
    for item, score in scores.items():
        if item in classes:
            name = str(classes[item])
            lowest[name] = min(score, lowest.get(name, score))
    return sorted(lowest.values())[1:]


def _classes(value: object) -> tuple[str, ...] | None:
    """The classes that a value names; None where it is a score."""
    match value:
        case bool():
            return ("yes" if value else "no",)
        case int() | str():
            return (str(value),)
        case list() | tuple():
            return tuple(map(str, value))
    return None


def _estimates(agreement: Mapping[str, Any]) -> tuple[ToldEstimate, ...]:
    return tuple(_told_estimates(agreement))


def _told_estimates(agreement: Mapping[str, Any]) -> Iterator[ToldEstimate]:
    titles = {
        "pairs": "Pairs of answers that agree",
        "fleiss": "Fleiss\N{RIGHT SINGLE QUOTATION MARK} kappa",
        "alpha": "Krippendorff\N{RIGHT SINGLE QUOTATION MARK}s alpha",
    }
    for key, title in titles.items():
        if key in agreement:
            value, low, high, because = agreement[key]
            yield ToldEstimate(title, value, low, high, because)
