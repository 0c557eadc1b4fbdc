"""The smallest difference between two systems that a split can show."""

from math import sqrt
from statistics import NormalDist

POWER = 0.8
LEVEL = 0.05


def smallest_difference(deviation: float, *, power: float = POWER, level: float = LEVEL) -> float:
    """How far apart two systems must be for a test to find it with probability `power`.

    Parameters
    ----------
    deviation : float
        Standard deviation, at least 0, of the difference of the two scores over test sets of this size: that of
        paired replicates, or `deviation_of_accuracy`.
    power : float
        Chance that a true difference of this size is found; above 0 and below 1.
    level : float
        Chance of a false alarm of the two-sided test; above 0 and below 1.

    Returns
    -------
    float
        In the units of the score, at least 0. A smaller difference may be real all the same: this split is too
        small to say so.

    References
    ----------
    Card et al., "With Little Power Comes Great Responsibility", 2020 (doi:10.18653/v1/2020.emnlp-main.745).

    Examples
    --------
    >>> round(smallest_difference(deviation_of_accuracy(150, discordance=0.1)), 3)
    0.072
    """
    if deviation < 0:
        raise ValueError(f"`deviation` must be at least 0; it is {deviation}.")
    for name, share in (("power", power), ("level", level)):
        if not 0 < share < 1:
            raise ValueError(f"`{name}` must be above 0 and below 1; it is {share}.")
    normal = NormalDist()
    return (normal.inv_cdf(1 - level / 2) + normal.inv_cdf(power)) * deviation


def deviation_of_accuracy(item_count: int, *, discordance: float) -> float:
    """Standard deviation of the difference of two accuracies on the same items.

    Parameters
    ----------
    item_count : int
        Items of the split, at least 1.
    discordance : float
        The share of items that one of the two systems has right and the other wrong, from 0 to 1. It has to be
        assumed where no two systems are known.

    Returns
    -------
    float
        √(discordance / item_count): what is left under the root of a true difference, its square, is passed over,
        so that the smallest difference is rather too large than too small.

    References
    ----------
    Connor, "Sample Size for Testing Differences in Proportions for the Paired-Sample Design", 1987
    (doi:10.2307/2531961).
    """
    if item_count < 1:
        raise ValueError(f"`item_count` must be at least 1; it is {item_count}.")
    if not 0 <= discordance <= 1:
        raise ValueError(f"`discordance` must be from 0 to 1; it is {discordance}.")
    return sqrt(discordance / item_count)
