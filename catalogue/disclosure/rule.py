"""What every rule of disclosure must say of itself."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from catalogue.disclosure.coin_weighing import answers_that_tell_a_half
from catalogue.disclosure.noisy_display import NoisyDisplay

# Of what is shown while labels are hidden: more would tell of the items, and readers nothing.
DECIMALS = 4
PRINTED = 3
"""Of a number on a page, but for `MANY_POINTS` and more, which have two."""
MANY_POINTS = 10

ALL = ""
DISPLAYED = "displayed"
NOISED = "noised"
REMAINDER = "remainder"
"""Which items of a split an answer is scored on: all of them; the displayed half, as it is or through noise; or the
half that is kept back."""

RANKED_AGAIN = {REMAINDER: "remainder_again", ALL: "all_again"}
"""The same items where those kept back have ranked before: through the noise of `second_ranking`."""
NOISY = {NOISED, *RANKED_AGAIN.values()}
"""Where nothing but one number with noise is told of an answer, and what follows from it: no test, no other metric."""


def printed_decimals(value: float) -> int:
    """How many decimals a page prints of a number.

    >>> printed_decimals(0.5), printed_decimals(-82.0)
    (3, 2)
    """
    return 2 if abs(value) >= MANY_POINTS else PRINTED


def few_digits(value: float) -> float:
    """The number with as many decimals as go out while labels are hidden, and printed on pages as the number itself is.

    Where rounding twice would print another last digit, it is the next number below or above: less than .0001 from the
    exact one in place of half of that.

    >>> few_digits(0.7114656), few_digits(0.65432)
    (0.7114, 0.6543)
    """
    few = round(value, DECIMALS)
    # Only what ends in 5 or 0 can be printed otherwise: as floats, these leave nearly 0 or nearly 5.
    if few != value and abs(few * 10**DECIMALS % 5 - 2.5) > 2:
        printed = printed_decimals(value)
        if f"{few:.{printed}f}" != f"{value:.{printed}f}":
            few = round(few + (1 if few < value else -1) / 10**DECIMALS, DECIMALS)
    return few + 0.0  # no zero with a sign


@dataclass(frozen=True, slots=True)
class RuleTexts:
    """What a rule is called, and what is said of it.

    `title` is what organisers choose it by, `for_organisers` says what it gives and what it costs. `on_board` is a
    sentence among the rules of a phase. `on_page` stands above the numbers of a board while the phase runs, `in_mail`
    in the mail about a release; both are empty where scores are exact.
    """

    title: str
    for_organisers: str
    on_board: str
    on_page: str = ""
    in_mail: str = ""


@dataclass(frozen=True, slots=True)
class HiddenItems:
    """What a rule needs to know of a test set to say in numbers what holds for it.

    `label_effect` is the most that one label can change the score if one item of all counts, None without a bound;
    `label_count` is 0 where answers are no labels.
    """

    item_count: int
    label_count: int
    label_effect: float | None

    @property
    def answers_that_tell(self) -> int | None:
        """How many exact accuracies of one half tell its items and their labels; None where that is not known."""
        known = self.item_count > 1 and self.label_count > 1
        return answers_that_tell_a_half(self.item_count, self.label_count) if known else None


class Rule(ABC):
    """How much of the scores a phase shows before its end.

    `key` is the word for the rule in definitions and stored rows. `shows_before_end` says whether anything is shown
    while the phase runs, `shows_all` that what is shown are exact scores with intervals and all metrics, `keeps_back`
    that half of the items rank at the end alone, `keeps_best` that a row shows its best answer so far, so that no other
    can count.
    """

    key: ClassVar[str]
    texts: ClassVar[RuleTexts]
    shows_before_end: ClassVar[bool] = True
    shows_all: ClassVar[bool] = True
    keeps_back: ClassVar[bool] = False
    keeps_best: ClassVar[bool] = False

    @classmethod
    def shows_everything(cls) -> bool:
        """Whether exact scores over all items are shown from the first release on."""
        return cls.shows_before_end and cls.shows_all and not cls.keeps_back

    @classmethod
    @abstractmethod
    def part(cls, item_count: int, *, at_the_end: bool) -> str | None:
        """The items of a split that answers are scored on; None where nothing of it is scored yet."""

    @classmethod
    @abstractmethod
    def in_numbers(cls, items: HiddenItems) -> str:
        """What holds for a test set, in a sentence or a few with its numbers: what is shown, proved and paid."""

    @classmethod
    def suits(cls, items: HiddenItems) -> bool:
        """Whether the rule may be proposed for a test set in place of `sealed`; no, unless it says so."""
        return False

    @classmethod
    def display(cls, item_count: int, label_effect: float | None) -> NoisyDisplay | None:
        """What stands between scores and the board while the phase runs; None where they are shown as they are.

        Parameters
        ----------
        item_count : int
            Displayed items, at least 1.
        label_effect : float or None
            The most that one label can change the metric; None where that has no useful bound.
        """
        return None
