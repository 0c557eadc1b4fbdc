"""One label of a set for each token."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from catalogue.answers.label import declared_labels
from catalogue.answers.tokens.per_token import PerToken
from catalogue.answers.tokens.schemes import mark_entities
from catalogue.gold_column import CellShape, GoldColumn
from catalogue.section import Section


@dataclass(frozen=True, slots=True)
class TokenLabels(PerToken):
    """One of a fixed set of labels for each token, such as its part of speech; labels have no blanks."""

    key = "token_labels"
    stored_name = "TokenLabels"
    phrase = "a label for each token"
    title = "A label for each token, such as its part of speech"
    instruction = "Give each token of each item exactly one of the labels."
    metric = "token_accuracy"
    names_labels = True

    names: tuple[str, ...]

    @classmethod
    def declared(cls, task: Section, output: Section) -> Self:
        labels = declared_labels(task)
        refuse_blanks(task, "labels", labels)
        return cls(labels)

    @property
    def labels(self) -> tuple[str, ...]:
        return self.names

    def describe(self) -> str:
        return f"one of {len(self.names)} labels for each token"

    @classmethod
    def suits_column(cls, column: GoldColumn, texts: Sequence[Sequence[str]]) -> bool:
        """A label for each token that marks no entity, or lists of single words in some of which one stands again."""
        if mark_entities(column.words):
            return False
        if column.shape is CellShape.LIST:
            is_again = any(len(set(part)) < len(part) for part in column.parts)
            return is_again and all(len(word.split()) == 1 for word in set(column.words))
        return column.shape is CellShape.TOKENS


def refuse_blanks(section: Section, key: str, words: tuple[str, ...]) -> None:
    """A mistake for each word that is empty or has white space in it: labels of tokens stand between blanks."""
    for word in words:
        if word.split() != [word]:
            section.wrong(key, f"{word!r}: expected words without blanks where each token has a label")
