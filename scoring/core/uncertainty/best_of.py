"""What the best of several tries is worth: the more one tries, the better the best one looks."""

from collections.abc import Sequence
from functools import lru_cache
from math import comb, fsum, sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from scoring.core.uncertainty.intervals import NORMAL_REACH, interval

Floats = NDArray[np.float64]

GRID = 2001

_LEVEL = 0.025  # of each end of a 95 % range
_ON_GAPS = 0.0025  # the part of it spent on which of the others could have been the best


def expected_best_of(values: Sequence[float], tries: int) -> float:
    """The expected highest score of some tries, drawn from those that there are.

    Parameters
    ----------
    values : sequence of float
        The scores of all tries, at least one.
    tries : int
        From 1 to `len(values)`. 1 gives the mean, all of them the best.

    Returns
    -------
    float
        Mean of the best score over all choices of `tries` of the values: unbiased, unlike drawing with replacement.

    References
    ----------
    Dodge et al., "Show Your Work", 2019 (doi:10.18653/v1/D19-1224); the unbiased form: Tang et al., "Showing Your
    Work Doesn't Always Work", 2020 (doi:10.18653/v1/2020.acl-main.246).

    Examples
    --------
    >>> expected_best_of([0.5, 0.75, 1.0], tries=3)
    1.0
    >>> expected_best_of([0.5, 0.75, 1.0], tries=1)
    0.75
    """
    if not 1 <= tries <= len(values):
        raise ValueError(f"`tries` must be from 1 to {len(values)}, the number of values; it is {tries}.")
    worst_first = sorted(values)
    # In how many choices the value is the best one: the others come from those worse than it.
    choices = [comb(worse, tries - 1) for worse in range(len(values))]
    total = comb(len(values), tries)
    return fsum(value * (count / total) for value, count in zip(worst_first, choices, strict=True))


def gain_by_luck(deviation: float, tries: int) -> float:
    """How much better the best of several tries looks on average if all of them are equally good.

    Parameters
    ----------
    deviation : float
        Standard deviation, at least 0, of the difference of two tries over test sets of this size.
    tries : int
        At least 1. Beyond 2,001 the gain of 2,001 is given.

    Returns
    -------
    float
        The expected largest of so many independent normal numbers, each with its share of that deviation: what all
        tries have in common, because they answer the same items, is no gain.

    References
    ----------
    Dodge et al., "Show Your Work", 2019 (doi:10.18653/v1/D19-1224), with a normal distribution for the tries' own.

    Examples
    --------
    >>> gain_by_luck(0.01, 1)
    0.0
    >>> round(gain_by_luck(0.01, 10), 3)
    0.011
    """
    if deviation < 0:
        raise ValueError(f"`deviation` must be at least 0; it is {deviation}.")
    if tries < 1:
        raise ValueError(f"`tries` must be at least 1; it is {tries}.")
    return 0.0 if tries == 1 else deviation / sqrt(2) * _best_of_normal(min(tries, GRID))


@lru_cache(maxsize=256)
def _best_of_normal(tries: int) -> float:
    normal = NormalDist()
    return expected_best_of([normal.inv_cdf((place + 0.5) / GRID) for place in range(GRID)], tries)


def noise_of_best(values: Floats, errors: Floats, chosen: int) -> Floats:
    """What chance adds to the number of the best of several, had the items been others.

    The best one shows its own noise only where no other came before it. So of every resample the largest noise is
    taken of those that could have been the best in it: those whose distance from the chosen one is small enough, by a
    bound that holds for all distances at once in 99.75 of 100 cases. Where one leads clearly this is its own noise; of
    equal ones it is the largest of all. Noise is compared in standard deviations, and given in those of the chosen one.

    Parameters
    ----------
    values : float array of shape (count,)
        The numbers, of which larger is better.
    errors : float array of shape (replicates, count)
        Their noise in the same resamples of the items, NaN where undefined: about 0, or about what each has gained by
        a choice of its own.
    chosen : int
        Which of them is the best.

    Returns
    -------
    float array of shape (replicates,)

    References
    ----------
    Two steps with a part of the level for the first: Romano, Shaikh and Wolf (2014), doi:10.3982/ECTA9011; of a winner
    among those that may have won: Zrnic and Fithian (2024), arXiv:2212.09009.

    Examples
    --------
    The second one is too far behind to have been the best by chance.

    >>> errors = np.array([[0.01, 0.02], [-0.01, 0.01], [0.0, -0.03]])
    >>> noise_of_best(np.array([0.9, 0.2]), errors, 0).tolist()
    [0.01, -0.01, 0.0]
    """
    count = len(values)
    errors = _without_undefined(errors)
    if count == 1:
        return np.asarray(errors[:, 0])
    means = errors.mean(axis=0)
    centred = errors - means
    variances = _sums_of_squares(centred) / (len(errors) - 1)
    with_chosen = centred[:, chosen] @ centred / (len(errors) - 1)
    beyond = np.maximum(0, variances + variances[chosen] - 2 * with_chosen)
    reach = NormalDist().inv_cdf(1 - _ON_GAPS / (count * (count - 1)))
    least_gaps = values[chosen] - values + means - means[chosen] - reach * np.sqrt(beyond)
    own = errors[:, [chosen]]
    near = np.flatnonzero(np.subtract(errors, own, out=centred).max(axis=0) >= least_gaps)
    spread, of_near = np.sqrt(variances)[near], errors.take(near, axis=1)
    is_behind = of_near - own < least_gaps[near]
    of_near /= np.where(spread > 0, spread, np.inf)
    of_near[is_behind] = -np.inf
    return np.asarray(of_near.max(axis=1) * sqrt(variances[chosen]))


