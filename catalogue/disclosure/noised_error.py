"""How sure a number is that carries noise: from what is shown and from public figures alone."""

from math import sqrt


def error_of_noised(shown: float, *, deviation: float, effect: float, low: float, high: float) -> float:
    """The standard error of a score that is shown through noise: how it would differ on other items drawn alike.

    Those of the items and of the noise, added as variances. A score that is a mean over n items has an effect of
    (high - low) / n, and varies at most as if every item were worth one of the ends (Bhatia and Davis 2000,
    doi:10.2307/2589180), which is the standard error of accuracy. An F1 varies less than its effect allows, so that the
    error is too large for it: by 1.6 to 3 times in `perf.attacks.noised_intervals`.

    Parameters
    ----------
    shown
        The number on the board, from `low` to `high`.
    deviation
        Of the noise, with what rounding and the choice of the best add to it; at least 0, in units of the metric.
    effect
        The most that one label can change the metric, above 0.
    low, high
        The least and the largest value of the metric; finite.

    Examples
    --------
    >>> round(error_of_noised(0.8, deviation=0.003, effect=1 / 400, low=0, high=1), 4)
    0.0202
    """
    of_items = max(0.0, (high - shown) * (shown - low)) * effect / (high - low)
    return sqrt(of_items + deviation**2)
