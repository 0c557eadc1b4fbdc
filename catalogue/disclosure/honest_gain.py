"""How often an honest gain shows after one answer: what a rule costs those who ask for no labels."""

from math import sqrt
from statistics import NormalDist

GAIN = 0.01
OUTCOMES_THAT_DIFFER = 0.05
"""Of items, between two versions of a system one of which is better by `GAIN`."""


def chance_that_it_shows(item_count: int, *, gain: float = GAIN) -> float:
    """The chance with which a system that is better by `gain` has more right answers than before, from 0 to 1.

    A normal approximation: gains and losses of right answers on items drawn at random, one item counted as one.

    Parameters
    ----------
    item_count : int
        Items that scores are shown of, exactly; at least 1.
    gain : float
        In accuracy, from 0 to `OUTCOMES_THAT_DIFFER`.

    Examples
    --------
    >>> round(chance_that_it_shows(150), 2), round(chance_that_it_shows(1_200), 2)
    (0.64, 0.93)
    """
    return NormalDist().cdf((gain * item_count - 0.5) / sqrt(OUTCOMES_THAT_DIFFER * item_count))


def price(shown: float, of_luck: float) -> str:
    """A sentence of the two chances, each from 0 to 1: that a gain of one point shows, and that luck does."""
    return (
        f"An honest gain of one point shows in {100 * shown:.0f} % of cases, and so does a change without any gain in "
        f"{100 * of_luck:.0f} %, where one outcome in twenty differs."
    )
