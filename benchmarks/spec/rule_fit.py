"""What stands between a phase and its rule of disclosure: what the rule could not keep there."""

import datetime as dt
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Self

from benchmarks.spec.model import BenchmarkSpec, GoldState, TaskSpec
from benchmarks.spec.phases import DEV, Counting, Feedback, PhaseKind, PhaseSpec, Place
from catalogue.disclosure import Rule, proposed_rule
from catalogue.disclosure.rule import ALL, NOISED, HiddenItems
from catalogue.metrics.choice import metric_for
from catalogue.metrics.metric import AnyMetric

LARGE = 1_000_000  # items of a test set of unknown size


def misfits(spec: BenchmarkSpec, phase: PhaseSpec, *, ends: bool) -> Iterator[tuple[str, str]]:
    """The keys of a phase that do not fit its rule, each with a sentence that says why and what to do.

    `ends` says whether the phase has an end. It is asked of definitions, of the form for phases and of a new task.
    """
    rule = phase.disclosure
    yield from _misfits_of_feedback(spec, phase)
    if rule.shows_everything():
        return
    name = f"“{rule.texts.title}”"
    if phase.kind is not PhaseKind.PREDICTIONS:
        yield "disclosure", "What teams hand in here becomes public. Please choose exact scores."
        return
    tasks = [task for task in spec.tasks if any(phase.takes(task, split.id) for split in task.splits)]
    yield from _misfits_of_benchmark(spec.seeds, tasks, rule, name)
    yield from _misfits_of_phase(phase, rule, name, ends=ends)


def _misfits_of_feedback(spec: BenchmarkSpec, phase: PhaseSpec) -> Iterator[tuple[str, str]]:
    """What a team may not be told before a release, because it would give away what the rule keeps to itself."""
    if phase.feedback is Feedback.NONE:
        return
    if phase.kind is not PhaseKind.PREDICTIONS:
        yield (
            "feedback",
            "Exact scores right after each upload would give the pairs away. Please let releases tell.",
        )
        return
    guarded = guarded_targets(spec, phase)
    if not guarded:
        return
    named = ", ".join(f"{task}/{split}" for task, split in guarded)
    parts = {
        phase.disclosure.part(spec.task(task).test_size or LARGE, at_the_end=False) for task, _ in guarded
    }
    rule = f"“{phase.disclosure.texts.title}”"
    if None in parts:
        yield (
            "feedback",
            f"Under {rule} nothing of {named} is shown before the end, so there is no feedback on it. Please name "
            "targets that are development data, or choose no feedback.",
        )
    elif NOISED in parts and phase.feedback is not Feedback.AT_CUT_OFF:
        yield (
            "feedback",
            f"Under {rule} answers to {named} are judged at cut-offs, by lot, so that nobody can ask as fast as they "
            "can send. Please choose feedback at cut-offs, or none.",
        )
    elif ALL in parts and phase.feedback is Feedback.IMMEDIATE:
        yield (
            "feedback",
            f"Exact scores right after each upload would give the labels of {named} away. Immediate feedback is for "
            "development data, for labels that are public, and for the displayed half under “open”: please name such "
            "targets, choose that rule, or let releases tell.",
        )


def guarded_targets(spec: BenchmarkSpec, phase: PhaseSpec) -> list[Place]:
    """What a phase takes whose gold labels are known to this server alone, without development data."""
    return [place for place in sorted(phase.taken(spec)) if is_guarded(spec, place)]


def is_guarded(spec: BenchmarkSpec, place: Place) -> bool:
    """Whether the gold labels of a task's split are known to this server alone; those of development data are not."""
    task, split = place
    return split != DEV and spec.task(task).gold_state is GoldState.SEALED


def hidden_items(task: TaskSpec, item_count: int) -> HiddenItems:
    """What rules need to know of a task's test set of so many items, at least 1."""
    labels = len(task.output.labels)
    effect = metric_for(task.output, task.primary_metric.name).label_effect
    return HiddenItems(item_count, labels, effect(item_count, max(1, labels), task.rarest_label_share))


def what_would_do(items: HiddenItems, metric: AnyMetric, others: Iterable[AnyMetric]) -> str:
    """Why noise is not proposed for a test set, and which metrics would do; empty if the metric is not why."""
    bounded = HiddenItems(items.item_count, items.label_count, 1 / items.item_count)
    if items.label_effect is not None or proposed_rule(bounded) is proposed_rule(items):
        return ""
    labels = max(1, items.label_count)
    said = f"Noise cannot protect labels with {metric.title} as it is: it has no bound on what one label can change."
    ways = [other.title for other in others if other.label_effect(LARGE, labels, 0.0) is not None]
    if metric.label_effect(LARGE, labels, 1 / (2 * labels)) is not None:
        ways.append(f"{metric.title} with a published share of the rarest label (`rarest_label_share`)")
    return (
        f"{said} What would do: {', or '.join(ways)}."
        if ways
        else f"{said} No metric for such answers has one."
    )


