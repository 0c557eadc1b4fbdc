"""Scores shown through noise and a budget, so that nobody reads single labels off a board.

An answer that is *judged* is worth its score plus Gaussian noise, drawn once for each distinct set of predictions, and
everything shown follows from these numbers alone. At most `budget` answers are judged, hits and misses alike, and which
ones does not depend on labels. One label changes a score by at most `label_effect`. What is shown of k judged answers
is then √k/sigma-Gaussian differentially private for each label, also against people who know all others and choose
every answer after what they have seen: Dong, Roth and Su (2022), arXiv:1905.02383; Smith and Thakurta (2022),
arXiv:2210.17520. Of two labels that are equally likely beforehand, the right one is named with a chance of at most
Φ(√k / 2 sigma).
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, sqrt
from statistics import NormalDist

from catalogue.disclosure.honest_gain import GAIN, OUTCOMES_THAT_DIFFER
from catalogue.disclosure.keyed_draws import normal, uniform

MOST_JUDGED = 500
JUDGED_PER_ITEM = 0.065  # with the noise below nobody names a label with more than 73 %
SHARE_OF_A_WEEK = 0.125
SHARE_OF_A_GROUP = 0.15
NOISE_PER_ITEM = 0.21  # items, times √items: .42 standard errors of a score of one half
ERRORS_OF_A_GAIN = 0.53  # a gain of one point on 5,000 items shows in 79 % of cases, luck in 30 %


@dataclass(frozen=True, slots=True)
class ShownRow:
    """What stands on the board for a row: the number, and the noised score of the answer that it stands for."""

    shown: float
    level: float


@dataclass(frozen=True, slots=True)
class Waiting:
    """An answer that waits to be judged, and the group of connected people that it comes from."""

    name: str
    group: str


@dataclass(frozen=True, slots=True)
class NoisyDisplay:
    """The noise and the budget of a displayed half.

    Attributes
    ----------
    item_count : int
        Displayed items, at least 1.
    label_effect : float
        The most that one label can change the score, above 0; 1 / `item_count` for accuracy.

    Examples
    --------
    >>> display = NoisyDisplay(2500, 1 / 2500)
    >>> display.budget, round(display.sigma, 1), round(display.certainty(display.budget), 3)
    (162, 10.5, 0.728)
    """

    item_count: int
    label_effect: float

    @property
    def budget(self) -> int:
        """How many answers are judged in a phase, at least 1."""
        return max(1, min(MOST_JUDGED, round(JUDGED_PER_ITEM * self.item_count)))

    @property
    def group_budget(self) -> int:
        """How many of them may come from one group of connected people."""
        return max(1, ceil(SHARE_OF_A_GROUP * self.budget))

    @property
    def week_budget(self) -> int:
        """How many are judged at one cut-off."""
        return max(1, round(SHARE_OF_A_WEEK * self.budget))

    @property
    def sigma(self) -> float:
        """Standard deviation of the noise, in labels."""
        return NOISE_PER_ITEM * sqrt(max(self.item_count, self.budget / JUDGED_PER_ITEM))

    @property
    def deviation(self) -> float:
        """Standard deviation of the noise, of a score."""
        return self.sigma * self.label_effect

    def certainty(self, judged: int) -> float:
        """The chance with which one of two equally likely labels is named rightly, at most, after so many answers."""
        return NormalDist().cdf(sqrt(judged) / self.sigma / 2)

    def noised(self, score: float, *, key: bytes, predictions: bytes) -> float:
        """The score with the noise of these predictions: their digest on the displayed items."""
        return score + self.deviation * normal(key, predictions)

    def row_after(self, before: ShownRow | None, level: float, differing: int) -> ShownRow | None:
        """The row after another of its answers was judged; None where it stays as it is.

        A row moves where the noised gain exceeds half of its own deviation, nearly. Numbers come in steps of the noise.

        Parameters
        ----------
        before : ShownRow or None
            None for the first answer.
        level : float
            The noised score of the new answer; higher is better.
        differing : int
            In how many displayed items the new answer differs from the one that the row stands for.
        """
        step = self.deviation
        shown = round(level / step) * step
        if before is None:
            return ShownRow(shown, level)
        if level - before.level <= ERRORS_OF_A_GAIN * self._error(differing):
            return None
        return ShownRow(max(shown, before.shown + step), level)

    def chance_that_it_shows(self, *, gain: float = GAIN) -> float:
        """The chance with which a row moves whose new answer is judged and better by `gain`, from 0 to 1.

        >>> round(NoisyDisplay(2500, 1 / 2500).chance_that_it_shows(), 2)
        0.79
        """
        error = self._error(round(OUTCOMES_THAT_DIFFER * self.item_count))
        return NormalDist().cdf(gain / error - ERRORS_OF_A_GAIN)

    def _error(self, differing: int) -> float:
        """The standard error of the difference of two noised scores whose answers differ in so many items."""
        return sqrt(differing / self.item_count**2 + 2 * self.deviation**2)

    def lot(self, waiting: Sequence[Waiting], *, judged: Mapping[str, int], key: bytes) -> list[str]:
        """The names of the answers that are judged at a cut-off, in the order of the lot.

        Each group has one drawn before any has a second. It does not depend on any label.

        Parameters
        ----------
        waiting : sequence of Waiting
            Each answer once; those whose predictions were judged already cost nothing and are not among them.
        judged : mapping of group to int
            How many answers of each group were judged in the phase so far.
        key : bytes
            Of this cut-off.
        """
        left = min(self.week_budget, self.budget - sum(judged.values()))
        of_group: dict[str, int] = defaultdict(int)
        in_turn = []
        for one in sorted(waiting, key=lambda one: uniform(key, one.name.encode())):
            of_group[one.group] += 1
            if judged.get(one.group, 0) + of_group[one.group] <= self.group_budget:
                in_turn.append((of_group[one.group], one.name))
        return [name for _turn, name in sorted(in_turn, key=lambda turn: turn[0])][: max(0, left)]
