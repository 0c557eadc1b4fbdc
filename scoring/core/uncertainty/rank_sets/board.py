"""Between which ranks each system may stand, for all systems of a board at once."""

import math
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from scoring.core.uncertainty.rank_sets.critical_values import FAN, LargestDifferences

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
_Value = TypeVar("_Value", bound=np.generic)

CONFIDENCE = 0.95
MOST_UNDEFINED = 0.05
"""A system of which more replicates than this share are undefined has no interval."""
FEWEST_REPLICATES = 100
"""Of fewer replicates the far end of a distribution says nothing."""
_ROUNDING = 1e-9
_ROWS = 64
"""Rows of a table of pairs that are worked on together, so that they stay near the processor."""


@dataclass(frozen=True, slots=True)
class RankSets:
    """Rank intervals that hold together: with probability `CONFIDENCE` all of them are right at once.

    `low[i]` to `high[i]` are the ranks that system i may have, 1 the best; both None where nothing is known of how
    sure its score is. `surely_ahead[i, j]` says that i is better than j for sure. `leads[i]` is the share of
    replicates in which i leads (a shared lead is divided), None as above.
    """

    low: tuple[int | None, ...]
    high: tuple[int | None, ...]
    leads: tuple[float | None, ...]
    surely_ahead: Bools
    deviations: Floats
    replicate_count: int


def rank_sets(
    points: Floats,
    replicates: Floats,
    *,
    higher_is_better: bool = True,
) -> RankSets:
    """Simultaneous rank sets from scores and their paired replicates.

    All differences between two systems are judged together by the largest studentised one of each replicate, so
    that the chance of a single wrong order anywhere on the board is at most 1 - `CONFIDENCE`. Differences already
    decided leave the comparison in their direction, which decides some more (stepdown); the rest is repeated until
    nothing changes. A system's best rank counts who is surely ahead, its
    worst who is surely behind.

    Parameters
    ----------
    points : float array of shape (systems,)
        The scores.
    replicates : float array of shape (replicates, systems)
        The same scores on resampled items, every row of the same resample. NaN where undefined: a system of which
        more than `MOST_UNDEFINED` are NaN has no interval, and all others might stand before or behind it; of the
        rest, replicates with a NaN are passed over.
    higher_is_better : bool

    Returns
    -------
    RankSets

    Raises
    ------
    ValueError
        On another shape, or a score that is not finite.

    Notes
    -----
    Replicates are centred on their own mean: a bias that resampling has in common (macro F1 over many labels) is no
    difference. Where two systems differ by the same in all replicates, they differ for sure.

    References
    ----------
    Mogstad, Romano, Shaikh, Wilhelm, "Inference for Ranks with Applications to Mobility across Neighbourhoods and
    Academic Achievement across Countries", 2023 (doi:10.1093/restud/rdad006); stepdown: Romano and Wolf 2005
    (doi:10.1198/016214504000000539).

    Examples
    --------
    >>> noise = np.random.default_rng(7).normal(0, 0.01, (1000, 3))
    >>> sets = rank_sets(np.array([0.9, 0.899, 0.5]), np.array([0.9, 0.899, 0.5]) + noise)
    >>> list(zip(sets.low, sets.high))
    [(1, 2), (1, 2), (3, 3)]
    """
    if points.ndim != 1 or replicates.ndim != 2 or replicates.shape[1] != len(points):
        raise ValueError(
            "`replicates` must have a column for each of `points`; "
            f"their shapes are {replicates.shape} and {points.shape}."
        )
    if not np.isfinite(points).all():
        raise ValueError("`points` must be finite numbers.")
    sign = 1.0 if higher_is_better else -1.0
    known, rows = np.ones(len(points), dtype=np.bool_), np.ascontiguousarray(replicates)
    if np.isnan(rows).any():
        known = np.isnan(rows).sum(axis=0) / len(rows) <= MOST_UNDEFINED
        rows = rows.compress(known, axis=1)
        rows = rows[~np.isnan(rows).any(axis=1)]
    rows = rows if higher_is_better else np.negative(rows)
    if len(rows) < FEWEST_REPLICATES:
        known, rows = np.zeros_like(known), rows[:, :0]
    better = np.zeros((0, 0), dtype=np.bool_)
    spread = np.zeros(better.shape)
    nothing = np.full(len(points), None)
    leads = nothing.copy()
    if known.any():
        centred = rows - rows.mean(axis=0)
        spread = _spread(centred)
        better = _surely_ahead(sign * points[known], centred, spread)
        leads[known] = _shares_of_leads(centred + sign * points[known])
    better = _among_all(better, known, without=False)
    return RankSets(
        low=tuple(np.where(known, 1 + better.sum(axis=0), nothing).tolist()),
        high=tuple(np.where(known, len(points) - better.sum(axis=1), nothing).tolist()),
        leads=tuple(leads.tolist()),
        surely_ahead=better,
        deviations=_among_all(spread, known, without=np.nan),
        replicate_count=len(rows),
    )


