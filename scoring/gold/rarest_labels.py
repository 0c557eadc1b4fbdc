"""Which label of a gold file is the rarest, and what may be stated of it: noise is made from that statement."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.spec import TaskSpec
from catalogue.answers import Answers
from catalogue.metrics.label_effect import safe_share


@dataclass(frozen=True, slots=True)
class RarestLabel:
    """The label of which least may be stated, how many items have it, and `safe`: the largest share of it that holds
    among displayed items too."""

    name: str
    count: int
    safe: float


def too_rare(task: TaskSpec, gold: Answers, clusters: NDArray[np.uint32] | None) -> RarestLabel | None:
    """The rarest label, if it is rarer than `rarest_label_share` states, or could be among the displayed items.

    Parameters
    ----------
    task : TaskSpec
    gold : array of shape (n_items,)
        Canonical gold labels of a split.
    clusters : array of shape (n_items,) or None
        Items of one cluster are displayed or kept back together, so that a label's share varies more.
    """
    kind = task.output.gold
    if not task.rarest_label_share or not kind.counted_labels:
        return None
    drawn = np.arange(len(gold)) if clusters is None else clusters
    sizes = np.bincount(drawn)
    having = {
        label: np.bincount(drawn[kind.has_label(gold, label)], minlength=len(sizes)) for label in kind.labels
    }
    found = min(
        (
            RarestLabel(label, int(of_label.sum()), safe_share(of_label, sizes))
            for label, of_label in having.items()
        ),
        key=lambda one: (one.safe, one.count),
    )
    return found if task.rarest_label_share > found.safe else None
