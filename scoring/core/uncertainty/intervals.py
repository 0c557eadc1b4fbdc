"""Intervals of scores from their replicates, and of shares of right items from how many are right.

An interval says where the score would lie, 95 times in 100, were as many other items drawn in the same way. For a
range from 0 it is Wilson's of a share whose variance is that of the replicates: its standard deviation is that of the
end and not that of the score, so that it says something of a perfect score too. For a range from -1 to 1 it is
symmetric in Fisher's z. Neither leaves the metric's range. Percentiles of replicates are not used: a label of few items
is absent from many resamples, which pulls an F1 over 77 labels down in all of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import atanh, copysign, inf, isfinite, isnan, sqrt, tanh
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]

METHOD = "leaning-smoothed-bootstrap-2"
"""The name of what `interval` does, for provenance."""

FEW_CLUSTERS = 50
"""With fewer clusters of items than this the bootstrap is too sure; whoever loads them is told."""

SHOWN_DECIMALS = 3
"""Of both ends; see `scoring.core.ledger`."""

NORMAL_REACH = 1.959963984540054
"""Standard deviations of a normal distribution on either side, for 95 %."""

_LEVEL = 0.05
_STEPS, _STEPS_AT_ONCE = 200, 20  # of an end of a share's interval; most are found among the first
_PLENTY = 50  # right items and wrong ones: from here on Wilson's interval holds its word as well
_MOST_UNDEFINED = 0.5
_ROUNDING = 1e-12
_LEAN = 0.5  # deviations by which ends move for each unit of skewness that Wilson's interval knows nothing of
_MOST_LEAN = 2.0  # the skewness of one further item
_NEAR_END = NORMAL_REACH**2 / 2 - (2 * NORMAL_REACH**2 + 1) / 6  # by which Wilson's shift is more than Hall's


@dataclass(frozen=True, slots=True)
class Interval:
    """Both ends, within the range of the metric; `low <= high`."""

    low: float
    high: float


def interval(
    value: float,
    replicates: Floats,
    low: float = 0.0,
    high: float = 1.0,
    *,
    reaches: tuple[float, float] = (NORMAL_REACH, NORMAL_REACH),
) -> Interval | None:
    """The 95 % interval of a score.

    Parameters
    ----------
    value : float
        The score, within the range.
    replicates : float array of shape (replicates,)
        NaN where undefined; as `calibrated` gives them, or sums and means of such.
    low, high : float
        The range of the metric; either may be infinite.
    reaches : tuple of float
        Standard deviations, at least 0, down to the lower end and up to the upper one.

    Returns
    -------
    Interval or None
        The whole range where more than half of the replicates are undefined; None where that has no end, or where
        replicates do not differ, as they do only of scores from before a further item was added to them.

    References
    ----------
    Wilson (1927), doi:10.1080/01621459.1927.10502953, with as many items as give a share the variance of the
    replicates; Efron and Tibshirani (1993), doi:10.1201/9780429246593, chapter 14, for scales that make a standard
    interval symmetric.

    Examples
    --------
    >>> interval(0.5, np.array([0.4, 0.6, 0.45, 0.55]))
    Interval(low=0.332, high=0.668)
    """
    return intervals([value], replicates[None], low, high, reaches=reaches)[0]


def intervals(
    values: Sequence[float],
    replicates: Floats,
    low: float = 0.0,
    high: float = 1.0,
    *,
    reaches: tuple[float, float] = (NORMAL_REACH, NORMAL_REACH),
) -> list[Interval | None]:
    """`interval` of the scores of several systems, with their replicates in rows: shape (systems, replicates)."""
    means, errors, counts = moments(replicates)
    least = (1 - _MOST_UNDEFINED) * replicates.shape[1]
    skews = _skews(replicates, means, errors, counts)
    return [
        _interval(value, mean, error if defined >= least else inf, skew, low, high, reaches)
        for value, mean, error, defined, skew in zip(
            values, means.tolist(), errors.tolist(), counts, skews, strict=True
        )
    ]


def _interval(
    value: float,
    mean: float,
    error: float,
    skew: float,
    low: float,
    high: float,
    reaches: tuple[float, float],
) -> Interval | None:
    """The ends with as many decimals as boards print: more say nothing, but add to what can be known of gold labels."""
    is_finite = isfinite(low) and isfinite(high)
    if error == inf:
        return Interval(low, high) if is_finite else None
    if isnan(error) or error <= _ROUNDING * max(1.0, abs(value)):
        return None
    if not is_finite:
        ends = max(low, value - reaches[0] * error), min(high, value + reaches[1] * error)
    elif low < 0 < high and low < value < high:
        ends = _in_fishers_z(value, error, low, high, reaches)
    else:
        ends = _in_wilsons_way(value, mean, error, low, high, _leaning(mean, error, skew, low, high, reaches))
    return _shown(value, *ends)


def _shown(value: float, first: float, last: float) -> Interval:
    """The interval as it is kept; the score is always in it.

    A zero carries no sign, because some databases forget it and a release must be made again byte by byte.
    """
    first, last = round(first, SHOWN_DECIMALS), round(last, SHOWN_DECIMALS)
    return Interval(min(first, value) + 0.0, max(last, value) + 0.0)


def _in_fishers_z(
    value: float, error: float, low: float, high: float, reaches: tuple[float, float]
) -> tuple[float, float]:
    """The ends, taken to Fisher's z of the range and back; the reach is stretched as the scale is there."""
    half = (high - low) / 2
    centred = (value - low - half) / half  # from -1 to 1
    middle, stretch = atanh(centred), half * (1 - centred**2)
    down, up = (reach * error / stretch for reach in reaches)
    return low + half + half * tanh(middle - down), low + half + half * tanh(middle + up)


