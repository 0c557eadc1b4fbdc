"""Between which ranks each system may stand, for all systems of a board at once."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Singles = NDArray[np.float32]
Bools = NDArray[np.bool_]

CONFIDENCE = 0.95
MOST_UNDEFINED = 0.05
"""A system of which more replicates than this share are undefined has no interval."""
FEWEST_REPLICATES = 100
"""Of fewer replicates the far end of a distribution says nothing."""
MOST_STEPPED = 300
"""On larger boards one step is taken: it decides a little less, and no release waits for it."""
LARGEST_WORK = 250_000_000
"""Differences looked at for one critical value: of 1,000 systems those of 250 replicates, of up to 500 all of 1,000."""

_ROUNDING = 1e-9

IN_BLOCK = 32
"""Systems, so that a block of their replicates stays in the processor's cache."""


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
    nothing changes, on boards of up to `MOST_STEPPED` systems. A system's best rank counts who is surely ahead, its
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
    known = np.isnan(replicates).sum(axis=0) / max(1, len(replicates)) <= MOST_UNDEFINED
    rows = replicates[:, known]
    rows = sign * rows[~np.isnan(rows).any(axis=1)]
    if len(rows) < FEWEST_REPLICATES:
        known, rows = np.zeros_like(known), rows[:, :0]
    where = np.flatnonzero(known)
    better = np.zeros((len(points), len(points)), dtype=np.bool_)
    deviations = np.full(better.shape, np.nan)
    nothing = np.full(len(points), None)
    leads = nothing.copy()
    if len(where):
        spread = _spread(rows)
        better[np.ix_(where, where)] = _surely_ahead(sign * points[known], rows, spread)
        deviations[np.ix_(where, where)] = spread
        about = rows - rows.mean(axis=0) + sign * points[known]
        is_first = about >= about.max(axis=1, keepdims=True) - _ROUNDING
        leads[known] = (is_first / is_first.sum(axis=1, keepdims=True)).mean(axis=0)
    return RankSets(
        low=tuple(np.where(known, 1 + better.sum(axis=0), nothing).tolist()),
        high=tuple(np.where(known, len(points) - better.sum(axis=1), nothing).tolist()),
        leads=tuple(leads.tolist()),
        surely_ahead=better,
        deviations=deviations,
        replicate_count=len(rows),
    )


def groups(sets: RankSets, order: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Runs of neighbours in `order` of whom nobody is surely ahead of another: places of the first and the last.

    Counted from 0. Runs may overlap; a run within another and a run of one are left out.
    """
    if not len(order):
        return ()
    better = sets.surely_ahead[np.ix_(order, order)]
    is_apart = np.triu(better | better.T, k=1)
    last = len(order) - 1
    # For each place the last one before it whose system is surely ahead of or behind its own; -1 without one.
    last_apart = np.where(is_apart.any(axis=0), last - np.argmax(is_apart[::-1], axis=0), -1)
    runs: list[tuple[int, int]] = []
    start = 0
    for place, apart in enumerate(last_apart.tolist()):
        if apart >= start:
            runs.append((start, place - 1))
            start = apart + 1
    return tuple((first, end) for first, end in [*runs, (start, last)] if end > first)


def _spread(rows: Floats) -> Floats:
    """The standard deviation of the difference of every two systems, shape (systems, systems)."""
    centred = rows - rows.mean(axis=0)
    products = centred.T @ centred / (len(rows) - 1)
    own = np.diag(products)
    variance = own[:, None] + own[None, :] - 2 * products
    # What is left over of equal columns is rounding.
    variance[variance < 1e-12 * (own[:, None] + own[None, :])] = 0.0
    return np.asarray(np.sqrt(variance))


def _surely_ahead(points: Floats, rows: Floats, spread: Floats) -> Bools:
    """Which differences are above the critical value, shape (systems, systems); steps down until none is added."""
    with np.errstate(divide="ignore", invalid="ignore"):
        # Without spread: infinite where the first is ahead, and never above the critical value where it is not.
        statistic = (points[:, None] - points[None, :]) / spread
    scale = np.divide(1.0, spread, out=np.zeros_like(spread), where=spread > 0).astype(np.float32)
    judged = max(FEWEST_REPLICATES, LARGEST_WORK // len(points) ** 2)
    order = _alike_together(scale)
    inside = np.ix_(order, order)
    centred = (rows - rows.mean(axis=0))[:judged].T.astype(np.float32)[order]
    better = statistic > _critical(_largest(centred, scale[inside]))
    while better.any() and len(points) <= MOST_STEPPED:
        largest = _largest(centred, np.where(better, np.float32(0), scale)[inside])
        decided = np.asarray(statistic > _critical(largest))
        if (decided == better).all():
            break
        better = decided
    return better


def _critical(largest: Singles) -> float:
    return float(np.quantile(largest, CONFIDENCE, method="higher"))


def _largest(centred: Singles, scale: Singles) -> Singles:
    """Per replicate the largest studentised difference of a first system over a second, shape (replicates,).

    A system's differences from a block of others are looked at in those replicates alone in which the lowest of the
    block leaves room for a larger one. Rounding keeps order, so that none is missed.
    """
    starts = range(0, len(centred), IN_BLOCK)
    blocks = [slice(start, min(start + IN_BLOCK, len(centred))) for start in starts]
    lowest = np.minimum.reduceat(centred, starts, axis=0)
    widest = np.maximum.reduceat(scale, starts, axis=1)
    # The search is for differences larger than that of the first and the last system.
    low, high, each = centred.argmin(axis=0), centred.argmax(axis=0), np.arange(centred.shape[1])
    largest = np.asarray((centred[high, each] - centred[low, each]) * scale[high, low])
    for first, own in enumerate(centred):
        room = (own - lowest) * widest[first, :, None] > largest
        for at in np.flatnonzero(room.any(axis=1)):
            block, among = blocks[at], np.flatnonzero(room[at])
            distances = (own[among] - centred[block, among]) * scale[first, block, None]
            largest[among] = np.maximum(largest[among], distances.max(axis=0))
    return largest


def _alike_together(scale: Singles) -> NDArray[np.intp]:
    """An order in which every block holds systems that differ little from its first."""
    left = np.arange(len(scale))
    blocks = []
    while len(left):
        nearest = left[np.argsort(-scale[left[0], left], kind="stable")]
        nearest = np.concatenate([left[:1], nearest[nearest != left[0]]])
        blocks.append(nearest[:IN_BLOCK])
        left = np.sort(nearest[IN_BLOCK:])
    return np.concatenate(blocks)
