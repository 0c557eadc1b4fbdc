"""Several systems' scores together: the median team."""

from collections.abc import Sequence


def median_team(scores: Sequence[float], *, higher_is_better: bool = True) -> int:
    """Position of the team in the middle of the ranking, whose whole row a board can show as *median team*.

    Of an even number of teams it is the worse of the two in the middle, as in Affect in Tweets, where the median
    of 44 teams is the 23rd. Baselines are to be left out. Of equal scores the first listed counts as better.

    >>> median_team([0.9, 0.1, 0.5, 0.7])
    2
    """
    if not scores:
        raise ValueError("`scores` must hold at least one team's score; it is empty.")
    ranking = sorted(range(len(scores)), key=lambda team: scores[team], reverse=higher_is_better)
    return ranking[len(scores) // 2]
