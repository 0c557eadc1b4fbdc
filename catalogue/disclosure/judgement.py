"""What goes into a rule and comes out of it. Scores are such that higher is better; callers turn losses round."""

from dataclasses import dataclass, field
from math import isfinite


@dataclass(frozen=True, slots=True)
class NearRow:
    """A row of the board as an answer of another team meets it: what is shown of it, and how far that is from it.

    Attributes
    ----------
    shown : float
        The number that the board shows.
    difference : float
        Exact score of the answer less that of the row.
    error : float
        Standard error of that paired difference, at least 0.
    """

    shown: float
    difference: float
    error: float


@dataclass(frozen=True, slots=True)
class ScoredAnswer:
    """A scored answer, before anybody sees its score.

    Attributes
    ----------
    score : float
        Finite, higher is better.
    item_count : int
        Items of the split, at least 1.
    error : float
        Standard error of the score itself, at least 0.
    difference_error : float or None
        Standard error of the paired difference to the team's leading answer; None for its first. For accuracy
        sqrt(d - g**2) / sqrt(n) with d the share of items of which one of the two is right, and g the gain; for
        other metrics the standard deviation of the differences of paired bootstrap replicates.
    rows : tuple of NearRow
        The rows of the other teams, or the few dozen nearest to it (of least error); of use to `Sparing` alone.

    Raises
    ------
    ValueError
        Naming the attribute and its rule.
    """

    score: float
    item_count: int
    error: float
    difference_error: float | None = None
    rows: tuple[NearRow, ...] = ()

    def __post_init__(self) -> None:
        if not isfinite(self.score):
            raise ValueError(f"`score` must be finite; it is {self.score}.")
        if self.item_count < 1:
            raise ValueError(f"`item_count` must be at least 1; it is {self.item_count}.")
        errors = [self.error, 0.0 if self.difference_error is None else self.difference_error]
        if not all(isfinite(error) and error >= 0 for error in errors):
            raise ValueError(
                f"`error` and `difference_error` must be finite and at least 0; they are {errors}."
            )


@dataclass(frozen=True, slots=True)
class RowState:
    """Where a team stands in a phase, in one metric: what is shown, and the exact score behind it (secret).

    `behind` is how far the gains shown are behind the exact ones, because they are shown in whole steps; it is
    made good with the next gain. Secret too.
    """

    shown: float | None = None
    leader: float | None = None
    behind: float = 0.0


@dataclass(frozen=True, slots=True)
class MissBudget:
    """What a phase as a whole has spent on misses, whoever made them.

    `mark` is the highest number the phase showed when the budget was last filled: the first number at the start,
    or, better, what the best baseline has. Only beyond it does a score count as progress.
    """

    spent: float = 0.0
    mark: float | None = None


@dataclass(frozen=True, slots=True)
class Judgement:
    """The number to show, and the state for the next answer.

    Attributes
    ----------
    shown : float
        What stands on the board for the team after this answer.
    leads : bool
        Whether this answer is what the number stands for from now on: later answers are compared with it.
    """

    shown: float
    leads: bool
    state: RowState
    budget: MissBudget = field(default_factory=MissBudget)