def _leaning(
    mean: float, error: float, skew: float, low: float, high: float, reaches: tuple[float, float]
) -> tuple[float, float]:
    """The reaches of a score whose replicates lean further than those of a share with its mean and deviation.

    Where a score is the mean of several shares, one of them may lie at its end while the score does not: of a macro F1,
    that of a label of which little is found. Such replicates have a long tail on one side, and both ends move there
    (Hall 1992, doi:10.1214/aos/1176348770). A share without any right item leans by 2 where Wilson's interval allows
    for 1 and is wide enough, so twice what it allows for is taken off. The end nearer to that of the range is moved
    out as far as Wilson's lies closer than Hall's.
    """
    wide = high - low
    share = min(1 - _ROUNDING, max(_ROUNDING, (mean - low) / wide))
    known = (1 - 2 * share) * (error / wide) / (share * (1 - share))
    left = abs(skew) - (2 * abs(known) if skew * known > 0 else 0.0)
    lean = _LEAN * copysign(min(_MOST_LEAN, max(0.0, left)), skew)
    near = _NEAR_END * min(1.0, abs(known))
    down, up = reaches
    return max(0.0, down - lean + near * (known > 0)), max(0.0, up + lean + near * (known < 0))


def _in_wilsons_way(
    value: float, mean: float, error: float, low: float, high: float, reaches: tuple[float, float]
) -> tuple[float, float]:
    """The ends of a share with the variance of the replicates, whose own mean says of how many items that is."""
    wide = high - low
    share = min(1.0, max(0.0, (value - low) / wide))
    middle = min(1 - _ROUNDING, max(_ROUNDING, (mean - low) / wide))
    items = max(middle * (1 - middle) / (error / wide) ** 2, _ROUNDING)
    down, up = (
        sign * reach / (1 + reach**2 / items) * sqrt(share * (1 - share) / items + (reach / (2 * items)) ** 2)
        for sign, reach in zip((-1, 1), reaches, strict=True)
    )
    centres = [(share + reach**2 / (2 * items)) / (1 + reach**2 / items) for reach in reaches]
    return low + wide * max(0.0, centres[0] + down), low + wide * min(1.0, centres[1] + up)


