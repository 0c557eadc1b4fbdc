"""Averages as a tree: each is the plain mean of task scores or of other averages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from math import fsum, isfinite

from benchmarks.spec.model import AverageSpec, MissingTask

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
    parts = [values.get(part) for part in spec.of]
    present = [part for part in parts if part is not None]
    if not all(map(isfinite, present)):
        raise ValueError(
            f"Average `{spec.id}` was given a value that is not finite; give None for a missing one."
        )
    missing = len(present) < len(parts)
    if missing and spec.missing is MissingTask.UNRANKED:
        return AverageResult(None, MISSING_TASK)
    if spec.missing is MissingTask.ZERO:
        return AverageResult(fsum(present) / len(parts), None)
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
    results: dict[str, AverageResult] = {}
    for average_id in _parts_first(by_id):
        results[average_id] = average(by_id[average_id], values)
        values[average_id] = results[average_id].value
    return {spec.id: results[spec.id] for spec in specs}


def _parts_first(by_id: Mapping[str, AverageSpec]) -> list[str]:
    """The ids of the averages, each after the averages it is made of."""
    graph = {spec.id: [part for part in spec.of if part in by_id] for spec in by_id.values()}
    try:
        return list(TopologicalSorter(graph).static_order())
    except CycleError as error:
        circle = " → ".join(reversed(error.args[1]))
        raise ValueError(f"Averages are made of each other in a circle: {circle}.") from None
