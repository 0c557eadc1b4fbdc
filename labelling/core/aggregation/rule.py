"""What every rule has to say of itself, and how it reads settings and answers."""

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar, TypeAlias

from labelling.core.answers import Value, Work

Settings: TypeAlias = Mapping[str, Any]
"""The value of each setting by its name; what is missing has its default."""


class UnfitSettings(ValueError):
    """Settings that a rule cannot work with, in a sentence for the organiser."""


@dataclass(frozen=True, slots=True)
class RuleSetting:
    """Something about a rule that an organiser may choose.

    `words` say what it is. A `default` that is a whole number, a float or a text tells which of these a value is. A
    number lies from `lowest` to `highest`; a text is one of the options of the question.
    """

    name: str
    words: str
    default: int | float | str
    lowest: float = 0
    highest: float = 1

    def checked(self, value: object, options: Sequence[str]) -> int | float | str:
        """The value; UnfitSettings where it is none for this setting."""
        if isinstance(self.default, str):
            if not isinstance(value, str) or value not in options:
                raise UnfitSettings(
                    f"“{value}” is none of the options, and “{self.words}” must be one of: {', '.join(options)}."
                )
            return value
        is_whole = isinstance(self.default, int)
        if (
            isinstance(value, int | float)
            and not isinstance(value, bool)
            and self.lowest <= value <= self.highest
        ):
            if not is_whole:
                return float(value)
            if value == int(value):
                return int(value)
        raise UnfitSettings(
            f"“{self.words}” must be a {'whole ' * is_whole}number from {self.lowest:g} to {self.highest:g}; "
            f"it is {value}."
        )


FEWEST_ANSWERS = RuleSetting("fewest", "answers that an item needs", 1, lowest=1, highest=1_000)


@dataclass(frozen=True, slots=True)
class RuleFigure:
    """A figure about all items together, which tells the value of none; None where it is not defined."""

    name: str
    value: int | float | None


class AggregationRule(ABC):
    """How the answers about an item become its value.

    `key` is the word for it in stored rows, `title` what organisers choose it by, `question_kinds` the keys of the
    kinds of question whose answers it reads.
    """

    key: ClassVar[str]
    title: ClassVar[str]
    question_kinds: ClassVar[tuple[str, ...]]
    settings: ClassVar[tuple[RuleSetting, ...]]

    @abstractmethod
    def settle(self, work: Work, settings: Settings, rng: Random) -> dict[str, Value | None]:
        """The value of every item of `work.items_of`, sorted by item; None where the rule gives none.

        A unit that shows several items and asks about them together, such as a pair of texts, stands for them by its
        own id. The same answers in any order, and the same state of `rng`, give the same values.

        Raises
        ------
        UnfitSettings
        """

    @abstractmethod
    def describe(self, settings: Settings) -> str:
        """What the rule does, with these settings, in a sentence or two for whoever reads an outcome."""

    def without_labels(self, settings: Settings) -> str:
        """The option that says of an item with no label that it has none; empty where no option does."""
        return ""

    @abstractmethod
    def figures(self, work: Work, settings: Settings, rng: Random) -> tuple[RuleFigure, ...]:
        """What is to be said of the whole besides how many items have a value; often nothing."""

    def checked(self, settings: Settings, options: Sequence[str]) -> dict[str, Any]:
        """All settings, with defaults where there were none. UnfitSettings where the rule cannot work with them."""
        names = [setting.name for setting in self.settings]
        if unknown := sorted(settings.keys() - set(names)):
            known = f"These are there: {', '.join(names)}." if names else "It has none."
            raise UnfitSettings(f"The rule “{self.title}” has no setting `{unknown[0]}`. {known}")
        return {
            setting.name: setting.checked(settings.get(setting.name, setting.default), options)
            for setting in self.settings
        }


def values_by_item(work: Work) -> dict[str, list[Value]]:
    """The answers about each item, as they come; empty for one that nobody has answered. Items are sorted."""
    found: defaultdict[str, list[Value]] = defaultdict(list)
    for unit in work.items_of:
        found[item_of(work, unit)]
    for answer in work.answers:
        found[item_of(work, answer.unit)].append(answer.value)
    return dict(sorted(found.items()))


def as_numbers(values: Sequence[Value]) -> list[float]:
    """Answers that are numbers; ValueError where one is none."""
    found = [value for value in values if isinstance(value, int | float)]
    if len(found) < len(values):
        raise ValueError("Every answer must be a number.")
    return found


def item_of(work: Work, unit: str) -> str:
    """What an answer about a unit is about: its item, or the unit itself where it shows several."""
    items = work.items_of[unit]
    return items[0] if len(items) == 1 else unit


def classes_of_question(work: Work) -> list[Value]:
    """The classes that answers may name, in the question's order; those that they do name where it has no options."""
    if not work.options:
        return sorted({answer.value for answer in work.answers}, key=repr)
    are_whole = any(isinstance(answer.value, int) for answer in work.answers)
    return [int(option) for option in work.options] if are_whole else list(work.options)
