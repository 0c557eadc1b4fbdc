"""Averages as a tree: each is the plain mean of task scores or of other averages."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from math import fsum, inf, isfinite

from benchmarks.spec.model import PAIR_MEASURES, AverageSpec, BenchmarkSpec, MissingTask, TaskSpec
from catalogue.metrics.choice import UnknownMetricError, metric_for
from catalogue.metrics.metric import AnyMetric
from catalogue.section import Section

MISSING_TASK = "missing_task"
"""Undefined because a part has no value and the average asks for all of them."""

NO_TASK = "no_task"
"""Undefined because no part at all has a value."""


@dataclass(frozen=True, slots=True)
class AverageResult:
    """An average's value, or the code that says why there is none. Exactly one of the two is None."""

    value: float | None
    undefined: str | None


def average(spec: AverageSpec, values: Mapping[str, float | None]) -> AverageResult:
    """The mean of the values of `spec.of`; what a missing one does is the average's own policy.

    Parameters
    ----------
    spec : AverageSpec
    values : mapping of task or average id to float or None
        A part is missing if its value is None or its id is absent. Other ids are ignored.

    Returns
    -------
    AverageResult
        With a missing part: undefined (`missing_task`) under *unranked*; the part counts 0 under *zero*, which
        definitions may only ask for where 0 is the worst value; the mean of the others under *partial*, or
        undefined (`no_task`) if there are none. The sum is rounded once, so the order of the parts changes no bit.

    Raises
    ------
    ValueError
        If the average has no parts, names one twice, or a value is not finite.

    Examples
    --------
    >>> spec = AverageSpec(id="overall", title="Overall", of=("a", "b"), missing=MissingTask.PARTIAL)
    >>> average(spec, {"a": 0.5, "b": 1.0})
    AverageResult(value=0.75, undefined=None)
    >>> average(spec, {"a": 0.5, "b": None})
    AverageResult(value=0.5, undefined=None)
    """
    if not spec.of or len(set(spec.of)) < len(spec.of):
        raise ValueError(
            f"Average `{spec.id}` must be of at least one part, each named once; it is of {spec.of}."
        )
    present = [value for part in spec.of if (value := values.get(part)) is not None]
    if not all(map(isfinite, present)):
        raise ValueError(
            f"Average `{spec.id}` was given a value that is not finite; give None for a missing one."
        )
    if len(present) < len(spec.of) and spec.missing is MissingTask.UNRANKED:
        return AverageResult(None, MISSING_TASK)
    if spec.missing is MissingTask.ZERO:
        return AverageResult(fsum(present) / len(spec.of), None)
    if not present:
        return AverageResult(None, NO_TASK)
    return AverageResult(fsum(present) / len(present), None)


def averages(
    specs: Sequence[AverageSpec], task_values: Mapping[str, float | None]
) -> dict[str, AverageResult]:
    """Every average of a benchmark, declared in any order.

    An average that is undefined is a missing part of those above it.

    Parameters
    ----------
    specs : sequence of AverageSpec
    task_values : mapping of task id to float or None

    Returns
    -------
    dict of average id to AverageResult
        In the order of `specs`.

    Raises
    ------
    ValueError
        If an id stands for two averages or for an average and a task, if averages are made of each other in a
        circle, and as `average` does.

    Examples
    --------
    >>> top = AverageSpec(id="top", title="Top", of=("low", "c"), missing=MissingTask.UNRANKED)
    >>> low = AverageSpec(id="low", title="Low", of=("a", "b"), missing=MissingTask.UNRANKED)
    >>> averages([top, low], {"a": 0.0, "b": 1.0, "c": 1.0})["top"].value
    0.75
    """
    by_id = {spec.id: spec for spec in specs}
    if len(by_id) < len(specs) or not by_id.keys().isdisjoint(task_values):
        raise ValueError("Each id may stand for one average only, and not for a task as well.")
    values = dict(task_values)
    results = {}
    graph = {spec.id: [part for part in spec.of if part in by_id] for spec in specs}
    try:
        for average_id in TopologicalSorter(graph).static_order():
            results[average_id] = average(by_id[average_id], values)
            values[average_id] = results[average_id].value
    except CycleError as error:
        circle = " → ".join(reversed(error.args[1]))
        raise ValueError(f"Averages are made of each other in a circle: {circle}.") from None
    return {spec.id: results[spec.id] for spec in specs}


