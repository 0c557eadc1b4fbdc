"""Minimal pairs: what a system makes of two items that differ little, and what that earns builders and breakers.

A pair is *broken* for a system when exactly one of its two items is right. The formulas are those of Build It Break
It, The Language Edition (Ettinger et al. 2017, doi:10.18653/v1/W17-5401), section 6.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.spec.model import PAIR_MEASURES
from catalogue.answers import AnswerKind
from scoring.core.engine import ScoreValue

UNPAIRED_ITEM = "unpaired_item"
"""Undefined because an item has no partner, or more than one."""


@dataclass(frozen=True, slots=True)
class PairOutcomes:
    """How many pairs a system has both right, exactly one right (broken) and none right; at least one pair.

    Over several seeds they are means, and need not be whole.
    """

    both: float
    broken: float
    none: float

    def __post_init__(self) -> None:
        if min(self.both, self.broken, self.none) < 0 or not self.count:
            raise ValueError(f"Outcomes must count at least one pair, none below 0; they are {self}.")

    @property
    def count(self) -> float:
        """The number of pairs."""
        return self.both + self.broken + self.none

    @property
    def broken_share(self) -> float:
        """Share of pairs with exactly one item right."""
        return self.broken / self.count

    def __add__(self, other: PairOutcomes) -> PairOutcomes:
        """The outcomes of both sets of pairs together."""
        return PairOutcomes(self.both + other.both, self.broken + other.broken, self.none + other.none)


def pair_outcomes(right: NDArray[np.bool_], pairs: NDArray[np.intp]) -> PairOutcomes:
    """Count what becomes of each pair.

    Parameters
    ----------
    right : bool array of shape (n_items,)
        Whether the prediction for the item is right.
    pairs : integer array of shape (n_pairs, 2)
        Positions of the two items of each pair, at least one pair.

    Examples
    --------
    >>> pair_outcomes(np.array([True, False, True, True]), np.array([[0, 1], [2, 3]]))
    PairOutcomes(both=1, broken=1, none=0)
    """
    counts = np.bincount(right[pairs].sum(axis=1), minlength=3)
    return PairOutcomes(both=int(counts[2]), broken=int(counts[1]), none=int(counts[0]))


def pair_values(
    output: AnswerKind, ids: Sequence[str], separator: str, y_true: NDArray[Any], y_pred: NDArray[Any]
) -> tuple[ScoreValue, ...]:
    """PAIR_MEASURES: how many pairs have both items right, exactly one (broken) or none, and the share of broken ones.

    Parameters
    ----------
    output : AnswerKind
        What an answer is. A span is right when its tokens are the gold span's, a label whatever its confidence.
    ids : str of shape (n_items,)
        The items in the order of the arrays; the two of a pair agree before the last `separator`.
    y_true, y_pred : array of shape (n_items,)
        Canonical arrays of that output.

    Returns
    -------
    tuple of ScoreValue
        All undefined with UNPAIRED_ITEM where an item has no partner, or more than one.
    """
    stems: dict[str, list[int]] = {}
    for position, item in enumerate(ids):
        stems.setdefault(item.rpartition(separator)[0], []).append(position)
    if any(len(places) != 2 for places in stems.values()):  # a pair
        return tuple(ScoreValue(None, UNPAIRED_ITEM, name, 1) for name in PAIR_MEASURES)
    pairs = np.array(list(stems.values()), dtype=np.intp)
    outcomes = pair_outcomes(output.right(y_true, y_pred), pairs)
    counts = (outcomes.both, outcomes.broken, outcomes.none, outcomes.broken_share)
    return tuple(
        ScoreValue(float(value), None, name, 1) for name, value in zip(PAIR_MEASURES, counts, strict=True)
    )


def pooled_share(outcomes: Sequence[PairOutcomes]) -> float:
    """The share of broken pairs over the pairs of all these sets, at least one.

    >>> pooled_share([PairOutcomes(1, 2, 1), PairOutcomes(3, 1, 0)])
    0.375
    """
    return fsum(each.broken for each in outcomes) / fsum(each.count for each in outcomes)


def breaker_score(dev_accuracies: Sequence[float], outcomes: Sequence[PairOutcomes]) -> float:
    """Mean over systems of a system's accuracy on the development data times the share of pairs that break it.

    From 0 (nothing broken) to 1 (every pair breaks every system, and all are perfect otherwise). Both sequences
    go over the same systems; the pairs are those of one breaker.

    >>> breaker_score([0.5, 1.0], [PairOutcomes(0, 2, 0), PairOutcomes(1, 1, 0)])
    0.5
    """
    if not outcomes or len(dev_accuracies) != len(outcomes):
        raise ValueError(
            f"There must be one accuracy and one set of pairs per system, at least one; "
            f"there are {len(dev_accuracies)} and {len(outcomes)}."
        )
    gains = [accuracy * each.broken_share for accuracy, each in zip(dev_accuracies, outcomes, strict=True)]
    return fsum(gains) / len(gains)
