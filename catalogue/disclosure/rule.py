"""What every rule of disclosure must say of itself, and what goes into one and comes out of it.

Scores are such that higher is better; callers turn losses round.
"""

from abc import ABC, abstractmethod
from dataclasses import asdict, dataclass, field
from math import isfinite
from typing import ClassVar, Self

import numpy as np

from catalogue.section import Section

# Of what is shown: more would tell of the items, and readers nothing.
DECIMALS = 4


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


@dataclass(frozen=True, slots=True)
class RuleSettings:
    """What organisers may set of rules; each rule reads its own and ignores the others.

    Attributes
    ----------
    digits : int
        Of rounded scores: decimals of a score in 0..1, 1 to 6.
    scale : float
        Of the Ladder with noise: in standard errors of a score, above 0, at most 10.
    """

    digits: int = 2
    scale: float = 0.7


DEFAULT_SETTINGS = RuleSettings()


@dataclass(frozen=True, slots=True)
class RuleTexts:
    """What a rule is called, and what is said of it; settings stand in braces, see `Rule.worded`.

    `title` is what organisers choose it by. `for_organisers` says what it gives and what it does not keep, with the
    figures of `python -m perf.attacks` for 500 answers (two labels, means over seeded boards). `on_board` goes on after
    "While the phase runs,". `on_page` stands above the numbers of a board and `in_mail` in the mail about a release;
    both are empty where scores are exact.
    """

    title: str
    for_organisers: str
    on_board: str
    on_page: str
    in_mail: str


@dataclass(frozen=True, slots=True)
class Rule(ABC):
    """How much of a score a phase shows while it runs. An instance holds its settings; one without keeps the defaults.

    `key` is the word for the rule in definitions and stored rows, `setting` the one of `RuleSettings` that it has, if
    any: its only field, and part of its code. `shows_all` says that every score is shown as it is,
    with intervals and all metrics; `keeps_best` that a row shows its best answer so far, so that no other can count;
    `is_random` that judging again gives another number; `compares_rows` that an answer is compared with the rows of
    other teams.
    """

    key: ClassVar[str]
    texts: ClassVar[RuleTexts]
    keeps_best: ClassVar[bool]
    setting: ClassVar[str] = ""
    shows_all: ClassVar[bool] = False
    is_random: ClassVar[bool] = False
    compares_rows: ClassVar[bool] = False

    @abstractmethod
    def judge(
        self, answer: ScoredAnswer, state: RowState, budget: MissBudget, random: np.random.Generator
    ) -> Judgement:
        """What a board shows for a team after a new answer.

        Parameters
        ----------
        answer : ScoredAnswer
            The new answer, with the errors that the rule judges it by.
        state : RowState
            Of the team in this metric; an empty one before its first answer.
        budget : MissBudget
            Of the whole phase in this metric; only `Sparing` spends from it.
        random : numpy.random.Generator
            Seeded by the caller; only `NoisyLadder` draws from it, once per answer.

        Returns
        -------
        Judgement
            The number, and state and budget for the next answer.

        Raises
        ------
        ValueError
            If the team has a leading answer and `difference_error` is missing, where the rule needs it.
        """

    def worded(self, text: str) -> str:
        """A text of the rule with its settings filled in."""
        return text.format(**asdict(self))

    @property
    def decimals(self) -> int:
        return DECIMALS

    def code(self) -> str:
        """Rule and setting in one short text: what is shown under one code never mixes with another's."""
        return f"{self.key} {getattr(self, self.setting):g}" if self.setting else self.key

    @classmethod
    def of_code(cls, setting: str) -> Self:
        """The rule from what follows the key in its code."""
        kind = type(getattr(DEFAULT_SETTINGS, cls.setting)) if cls.setting else str
        return cls(*map(kind, setting.split()))

    @classmethod
    def of(cls, settings: RuleSettings) -> Self:
        """The rule with its own of these settings."""
        own = [getattr(settings, cls.setting)] if cls.setting else []
        return cls(*own)

    @classmethod
    def declared(cls, section: Section) -> RuleSettings:
        """The settings that a definition gives for the rule."""
        return DEFAULT_SETTINGS


def read_share(section: Section, key: str, most: float) -> float:
    """A number of a definition above 0 and up to `most`; 0 where it is none, which is recorded as a mistake."""
    found = section.real(key)
    if 0 < found <= most:
        return found
    section.wrong(key, f"expected a number above 0 and up to {most:g}, found {found:g}")
    return 0.0
