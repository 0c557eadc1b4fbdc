"""Is one of two systems better, or was it luck in the items? Paired tests of two systems on the same split."""

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from catalogue.comparison import Comparison
from scoring.core.engine import score_comparison
from scoring.core.uncertainty.exchange import exchanged

Floats = NDArray[np.float64]

DRAWS = 1_000
CONFIDENCE = 0.95
FEWEST_REPLICATES = 100


@dataclass(frozen=True, slots=True)
class Difference:
    """The first score less the second: its interval, its deviation over test sets, and the p of no difference."""

    effect: float
    low: float
    high: float
    deviation: float
    p: float


def paired_bootstrap(first: float, second: float, replicates: tuple[Floats, Floats]) -> Difference | None:
    """The difference of two scores, from replicates on the same resamples.

    Parameters
    ----------
    first, second : float
        The scores on the items themselves.
    replicates : two float arrays of shape (replicates,)
        Each system's scores; entry i of both is of the same resample. NaN where undefined: passed over.

    Returns
    -------
    Difference or None
        None with fewer than 100 resamples in which both have a score. The interval is normal with the deviation of
        the replicates' differences, and p that of the same normal distribution, so that p is below 1 - `CONFIDENCE`
        exactly where the interval leaves out 0. Where no resample varies, p is 1 of equal scores, else at most one
        over the number of resamples.

    References
    ----------
    Efron and Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 13 (doi:10.1201/9780429246593); for NLP:
    Dror et al. 2018 (doi:10.18653/v1/P18-1128).

    Examples
    --------
    >>> noise = np.random.default_rng(1).normal(0, 0.01, (2, 1000))
    >>> found = paired_bootstrap(0.8, 0.7, (0.8 + noise[0], 0.7 + noise[1]))
    >>> found.low > 0, found.p < 0.001
    (True, True)
    """
    differences = replicates[0] - replicates[1]
    differences = differences[np.isfinite(differences)]
    if len(differences) < FEWEST_REPLICATES:
        return None
    effect = first - second
    deviation = float(differences.std(ddof=1))
    if deviation < 1e-12:
        return Difference(effect, effect, effect, 0.0, 1.0 if abs(effect) < 1e-12 else 1 / len(differences))
    normal = NormalDist()
    reach = normal.inv_cdf((1 + CONFIDENCE) / 2) * deviation
    p = 2 * normal.cdf(-abs(effect) / deviation)
    return Difference(effect, effect - reach, effect + reach, deviation, p)


def approximate_randomisation(
    first: Comparison, second: Comparison, metric: str, *, rng: np.random.Generator, draws: int = DRAWS
) -> float | None:
    """The p of no difference by exchanging the two systems' answers item by item at random.

    `exchange.exchanged` says how. Correlations are tested on answers brought to one scale.

    Parameters
    ----------
    first, second : Comparison
        Two systems on the same split: equal outputs and gold labels.
    metric : str
        A name for `metric_for`; any registered metric.
    rng : numpy Generator
    draws : int
        Exchanges, at least 1; the smallest p is 1 / (draws + 1).

    Returns
    -------
    float or None
        None where the metric is undefined for either system, or for every draw.

    Raises
    ------
    ValueError
        If the gold labels are not the same.

    References
    ----------
    Noreen, "Computer-Intensive Methods for Testing Hypotheses", 1989; Yeh, "More Accurate Tests for the
    Statistical Significance of Result Differences", 2000 (aclanthology.org/C00-2137). The 1 in numerator and
    denominator: Phipson and Smyth 2010 (doi:10.2202/1544-6115.1585).
    """
    if not np.array_equal(first.gold_labels, second.gold_labels):
        raise ValueError("The two systems must be compared with the same gold labels.")
    scores = [score_comparison(comparison, [metric])[metric].value for comparison in (first, second)]
    if scores[0] is None or scores[1] is None:
        return None
    drawn = exchanged(first, second, metric, rng=rng, draws=draws)
    drawn = drawn[np.isfinite(drawn)]
    if not len(drawn):
        return None
    # A draw that leaves all as it was must count, whatever rounding makes of it.
    at_least = np.abs(drawn) >= abs(scores[0] - scores[1]) - 1e-9
    return (1 + int(np.count_nonzero(at_least))) / (1 + len(drawn))


def mcnemar(only_first: int, only_second: int) -> float:
    """The exact p of no difference in accuracy, from the items that one of two systems has right and the other wrong.

    Parameters
    ----------
    only_first, only_second : int
        How many items only the first, and only the second, has right; at least 0.

    Returns
    -------
    float
        Two-sided; 1 where there is no such item.

    References
    ----------
    McNemar 1947 (doi:10.1007/BF02295996); `scipy.stats.binomtest`.

    Examples
    --------
    >>> mcnemar(9, 1)
    0.021484375
    """
    from scipy.stats import binom

    if only_first < 0 or only_second < 0:
        raise ValueError(f"Numbers of items must be at least 0; they are {only_first} and {only_second}.")
    both = only_first + only_second
    return min(1.0, 2 * float(binom.cdf(min(only_first, only_second), both, 0.5)))