@lru_cache(maxsize=1 << 16)
def share_interval(right: int, item_count: int) -> Interval:
    """The 95 % interval of a share of right items, each drawn by itself.

    It follows from the two numbers alone. Of all shares those are in it of which a number of right items as unlikely
    as this one, or more so, comes in more than 5 of 100 test sets. It holds the share in 95 of 100 test sets or more,
    whatever that is, and lies within that of Clopper and Pearson. Of plenty of either kind it is Wilson's.

    Parameters
    ----------
    right : int
        From 0 to `item_count`.
    item_count : int
        At least 1.

    References
    ----------
    Blaker (2000), doi:10.2307/3315916; Wilson (1927), doi:10.1080/01621459.1927.10502953.

    Examples
    --------
    >>> share_interval(100, 100)
    Interval(low=0.964, high=1.0)
    >>> share_interval(97, 100)
    Interval(low=0.918, high=0.992)
    """
    share = right / item_count
    if min(right, item_count - right) >= _PLENTY:
        error = sqrt(share * (1 - share) / item_count)
        return _shown(share, *_in_wilsons_way(share, share, error, 0.0, 1.0, (NORMAL_REACH, NORMAL_REACH)))
    low = 1 - _upper_end(item_count - right, item_count)
    return _shown(share, low, _upper_end(right, item_count))


def _upper_end(right: int, item_count: int) -> float:
    """The largest share that is not refused; it is looked for from that of Clopper and Pearson down."""
    from scipy.special import betaincinv

    if right == item_count:
        return 1.0
    share = right / item_count
    widest = float(betaincinv(right + 1, item_count - right, 1 - _LEVEL / 2))
    shares = np.linspace(widest, share, _STEPS, endpoint=False)
    for start in range(0, _STEPS, _STEPS_AT_ONCE):
        held = np.flatnonzero(_likely(right, item_count, shares[start : start + _STEPS_AT_ONCE]) > _LEVEL)
        if len(held):
            return float(shares[max(start + int(held[0]) - 1, 0)])
    return share


def _likely(right: int, item_count: int, shares: Floats) -> Floats:
    """How likely so few right items are, or more of them that are no likelier, by the share of right ones."""
    from scipy.special import bdtr, bdtrik

    below = bdtr(right, item_count, shares)
    # No likelier are those above the place with so much beyond it: `scipy.stats.binom.ppf`, which takes half a second
    # to be loaded. Where it comes out a rounding too high, the place below it will do.
    place = np.ceil(bdtrik(1 - below, item_count, shares))
    lower = np.maximum(place - 1, 0)
    place = np.where(bdtr(lower, item_count, shares) >= 1 - below, lower, place)
    return np.asarray(below + (1 - bdtr(np.minimum(place, item_count), item_count, shares)))


def _skews(rows: Floats, means: Floats, errors: Floats, defined: Sequence[int]) -> list[float]:
    """The skewness of each system's defined replicates as far as it is more than chance in the resamples makes."""
    counts, about = np.maximum(1, defined), rows - means[:, None]
    if min(defined) < rows.shape[1] or np.isnan(means).any():
        about[np.isnan(about)] = 0.0
    cubes = np.einsum("rb,rb,rb->r", about, about, about) / counts
    is_spread = errors > _ROUNDING  # of one that is not known, nothing
    skews = np.divide(cubes, errors**3, out=np.zeros(len(rows)), where=is_spread)
    by_chance = 2 * np.sqrt(6 / counts)
    return [float(skew) for skew in np.sign(skews) * np.maximum(0, np.abs(skews) - by_chance)]


def moments(rows: Floats) -> tuple[Floats, Floats, list[int]]:
    """Mean, deviation and number of each system's defined replicates; both NaN where fewer than two are defined."""
    rows = np.ascontiguousarray(rows)  # in another order sums have other bits
    counts = [rows.shape[1]] * len(rows)
    if rows.shape[1] < 2:
        return np.full(len(rows), np.nan), np.full(len(rows), np.nan), counts
    means, errors = rows.mean(axis=1), rows.std(axis=1, ddof=1)
    for at in np.flatnonzero(np.isnan(means)):
        defined = rows[at][~np.isnan(rows[at])]
        counts[at] = len(defined)
        if len(defined) > 1:
            means[at], errors[at] = defined.mean(), defined.std(ddof=1)
    return means, errors, counts
