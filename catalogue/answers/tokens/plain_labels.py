"""One label of a set for each token."""

from dataclasses import dataclass
from typing import Self

from catalogue.answers.label import declared_labels
from catalogue.answers.tokens.per_token import PerToken
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


def refuse_blanks(section: Section, key: str, words: tuple[str, ...]) -> None:
    """A mistake for each word that is empty or has white space in it: labels of tokens stand between blanks."""
    for word in words:
        if word.split() != [word]:
            section.wrong(key, f"{word!r}: expected words without blanks where each token has a label")
