"""A question as a campaign asks it, and what every kind of question has to say of itself."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from labelling.core.answers import Value

Sent = Mapping[str, Sequence[str]]
"""What a form or a JSON object sends: the values of each field."""


class UnfitAnswer(ValueError):
    """Something that is no answer to the question, in a sentence for whoever sent it."""


class UnfitQuestion(ValueError):
    """A question that cannot be asked as it is, in a sentence for the organiser."""


@dataclass(frozen=True, slots=True)
class Option:
    """What can be chosen: its value in answers and files, the words on its button, and what is meant by it.

    One that stands `alone`, such as "no emotion", is chosen together with no other.
    """

    value: str
    text: str
    gloss: str = ""
    alone: bool = False


@dataclass(frozen=True, slots=True)
class CampaignQuestion:
    """What is asked of each unit.

    kind : the key of a member of `QUESTION_KINDS`
    text : the sentence above the options, in the language of the workers
    options : what can be chosen, in order; empty where nothing is
    lowest, highest : the range of a number, both included
    wants_reason : whether a "no" needs a reason
    options_drawn : whether every worker sees the options in an order of their own
    """

    kind: str
    text: str
    options: tuple[Option, ...] = ()
    lowest: float = 0.0
    highest: float = 1.0
    wants_reason: bool = False
    options_drawn: bool = False

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(option.value for option in self.options)

    def as_json(self) -> dict[str, Any]:
        """What a column of JSON keeps of it."""
        return {
            "kind": self.kind,
            "text": self.text,
            "options": [[each.value, each.text, each.gloss, each.alone] for each in self.options],
            "lowest": self.lowest,
            "highest": self.highest,
            "wants_reason": self.wants_reason,
            "options_drawn": self.options_drawn,
        }

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> "CampaignQuestion":
        return cls(**{**kept, "options": tuple(Option(*each) for each in kept["options"])})


class QuestionKind(ABC):
    """A kind of question: how it is checked, how an answer is read, and how it is kept."""

    key: ClassVar[str]
    title: ClassVar[str]
    items_per_unit: ClassVar[int] = 1
    needs_options: ClassVar[bool] = True
    is_written: ClassVar[bool] = False
    uses: ClassVar[tuple[str, ...]] = ("options", "options_drawn")
    """Which of a question's further attributes mean something to it."""
    page: ClassVar[str]  # the part of a template that asks it
    fields: ClassVar[tuple[str, ...]] = ("label",)
    """In which an answer is sent, and the columns of files of answers."""

    def check(self, question: CampaignQuestion) -> None:
        """UnfitQuestion where it cannot be asked."""
        if not question.text.strip():
            raise UnfitQuestion("The question has no text. Write the sentence that stands above the options.")
        values = question.labels
        if len(set(values)) < len(values):
            twice = next(value for value in values if values.count(value) > 1)
            raise UnfitQuestion(f"“{twice}” stands twice among the options. Keep one.")
        if self.needs_options and len(values) < 2:
            raise UnfitQuestion(f"There are {len(values)} options; expected at least 2.")

    @abstractmethod
    def read(self, sent: Sent, question: CampaignQuestion, items: Sequence[str]) -> Value:
        """The answer that was sent about a unit of these items; UnfitAnswer where it is none."""

    def kept(self, value: Value) -> Any:
        """What JSON keeps of an answer."""
        return list(value) if isinstance(value, tuple) else value

    def loaded(self, kept: Any) -> Value:
        """The answer that JSON has kept."""
        value: Value = tuple(kept) if isinstance(kept, list) else kept
        return value

    def sent(self, cells: Mapping[str, str]) -> Sent:
        """What a form sends for the answer that cells of a file state, by `fields`."""
        return {name: [cells[name]] for name in self.fields}

    def cells(self, value: Value) -> tuple[str, ...]:
        """An answer as the cells of a file state it, one for each of `fields`."""
        return tuple(map(str, value)) if isinstance(value, tuple) else (str(value),)

    def in_words(self, value: Value, question: CampaignQuestion) -> str:
        """An answer as pages show it."""
        words = {option.value: option.text for option in question.options}
        return words.get(str(value), str(value))


def one(sent: Sent, name: str) -> str:
    """The one value of a field; empty where it was not sent. UnfitAnswer where there are several."""
    values = sent.get(name, ())
    if len(values) > 1:
        raise UnfitAnswer(f"“{name}” was sent {len(values)} times; expected once.")
    return values[0] if values else ""