# What columns are made of


def tasks_of(spec: BenchmarkSpec, column: str) -> list[TaskSpec]:
    """The tasks that a column is made of: the task itself, or those of all parts of an average."""
    average = next((declared for declared in spec.averages if declared.id == column), None)
    if average is None:
        return [spec.task(column)]
    return [task for part in average.of for task in tasks_of(spec, part)]


def ends_of(spec: BenchmarkSpec, column: str, metric: str = "") -> tuple[float, float]:
    """The least and the largest value that a column can have; an average can have those of its parts."""
    ranges = [_range_of(task, metric or task.primary_metric.name) for task in tasks_of(spec, column)]
    known = [ends for ends in ranges if ends is not None]
    return min((low for low, _ in known), default=-inf), max((high for _, high in known), default=inf)


def _range_of(task: TaskSpec, metric: str) -> tuple[float, float] | None:
    """The range of a measure of a task; None of one that it does not have."""
    if metric in PAIR_MEASURES:
        return 0.0, 1.0 if metric == PAIR_MEASURES[-1] else inf
    if metric not in {use.name for use in task.metrics}:
        return None
    definition = metric_for(task.output, metric)
    return definition.low, definition.high


# Averages that would mislead


def check_averages(top: Section, tasks: Sequence[TaskSpec], averages: Sequence[AverageSpec]) -> None:
    """Record averages whose parts have different directions, and those where a missing task counts too much."""
    for average in averages:
        for column in _columns(_tasks_of(average, tasks, averages)):
            higher = [name for name, metric in column.items() if metric.higher_is_better]
            lower = [name for name in column if name not in higher]
            too_good = [name for name, metric in column.items() if name in lower or metric.low != 0]
            ends = {metric.high for metric in column.values()}
            if higher and lower:
                top.wrong(
                    f"averages[{average.id}].of",
                    f"higher is better for {', '.join(higher)}; lower is better for {', '.join(lower)}. Expected parts "
                    "of one direction, because a mean of both says nothing",
                )
            elif len(ends) > 1:
                reaching = ", ".join(
                    f"{name} {'without end' if metric.high == inf else f'to {metric.high:g}'}"
                    for name, metric in column.items()
                )
                top.wrong(
                    f"averages[{average.id}].of",
                    f"scores reach differently far: {reaching}. Expected parts on one scale, because the widest would "
                    "decide; they are not normalised here",
                )
            elif too_good and average.missing is MissingTask.ZERO:
                top.wrong(
                    f"averages[{average.id}].missing",
                    f"with zero, a missing task counts 0, and 0 is not the worst value of {', '.join(too_good)}: who "
                    "leaves the task out could rank higher. Expected unranked or partial",
                )


def _tasks_of(
    average: AverageSpec, tasks: Sequence[TaskSpec], averages: Sequence[AverageSpec]
) -> list[TaskSpec]:
    """The tasks that an average is made of in the end, through the averages among its parts."""
    by_id = {each.id: each for each in averages}
    named = [average.id]
    for part in named:  # grows while it is gone through
        named += [inner for inner in by_id[part].of if inner not in named] if part in by_id else []
    return [task for task in tasks if task.id in named]


def _columns(tasks: Sequence[TaskSpec]) -> Iterator[dict[str, AnyMetric]]:
    """The means that boards can show: of the tasks' first metrics, and of each other metric that all of them have.

    Each as what it is made of: the name of each task and its metric, with the metric.
    """
    measured = [task for task in tasks if task.metrics]
    if not measured:
        return
    shared = set.intersection(*({use.name for use in task.metrics[1:]} for task in measured))
    for asked in ("", *sorted(shared)):
        uses = [(task, asked or task.primary_metric.name) for task in measured]
        try:
            yield {f"{task.id} ({name})": metric_for(task.output, name) for task, name in uses}
        except UnknownMetricError:
            continue  # a metric that does not fit its task is said where the task is read