def expected_luck(values: Floats, errors: Floats) -> float:
    """How much too high the number of the best of several is on average; at least 0.

    Values that differ no more than their noise does are taken for equal, others for as far apart as is left of their
    differences once noise is taken off. One that stands further above the others than the best of equals does in 97.5
    of 100 cases is taken as it is: among the others nothing was chosen.

    Parameters
    ----------
    values, errors
        As for `noise_of_best`.

    References
    ----------
    Efron and Morris (1973), doi:10.1080/01621459.1973.10481350, for what is left of the differences.

    Examples
    --------
    >>> expected_luck(np.array([0.5, 0.5]), np.array([[0.1, -0.1], [-0.1, 0.1], [0.0, 0.0]])) > 0
    True
    """
    errors = _without_undefined(errors)
    if len(values) == 1:
        return max(0.0, float(errors.mean()))
    own = errors - errors.mean(axis=1, keepdims=True)
    noise = _sums_of_squares(own) / len(own) - own.mean(axis=0) ** 2
    first = int(values.argmax())
    is_other = np.arange(len(values)) != first
    apart = values.copy()
    apart[is_other] = _drawn_together(values[is_other], noise[is_other])
    equal = np.where(is_other, apart, apart[is_other].mean())
    own += equal
    is_apart = values[first] > np.quantile(own.max(axis=1), 1 - _LEVEL)
    best = ((apart if is_apart else _drawn_together(values, noise)) + errors).argmax(axis=1)
    return max(0.0, float(errors[np.arange(len(errors)), best].mean()))


def corrected_range(
    value: float,
    replicates: Floats,
    noise: Floats,
    *,
    low: float = 0.0,
    high: float = 1.0,
    higher_is_better: bool = True,
) -> tuple[float, float] | None:
    """The 95 % range of a score that was chosen for being the best: both ends, or None where there is no interval.

    Parameters
    ----------
    value, replicates, low, high
        As for `scoring.core.uncertainty.intervals.interval`.
    noise : float array of shape (replicates,)
        As `noise_of_best` gives it: what chance adds to the score's merit.
    higher_is_better : bool
        Whether merit is the score, or the score with its sign turned.

    Returns
    -------
    tuple of float or None
        The far end is that of the plain interval: the chosen one is worth no more than the truly best, which shows no
        more than the chosen one. The near end reaches down as far as the noise of the best does.
    """
    deviation = float(_without_undefined(replicates[:, None]).std(ddof=1))
    if not deviation > 0:
        return None
    most = float(np.quantile(noise, 1 - (_LEVEL - _ON_GAPS), method="higher"))
    down = max(NORMAL_REACH, most / deviation)
    reaches = (down, NORMAL_REACH) if higher_is_better else (NORMAL_REACH, down)
    ends = interval(value, replicates, low, high, reaches=reaches)
    return None if ends is None else (ends.low, ends.high)


def _sums_of_squares(centred: Floats) -> Floats:
    """Of each column, shape (columns,)."""
    return np.asarray(np.einsum("ij,ij->j", centred, centred))


def _drawn_together(values: Floats, noise: Floats) -> Floats:
    """The values as far from their mean as is left of their distances once noise, as variances, is taken off."""
    spread = float(values.var())
    left = max(0.0, 1 - float(noise.mean()) / spread) if spread > 0 else 0.0
    return np.asarray(values.mean() + left * (values - values.mean()))


def _without_undefined(errors: Floats) -> Floats:
    """The errors, and no error where one is undefined."""
    is_undefined = np.isnan(errors)
    if not is_undefined.any():
        return errors
    means = np.where(is_undefined, 0.0, errors).sum(axis=0) / np.maximum(1, (~is_undefined).sum(axis=0))
    return np.where(is_undefined, means, errors)
