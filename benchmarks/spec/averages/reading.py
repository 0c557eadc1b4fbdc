"""Averages of a definition: what their parts may say, and which of them would mislead."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import fsum, inf, isfinite
from typing import Any

from benchmarks.spec.document import identifier, read_each, refuse, refuse_doubles
from benchmarks.spec.model import AverageSpec, MissingTask, TaskSpec
from benchmarks.spec.protocol import AveragePart
from catalogue.answers import AnswerKind
from catalogue.metrics.choice import UnknownMetricError, metric_for
from catalogue.metrics.metric import AnyMetric
from catalogue.section import Section, nearest, type_name

_WEIGHTS = (
    "expected none: a part has its weight beside it, as in `of: [{task: a, weight: 2}, {task: b, weight: 1}]`"
)


class _Normalisation(StrEnum):
    """What the scores of tasks are brought to before they are averaged."""

    NONE = "none"
    RANK = "rank"


@dataclass(frozen=True, slots=True)
class PartScale:
    """What scores of a part mean: a task with its metric, in words, and how far they reach."""

    name: str
    falls: bool
    low: float
    high: float
    worst: float


def read_averages(top: Section, tasks: Sequence[TaskSpec]) -> tuple[AverageSpec, ...]:
    sections = list(top.sections("averages", required=False))
    known = [task.id for task in tasks] + [str(section.values.get("id")) for section in sections]
    averages = read_each(sections, lambda section: _average(section, tasks, known))
    refuse_doubles(top, "averages", known)
    by_id = {str(section.values.get("id")): section for section in sections}
    scales = PartScales(tasks, averages)
    return tuple(
        _settled(average, section, scales) if (section := by_id.get(average.id)) else average
        for average in averages
    )


def _average(section: Section, tasks: Sequence[TaskSpec], known: list[str]) -> AverageSpec:
    refuse(section, (section.has("weights"), "weights", _WEIGHTS))
    raw = section.raw("of")
    listed = [task.id for task in tasks] if raw == "all tasks" else raw
    if not isinstance(listed, list):
        section.wrong("of", f"expected a list of parts, or `all tasks`, found {type_name(raw)}")
        listed = []
    read = [_part(section, place, value, tasks, known) for place, value in enumerate(listed)]
    parts = tuple({part.key: part for part in read if part}.values())
    for double in sorted({part.key for part in read if part and read.count(part) > 1}):
        section.wrong("of", f"{double!r} is listed twice")
    if parts and not any(part.weight for part in parts):
        section.wrong("of", f"{section.line('of')}all weights are 0; expected one above 0")
    average = AverageSpec(
        id=identifier(section),
        title=section.text("title"),
        of=tuple(dict.fromkeys(part.id for part in parts)),
        missing=section.choice("missing", MissingTask, MissingTask.UNRANKED),
        parts=parts,
        of_ranks=section.choice("normalise", _Normalisation, _Normalisation.NONE) is _Normalisation.RANK,
    )
    if average.of_ranks:
        _check_ranks(section, average, {task.id for task in tasks})
    return average


def _check_ranks(section: Section, average: AverageSpec, tasks: Collection[str]) -> None:
    """Record what a mean rank cannot be of, and a rank of 0 for what is missing."""
    others = [part.id for part in average.parts if part.id not in tasks]
    ended = [part.key for part in average.parts if part.ends]
    is_zero = average.missing is MissingTask.ZERO
    refuse(
        section,
        (others, "of", f"expected tasks, because systems are ranked on tasks; found {', '.join(others)}"),
        (
            ended,
            "of",
            f"expected no `from` and `to` beside `normalise: rank`; found them at {', '.join(ended)}",
        ),
        (
            is_zero,
            "missing",
            f"{section.line('missing')}0 is better than any rank. Expected worst, unranked or partial",
        ),
    )


def _part(
    section: Section, place: int, value: Any, tasks: Sequence[TaskSpec], known: list[str]
) -> AveragePart | None:
    """A part as `sts`, `sts:spearman` or `{task: sts, metric: spearman, weight: 2, from: 0, to: 1}`."""
    if isinstance(value, str):
        name, _, metric = value.partition(":")
        at, part = "of", AveragePart(name, metric)
    elif isinstance(value, dict):
        inner = Section(value, section.file_name, f"{section.path}.of[{place}]", section.mistakes)
        at, part = f"of[{place}].task", _weighted(inner)
    else:
        section.wrong(
            f"of[{place}]", f"expected a part or a mapping, found {type_name(value)}; put text in quotes"
        )
        return None
    task = next((task for task in tasks if task.id == part.id), None)
    if part.id not in known:
        section.wrong(at, f"no task or average is called {part.id!r}{nearest(part.id, known)}")
    elif part.metric and part.metric not in (has := [use.name for use in task.metrics] if task else []):
        expected = f"one of {', '.join(has)}" if has else "none: averages are of first metrics"
        section.wrong(at, f"{part.id!r} has no metric {part.metric!r}; expected {expected}")
    elif task and part.metric == task.primary_metric.name:
        return replace(part, metric="")
    return part


def _weighted(section: Section) -> AveragePart:
    weight = section.real("weight") if section.has("weight") else 1.0
    if weight < 0:
        section.wrong("weight", f"{section.line('weight')}expected 0 or more, found {weight:g}")
    ends = _ends(section)
    part = AveragePart(section.text("task"), section.text("metric", ""), max(weight, 0.0), ends)
    section.close()
    return part


def _ends(section: Section) -> tuple[float, float] | None:
    if not section.has("from") and not section.has("to"):
        return None
    low, high = section.real("from"), section.real("to")
    if low < high:
        return low, high
    section.wrong(
        "from",
        f"{section.line('from')}expected a number below `to`, {high:g}, found {low:g}; which of both is the better end "
        "follows from the metric",
    )
    return None


class PartScales:
    """How far the scores of tasks and averages reach, through averages of averages."""

    def __init__(self, tasks: Sequence[TaskSpec], averages: Sequence[AverageSpec]) -> None:
        self._tasks = {task.id: task for task in tasks}
        self._averages = {average.id: average for average in averages}

    def of_parts(self, average: AverageSpec, metric: str = "") -> list[PartScale]:
        """The scales on which scores are added up, of the task at the bottom if none between has ends."""
        return [scale for part in average.each(metric) for scale in self.of_part(part, metric)]

    def of_part(self, part: AveragePart, metric: str = "", within: tuple[str, ...] = ()) -> list[PartScale]:
        if part.ends:
            return [PartScale(part.key, falls=False, low=0.0, high=1.0, worst=0.0)]
        if part.id in self._averages and part.id not in within:
            inner = self._averages[part.id].each(metric)
            return [scale for each in inner for scale in self.of_part(each, metric, (*within, part.id))]
        task = self._tasks.get(part.id)
        if task is None or not task.metrics:
            return []
        name = metric or part.metric or task.primary_metric.name
        try:
            return [_scale(f"{task.id} ({name})", metric_for(task.output, name), task.output)]
        except UnknownMetricError:
            return []  # a metric that does not fit its task is said where the task is read

    def falls(self, part: AveragePart) -> bool:
        """Whether lower scores of a part are better, before they are brought to its ends."""
        return any(scale.falls for scale in self.of_part(replace(part, ends=None)))

    def worst(self, part: AveragePart, within: tuple[str, ...] = ()) -> float:
        """The worst that a part can be: that of an average is the mean of its parts' worst."""
        if part.ends or part.id not in self._averages or part.id in within:
            return next((scale.worst for scale in self.of_part(part)), 0.0)
        inner = self._averages[part.id].each()
        total = fsum(each.weight for each in inner)
        return (
            fsum(each.weight * self.worst(each, (*within, part.id)) for each in inner) / total
            if total
            else 0.0
        )

    def refuse_ranks_within(self, average: AverageSpec, section: Section) -> None:
        """Record parts that are mean ranks: what they are depends on all systems, and they are no scores."""
        of_ranks = [
            part.id
            for part in average.parts
            if part.id in self._averages and self._averages[part.id].of_ranks
        ]
        if of_ranks:
            section.wrong("of", f"expected no mean rank as a part; found {', '.join(of_ranks)}")

    def shared_metrics(self, average: AverageSpec) -> list[str]:
        """The other metrics of which boards can show a mean, because all tasks have them."""
        tasks = [task for task in self._below(average.of) if task.metrics]
        return sorted(
            set.intersection(*({use.name for use in task.metrics[1:]} for task in tasks)) if tasks else ()
        )

    def _below(self, ids: Sequence[str], seen: frozenset[str] = frozenset()) -> Iterator[TaskSpec]:
        for name in ids:
            if name in self._tasks:
                yield self._tasks[name]
            elif name in self._averages and name not in seen:
                yield from self._below(self._averages[name].of, seen | {name})


