"""Which of two candidates is preferred."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from catalogue.answers.label import Label, declared_labels
from catalogue.gold_column import CellShape, GoldColumn
from catalogue.section import Section, nearest

TIE = "tie"
_TIES = ("tie", "ties", "tied", "equal", "same", "neither", "both", "draw", "none", "0")
_OF_PREFERENCE = re.compile("prefer(red|ence|s)?|better|best|winner|wins|chosen")


@dataclass(frozen=True, slots=True)
class Preference(Label):
    """Which of two is preferred, or that neither is. Canonical array as of `Label`.

    `names` are the label of the first, that of the second, and `tie` where there is one: wherever a definition lists
    it, it stands last.
    """

    key = "preference"
    stored_name = "Preference"
    phrase = "which of two is preferred"
    title = "Which of two is preferred"
    instruction = "Say of each item which of its two candidates is preferred."
    metric = "accuracy"
    may_accept_several = False

    @classmethod
    def declared(cls, task: Section, output: Section) -> Self:
        return cls(names_of_two(task, output))

    def describe(self) -> str:
        return f"which of two is preferred: {' or '.join(self.names)}"

    @classmethod
    def suits(cls, cells: Sequence[str], texts: Sequence[Sequence[str]]) -> bool:
        return False  # labels do not say that they are about two candidates, but see `suits_column`

    @classmethod
    def suits_column(cls, column: GoldColumn, texts: Sequence[Sequence[str]]) -> bool:
        """Two or three labels in a column that is called like a preference."""
        is_called_so = any(map(_OF_PREFERENCE.fullmatch, re.findall("[a-z]+", column.name.casefold())))
        return is_called_so and column.shape is CellShape.TEXT and len(set(column.words)) in (2, 3)

    @classmethod
    def output_in(cls, column: GoldColumn, labels: Sequence[str]) -> dict[str, Any]:
        return named_tie(labels)


def named_tie(labels: Sequence[str]) -> dict[str, Any]:
    """What a definition says of the label of a tie, where one of three is called like one."""
    tie = next((label for label in labels if label.casefold() in _TIES), TIE)
    return {"tie": tie} if tie != TIE and len(labels) > 2 else {}


def names_of_two(task: Section, output: Section) -> tuple[str, ...]:
    """The label of the first, of the second and of a tie, if there is one."""
    labels = declared_labels(task)
    tie = output.text("tie", TIE if TIE in labels else "")
    if tie and tie not in labels:
        output.wrong("tie", f"{tie!r} is not one of the labels{nearest(tie, labels)}")
    of_candidates = tuple(label for label in labels if label != tie)
    if len(of_candidates) != 2:
        task.wrong(
            "labels",
            "expected one label for each of two candidates, and at most one for a tie (`output.tie`)",
        )
    return (*of_candidates, tie) if tie else of_candidates
