"""How unsure scores of runs and their differences are, from stored replicates, and which rows are most alike."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from catalogue.disclosure.rule import NearRow, RowState
from scoring.uncertainty.stored_replicates import replicates_of

Floats = NDArray[np.float64]

# Rows of other teams that an answer is held against: those that it differs least from.
NEAREST = 36

# Answers whose differences to all runs are worked out together: a matrix of some megabytes.
AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class Held:
    """What a row stands with: the rule's state, and the scoring run behind it."""

    state: RowState
    run: int


class RunErrors:
    """How far scores of runs of one set of items vary in the resamples that they share, alone and against each other.

    Parameters
    ----------
    runs : sequence of int
        The scoring runs that will be asked about, in that order if there are many.
    metric : str
    item_count : int
    width : float
        Of the metric's range: a run without replicates is given the largest error that a mean in it can have.
    """

    def __init__(self, runs: Sequence[int], metric: str, *, item_count: int, width: float) -> None:
        self._largest = width / (2 * sqrt(item_count))
        drawn = {run: own[metric] for run, own in replicates_of(runs).items() if metric in own}
        known = {run: array for run, array in drawn.items() if not np.isnan(array).all()}
        usual = Counter(map(len, known.values())).most_common(1)[0][0] if known else 0
        there = (run for run in dict.fromkeys(runs) if run in known and len(known[run]) == usual)
        self._at = {run: at for at, run in enumerate(there)}
        matrix = np.array([known[run] for run in self._at]).reshape(len(self._at), usual)
        centred = matrix - np.nanmean(matrix, axis=1, keepdims=True) if usual else matrix
        self._scaled: Floats = np.nan_to_num(centred) / sqrt(usual or 1)
        self._variances: Floats = np.einsum("ij,ij->i", self._scaled, self._scaled)
        self._block: tuple[int, Floats] = (-1, np.empty((0, 0)))

    def error(self, run: int) -> float:
        """The standard error of a run's score."""
        at = self._at.get(run)
        return self._largest if at is None else sqrt(self._variances[at])

    def difference(self, run: int, other: int) -> float:
        """The standard error of the difference of two runs."""
        first, second = self._at.get(run), self._at.get(other)
        if first is None or second is None:
            return sqrt(self.error(run) ** 2 + self.error(other) ** 2)
        difference = self._scaled[first] - self._scaled[second]
        return sqrt(difference @ difference)

    def differences(self, run: int, others: Sequence[int]) -> Floats:
        """The standard errors of the differences of a run to each of several, shape (others,); infinite if unknown."""
        at = self._at.get(run)
        places = np.array([self._at.get(other, -1) for other in others], dtype=np.intp)
        if at is None:
            return np.full(len(places), np.inf)
        products = self._products(at // AT_ONCE)[at % AT_ONCE, places]
        squares = self._variances[at] + self._variances[places] - 2 * products
        return np.where(places < 0, np.inf, np.sqrt(np.maximum(squares, 0.0)))

    def _products(self, block: int) -> Floats:
        """The products of some of the runs with all; those of the last block asked for are kept."""
        if self._block[0] != block:
            own = self._scaled[block * AT_ONCE : (block + 1) * AT_ONCE]
            self._block = block, own @ self._scaled.T
        return self._block[1]


def nearest_rows(
    rows: Mapping[str, Held], errors: RunErrors, *, run: int, score: float, own: str
) -> tuple[NearRow, ...]:
    """The rows that an answer differs least from, as a rule meets them; its own, of that key, is left out."""
    held = [row for key, row in rows.items() if key != own]
    distances = errors.differences(run, [row.run for row in held])
    return tuple(
        NearRow(held[at].state.shown or 0.0, score - (held[at].state.leader or 0.0), float(distances[at]))
        for at in np.argsort(distances, kind="stable")[:NEAREST]
        if np.isfinite(distances[at])
    )
