"""Averages that would mislead: of metrics with different directions, or with a missing task that counts too much."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from benchmarks.spec.model import AverageSpec, MissingTask, TaskSpec
from catalogue.metrics.choice import UnknownMetricError, metric_for
from catalogue.metrics.metric import AnyMetric
from catalogue.section import Section

Column: TypeAlias = dict[str, AnyMetric]
"""What an average is made of: the name of each task and its metric, with the metric."""


def check_averages(top: Section, tasks: Sequence[TaskSpec], averages: Sequence[AverageSpec]) -> None:
    """Record averages whose parts have different directions, and those where a missing task counts too much."""
    for average in averages:
        for column in _columns(_tasks_of(average, tasks, averages)):
            place = f"averages[{average.id}]"
            if len({metric.higher_is_better for metric in column.values()}) > 1:
                top.wrong(f"{place}.of", _mixed(column))
            elif average.missing is MissingTask.ZERO:
                too_good = [name for name, metric in column.items() if not _is_zero_the_worst(metric)]
                if too_good:
                    top.wrong(f"{place}.missing", _zero_is_too_good(too_good))


def _is_zero_the_worst(metric: AnyMetric) -> bool:
    return metric.higher_is_better and metric.low == 0


def _mixed(column: Column) -> str:
    higher = ", ".join(name for name, metric in column.items() if metric.higher_is_better)
    lower = ", ".join(name for name, metric in column.items() if not metric.higher_is_better)
    return (
        f"higher is better for {higher}; lower is better for {lower}. Expected parts of one direction, because a mean "
        "of both says nothing"
    )


def _zero_is_too_good(names: Sequence[str]) -> str:
    return (
        f"with zero, a missing task counts 0, and 0 is not the worst value of {', '.join(names)}: who leaves the task "
        "out could rank higher. Expected unranked or partial"
    )


def _tasks_of(
    average: AverageSpec, tasks: Sequence[TaskSpec], averages: Sequence[AverageSpec]
) -> list[TaskSpec]:
    """The tasks that an average is made of in the end, through the averages among its parts."""
    by_id = {each.id: each for each in averages}
    named: set[str] = set()
    waiting = [average.id]
    while waiting:
        part = waiting.pop()
        if part not in named:
            named.add(part)
            waiting += by_id[part].of if part in by_id else ()
    return [task for task in tasks if task.id in named]


def _columns(tasks: Sequence[TaskSpec]) -> Iterator[Column]:
    """The means that boards can show: of the tasks' first metrics, and of each other metric that all of them have."""
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