def groups(sets: RankSets) -> tuple[tuple[int, int], ...]:
    """Runs of neighbours of whom nobody is surely ahead of another: places of the first and the last.

    Counted from 0, in the order of the scores given. Runs may overlap; a run within another and a run of one are left
    out.
    """
    if not len(sets.surely_ahead):
        return ()
    is_apart = np.tril(sets.surely_ahead | sets.surely_ahead.T, k=-1)
    last = len(is_apart) - 1
    # For each place the last one before it whose system is surely ahead of or behind its own; -1 without one.
    last_apart = np.where(is_apart.any(axis=1), last - np.argmax(is_apart[:, ::-1], axis=1), -1)
    runs: list[tuple[int, int]] = []
    start = 0
    for place, apart in enumerate(last_apart.tolist()):
        if apart >= start:
            runs.append((start, place - 1))
            start = apart + 1
    return tuple((first, end) for first, end in [*runs, (start, last)] if end > first)


def _among_all(pairs: NDArray[_Value], known: Bools, *, without: float) -> NDArray[_Value]:
    """What is told of every two known systems among all systems; `without` where one is not known."""
    if known.all():
        return pairs
    whole = np.full((len(known), len(known)), without, dtype=pairs.dtype)
    whole[np.ix_(known, known)] = pairs
    return whole


def _shares_of_leads(rows: Floats) -> Floats:
    """The share of rows in which each column is the largest, shape (columns,); those that are equal divide a row."""
    leading = np.flatnonzero(rows >= rows.max(axis=1, keepdims=True) - _ROUNDING)
    row, column = np.divmod(leading, rows.shape[1])
    shares = np.bincount(column, 1 / np.bincount(row)[row], minlength=rows.shape[1])
    return np.asarray(shares / len(rows))


def _spread(centred: Floats) -> Floats:
    """The standard deviation of the difference of every two systems, shape (systems, systems)."""
    variance = centred.T @ centred
    own = np.diag(variance) / (len(centred) - 1)
    for start in range(0, len(variance), _ROWS):
        rows = variance[start : start + _ROWS]
        both = own[start : start + _ROWS, None] + own
        rows /= len(centred) - 1
        rows *= -2
        rows += both
        # What is left over of equal columns is rounding.
        both *= 1e-12
        rows[rows < both] = 0.0
        np.sqrt(rows, out=rows)
    return np.asarray(variance)


def _surely_ahead(points: Floats, centred: Floats, spread: Floats) -> Bools:
    """Which differences are above the critical value, shape (systems, systems); steps down until none is added."""
    statistic, scale = _studentised(points, spread)
    # A quantile that is one of the values: the larger one where it falls between two.
    rank = len(centred) - math.ceil(CONFIDENCE * (len(centred) - 1))
    differences = LargestDifferences(centred.astype(np.float32), scale, _alike_together(spread), rank)
    better, decided = np.zeros(spread.shape, dtype=np.bool_), -1
    while decided < (decided := int(np.count_nonzero(better))):
        better = statistic > differences.critical(better)
    return better


def _studentised(points: Floats, spread: Floats) -> tuple[Floats, NDArray[np.float32]]:
    """All differences in units of their spread, and what others are multiplied by for that: both (systems, systems).

    Without spread a difference is infinite where the first is ahead, and never above a critical value where it is
    not; others are multiplied by 0.
    """
    statistic, scale = np.empty_like(spread), np.empty_like(spread, dtype=np.float32)
    with np.errstate(divide="ignore", invalid="ignore"):
        for start in range(0, len(points), _ROWS):
            rows = slice(start, start + _ROWS)
            np.divide(points[rows, None] - points, spread[rows], out=statistic[rows])
            scale[rows] = 1.0 / spread[rows]
            scale[rows][~(spread[rows] > 0)] = 0
    return statistic, scale


def _alike_together(spread: Floats) -> NDArray[np.intp]:
    """An order of systems: the first that is left and those that differ least from it, again and again."""
    blocks, left = [], np.arange(len(spread))
    while len(left) > FAN:
        left = left[np.argpartition(spread[left[0]].take(left), FAN)]
        blocks.append(left[:FAN])
        # Next comes the one that differs least from this block, which stands behind it now.
        left = left[FAN:]
    return np.concatenate([*blocks, left])