def _scale(name: str, metric: AnyMetric, kind: AnswerKind) -> PartScale:
    high = (kind.longest_distance if metric.is_distance else None) or metric.high
    worst = metric.low if metric.higher_is_better else high
    return PartScale(name, not metric.higher_is_better, metric.low, metric.high, worst)


def _settled(average: AverageSpec, section: Section, scales: PartScales) -> AverageSpec:
    """The average with what follows from its parts' metrics; what would mislead is recorded."""
    scales.refuse_ranks_within(average, section)
    for metric in (*(() if average.of_ranks else ("",)), *scales.shared_metrics(average)):
        if not _is_misleading(average, section, scales, metric) and not metric:
            _refuse_without_worst(average, section, scales)
    parts = (
        replace(
            part, falls=scales.falls(part), worst=worst if isfinite(worst := scales.worst(part)) else None
        )
        for part in average.parts
    )
    return replace(average, parts=tuple(parts))


def _is_misleading(average: AverageSpec, section: Section, scales: PartScales, metric: str) -> bool:
    """Record parts of different directions or lengths, and a zero for what is missing where 0 is the best."""
    found = scales.of_parts(average, metric)
    higher, lower = ([scale.name for scale in found if scale.falls is falls] for falls in (False, True))
    reaches = {scale.name: scale.high for scale in found}
    if higher and lower:
        section.wrong(
            "of",
            f"{_line_of_other_direction(average, section, scales)}higher is better for {', '.join(higher)}; lower is "
            f"better for {', '.join(lower)}. Expected parts of one direction, because a mean of both says nothing, or "
            "`from` and `to` for each part",
        )
    elif len(set(reaches.values())) > 1:
        reaching = ", ".join(
            f"{name} {'without end' if high == inf else f'to {high:g}'}" for name, high in reaches.items()
        )
        section.wrong(
            "of",
            f"scores reach differently far: {reaching}. Expected parts on one scale, because the widest would decide, "
            "or `from` and `to` for each part",
        )
    elif lower and average.missing is MissingTask.ZERO:
        section.wrong(
            "missing",
            f"{section.line('missing')}with zero, a missing task counts 0, and 0 is the best value of "
            f"{', '.join(lower)}: who leaves the task out would rank higher. Expected worst, unranked or partial",
        )
    else:
        return False
    return True


def _line_of_other_direction(average: AverageSpec, section: Section, scales: PartScales) -> str:
    """The line of the first part that is better in another direction than the first one, if the document tells it."""
    parts = [part for part in average.parts if part.weight and not part.ends]
    other = next((part for part in parts if scales.falls(part) != scales.falls(parts[0])), None)
    listed: Sequence[Any] = section.raw("of")
    written: Mapping[str, Any] | None = next(
        (value for value in listed if other and isinstance(value, dict) and value.get("task") == other.id),
        None,
    )
    return Section(written, "", "", []).line() if written else ""


def _refuse_without_worst(average: AverageSpec, section: Section, scales: PartScales) -> None:
    endless = [part.key for part in average.each() if not isfinite(scales.worst(part))]
    if endless and average.missing is MissingTask.WORST:
        section.wrong(
            "missing",
            f"{section.line('missing')}{', '.join(endless)} can be worse without end, so that a missing task has "
            "no worst value. Expected `from` and `to` for it, or unranked or partial",
        )
