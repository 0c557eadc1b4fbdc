"""Averages as a tree: each is the mean, plain or weighted, of task scores or of other averages."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from math import fsum, inf, isfinite, nan

from benchmarks.spec.averages.ranks import Floats, shared_rank
from benchmarks.spec.model import PAIR_MEASURES, AverageSpec, BenchmarkSpec, MissingTask, TaskSpec
from benchmarks.spec.protocol import AveragePart
from catalogue.metrics.choice import metric_for

MISSING_TASK = "missing_task"
"""Undefined because a part has no value and the average asks for all of them."""

NO_TASK = "no_task"
"""Undefined because no part at all has a value."""


NO_OTHERS = "no_others"
"""Undefined because a mean rank is asked of a system by itself."""

Others = Mapping[str, Floats]
"""Scores of the other systems by the part's key, each of shape (others,), NaN for a missing one."""


@dataclass(frozen=True, slots=True)
class AverageResult:
    """An average's value, or the code that says why there is none. Exactly one of the two is None."""

    value: float | None
    undefined: str | None


def average(
    spec: AverageSpec, values: Mapping[str, float | None], metric: str = "", others: Others | None = None
) -> AverageResult:
    """The weighted mean of the values of its parts; what a missing one does is the average's own policy.

    Parameters
    ----------
    spec : AverageSpec
    values : mapping of a part's key to float or None
        A part is missing if its value is None or its key is absent. Other keys are ignored.
    metric : str
        Which metric the values are of; empty for the first one of each task.
    others : mapping of a part's key to float array, optional
        Whom a mean rank is taken among, beside the system itself; without them it is undefined (`no_others`).

    Returns
    -------
    AverageResult
        With a missing part: undefined (`missing_task`) under *unranked*, and under *worst* of another metric; the part
        counts 0 under *zero* and its worst value under *worst*; the mean of the others under *partial*, or undefined
        (`no_task`) if there are none. The sum is rounded once, so the order of the parts changes no bit.

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
    is_of_ranks = spec.of_ranks and not metric
    if is_of_ranks and others is None:
        return AverageResult(None, NO_OTHERS)
    counted: list[tuple[float, float]] = []
    for part in spec.each(metric):
        value = values.get(part.key)
        if value is not None and not isfinite(value):
            raise ValueError(
                f"Average `{spec.id}` was given a value that is not finite; give None for a missing one."
            )
        counts = missing_counts(spec, part) if value is None else part.counted(value)
        if is_of_ranks and others is not None and (value is not None or spec.missing is MissingTask.WORST):
            counts = float(shared_rank(nan if value is None else value, others[part.key], falls=part.falls))
        if counts is not None:
            counted.append((part.weight, counts))
        elif spec.missing is not MissingTask.PARTIAL:
            return AverageResult(None, MISSING_TASK)
    if not counted:
        return AverageResult(None, NO_TASK)
    total = fsum(weight for weight, _ in counted)
    return AverageResult(fsum(weight * counts for weight, counts in counted) / total, None)


def missing_counts(spec: AverageSpec, part: AveragePart) -> float | None:
    """What a part counts as where it is missing; None where that leaves the average, or the part, without a value."""
    if spec.missing is MissingTask.ZERO or (spec.missing is MissingTask.WORST and part.ends):
        return 0.0
    return part.worst if spec.missing is MissingTask.WORST else None


def averages(
    specs: Sequence[AverageSpec],
    task_values: Mapping[str, float | None],
    metric: str = "",
    others: Others | None = None,
) -> dict[str, AverageResult]:
    """Every average of a benchmark, declared in any order.

    An average that is undefined is a missing part of those above it.

    Parameters
    ----------
    specs : sequence of AverageSpec
    task_values : mapping of task id to float or None
        A part of another metric than the first has the key of its column.
    metric : str
        Which metric the values are of; empty for the first one of each task.
    others : mapping of a part's key to float array, optional
        As `average` takes them.

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
            results[average_id] = average(by_id[average_id], values, metric, others)
            values[average_id] = results[average_id].value
    except CycleError as error:
        circle = " → ".join(reversed(error.args[1]))
        raise ValueError(f"Averages are made of each other in a circle: {circle}.") from None
    return {spec.id: results[spec.id] for spec in specs}


# What columns are made of


def tasks_of(spec: BenchmarkSpec, column: str) -> list[TaskSpec]:
    """The tasks that a column is made of: the task itself, or those of all parts of an average that have weight."""
    average = next((declared for declared in spec.averages if declared.id == column), None)
    if average is None:
        return [spec.task(column)]
    found = (task for part in average.each() for task in tasks_of(spec, part.id))
    return list({task.id: task for task in found}.values())


def is_normalised(spec: BenchmarkSpec, average: AverageSpec) -> bool:
    """Whether what is averaged are scores brought to 0 to 1, by this average or by those that it is made of."""
    inner = {declared.id: declared for declared in spec.averages}
    return all(
        part.ends or (part.id in inner and is_normalised(spec, inner[part.id])) for part in average.each()
    )


def ends_of(spec: BenchmarkSpec, column: str, metric: str = "") -> tuple[float, float]:
    """The least and the largest value that a column can have; an average can have those of its parts."""
    ranges = [ends for ends in _ranges(spec, column, metric) if ends is not None]
    return min((low for low, _ in ranges), default=-inf), max((high for _, high in ranges), default=inf)


def _ranges(spec: BenchmarkSpec, column: str, metric: str) -> Iterator[tuple[float, float] | None]:
    average = next((declared for declared in spec.averages if declared.id == column), None)
    if average is None:
        task = spec.task(column)
        yield _range_of(task, metric or task.primary_metric.name)
        return
    if average.of_ranks and not metric:
        yield 1.0, inf  # the last rank depends on who else is there
        return
    for part in average.each(metric):
        if part.ends:
            yield 0.0, 1.0
        else:
            yield from _ranges(spec, part.id, metric or part.metric)


def _range_of(task: TaskSpec, metric: str) -> tuple[float, float] | None:
    """The range of a measure of a task; None of one that it does not have."""
    if metric in PAIR_MEASURES:
        return 0.0, 1.0 if metric == PAIR_MEASURES[-1] else inf
    if metric not in {use.name for use in task.metrics}:
        return None
    definition = metric_for(task.output, metric)
    return definition.low, definition.high
