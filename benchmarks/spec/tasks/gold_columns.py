"""Whether the columns of a gold file beside its labels hold what the task's metrics ask of them."""

from benchmarks.spec.model import TaskSpec
from catalogue.item_groups import GroupColumns, unusable_groups
from catalogue.metrics.groups.weighted import unusable_weights, weight_columns


def weights_of(task: TaskSpec) -> set[str]:
    """The columns by which metrics of the task weigh items."""
    return weight_columns(task.output, (use.name for use in task.metrics))


def unusable_columns(task: TaskSpec, columns: GroupColumns) -> str:
    """Which column tells no groups apart, or too many, or has what is no weight, in a sentence; empty if none."""
    weights = weights_of(task)
    groups = {column: found for column, found in columns.items() if column not in weights}
    return unusable_groups(groups) or unusable_weights(columns, weights)