@dataclass(frozen=True, slots=True)
class Window:
    """When a phase with a rule takes submissions: from `opens_at` on, before `closes_at`; None where it has no end.

    `places` are the targets of the phase; empty for everything.
    """

    title: str
    rule: type[Rule]
    opens_at: dt.datetime | None = None
    closes_at: dt.datetime | None = None
    places: frozenset[Place] = frozenset()

    def meets(self, other: Self) -> bool:
        """Whether there is an instant at which both take submissions."""
        return _is_before(self.opens_at, other.closes_at) and _is_before(other.opens_at, self.closes_at)

    def shares_items(self, other: Self) -> bool:
        """Whether both are scored on the same items."""
        return not self.places or not other.places or not self.places.isdisjoint(other.places)


def mixture(windows: Iterable[Window]) -> str:
    """Why phases of one benchmark cannot have these rules together; empty where they can.

    What one phase keeps back another must not show, where they score the same items.
    """
    if not any(
        one.rule.keeps_back != other.rule.keeps_back and one.shares_items(other)
        for one, other in combinations(windows, 2)
    ):
        return ""
    return (
        "Phases of a benchmark that are scored on the same items either all keep half of the items back or none does: "
        "what one keeps back another would show. Please choose rules that agree, or targets that are apart."
    )


def at_once(windows: Iterable[Window]) -> str:
    """Why phases of one benchmark cannot run at these times; empty where they can.

    Where they score the same items, the final of one, or what it shows from week to week, would tell what another hides
    until its own end, and each would have a budget of judged answers.
    """
    for one, other in combinations(windows, 2):
        rules = (one.rule, other.rule)
        hides = any(not rule.shows_everything() for rule in rules)
        if hides and one.shares_items(other) and one.meets(other):
            return (
                f"{one.title} and {other.title} take submissions at the same time and are scored on the same items, so "
                "that one would show what the other hides until its end. Please let one open when the other closes."
            )
    return ""


def _is_before(opens_at: dt.datetime | None, closes_at: dt.datetime | None) -> bool:
    return opens_at is None or closes_at is None or opens_at < closes_at


def _misfits_of_benchmark(
    seeds: int, tasks: Sequence[TaskSpec], rule: type[Rule], name: str
) -> Iterator[tuple[str, str]]:
    if seeds > 1 and rule.shows_before_end:
        yield (
            "disclosure",
            "The benchmark asks for several seeds of each system, and means over seeds are exact. Please choose exact "
            "scores, or “sealed”.",
        )
    if rule.keeps_back and any(task.pairs for task in tasks):
        yield (
            "disclosure",
            "Items that come in pairs are not kept back. Please choose exact scores, or “sealed”.",
        )
    if rule.keeps_back and any(task.gold.empty_labels for task in tasks):
        yield (
            "disclosure",
            "What a rule keeps back goes by the number of items that are asked for, and here some are not scored. "
            "Please choose exact scores, or “sealed”.",
        )
    if rule.keeps_back and any(task.file.repeats_in_any_order for task in tasks):
        yield (
            "disclosure",
            "Rows of one id are matched to its gold labels together, so that none of them can be kept back. "
            "Please choose exact scores, or “sealed”.",
        )
    for task in tasks:
        if _is_noised(task, rule) and any(split.attack for split in task.splits):
            yield (
                "disclosure",
                f"The sets that attacks make of the test items of {task.title} ask for the same labels once more, each "
                f"with a budget of its own, so {name} would keep less than it says. Please choose another rule.",
            )
        if not _has_bound(task, rule):
            yield (
                "disclosure",
                f"{name} needs to know what one label can change at most. {task.title} is ranked by "
                f"{task.primary_metric.title}, which has no such bound, or none without `rarest_label_share`; "
                "accuracy has. Please choose another rule or metric.",
            )


def _misfits_of_phase(
    phase: PhaseSpec, rule: type[Rule], name: str, *, ends: bool
) -> Iterator[tuple[str, str]]:
    if not rule.shows_before_end and phase.weekday is not None:
        yield (
            "weekday",
            f"Under {name} there is one cut-off, when the phase closes. Please leave out the weekday.",
        )
    if rule.keeps_back and (phase.weekday is None or not ends):
        yield (
            "disclosure",
            f"{name} needs weekly cut-offs and an end, at which the half that is kept back ranks. Please set both, or "
            "choose another rule.",
        )
    if rule.keeps_back and not phase.one_per_team:
        yield "one_per_team", f"Under {name} a team has one row: one answer of each team ranks at the end."
    if rule.keeps_best and phase.counting is not Counting.BEST:
        yield (
            "counting",
            f"Under {name} a row shows its best answer so far. Please let the best submission count.",
        )


def _is_noised(task: TaskSpec, rule: type[Rule]) -> bool:
    return rule.part(task.test_size or LARGE, at_the_end=False) == NOISED


def _has_bound(task: TaskSpec, rule: type[Rule]) -> bool:
    """Whether noise can protect the labels of a task, or need not."""
    if not _is_noised(task, rule):
        return True
    metric = metric_for(task.output, task.primary_metric.name)
    return metric.label_effect(LARGE, max(1, len(task.output.labels)), task.rarest_label_share) is not None
