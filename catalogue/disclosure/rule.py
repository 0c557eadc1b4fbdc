"""What every rule of disclosure must say of itself."""

from abc import ABC, abstractmethod
from dataclasses import asdict, dataclass
from typing import ClassVar, Self

import numpy as np

from catalogue.disclosure.judgement import Judgement, MissBudget, RowState, ScoredAnswer
from catalogue.section import Section

# Of what is shown: more would tell of the items, and readers nothing.
DECIMALS = 4


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
