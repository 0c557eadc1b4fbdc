"""Whether the columns of a gold file beside its labels hold what the task's metrics ask of them."""

from benchmarks.spec.model import TaskSpec
from catalogue.item_groups import GroupColumns, unusable_groups
from catalogue.metrics.groups.weighted import unusable_numbers, weight_columns
from catalogue.metrics.own.formula import numbers_read


def numbers_of(task: TaskSpec) -> set[str]:
    """The columns that metrics of the task read as numbers: weights of items, and how far off each may be."""
    of_formulas = (numbers_read(task.output, declared) for declared in task.output.formulas)
    return _weights(task).union(*of_formulas)


def unusable_columns(task: TaskSpec, columns: GroupColumns) -> str:
    """Which column tells no groups apart, or too many, or has what is no number, in a sentence; empty if none."""
    numbers = numbers_of(task)
    groups = {column: found for column, found in columns.items() if column not in numbers}
    return unusable_groups(groups) or unusable_numbers(columns, numbers, _weights(task))


def _weights(task: TaskSpec) -> set[str]:
    return weight_columns(task.output, (use.name for use in task.metrics))
