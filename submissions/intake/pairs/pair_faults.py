"""The ids, labels and texts of the items of minimal pairs, and what can be wrong between two rows of them."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple
from unicodedata import normalize

from benchmarks.spec import TaskSpec
from benchmarks.spec.protocol import LONGEST_CATEGORY
from catalogue.answers.label_names import LabelNames
from catalogue.problems import Finding, ProblemCode, quoted, visible
from catalogue.suggestions import nearest
from submissions.intake.problem_rules import RULES
from submissions.intake.tables.table_schema import FindFault, TableRow, doubled_id

# How the ids of the two items of a pair end.
ORIGINAL, CHANGED = "a", "b"
_BEFORE_DIFFERENCE = 20


class PairLine(NamedTuple):
    """One row. The label is as the task lists it; None if it is wrong. `stem` and `side` are those of the id."""

    number: int
    id: str
    stem: str
    side: str
    original_id: str
    text: str
    label: str | None
    rationale: str
    category: str = ""


class PairIds:
    """The ids of the items of pairs: a stem, the separator, and the side."""

    def __init__(self, separator: str) -> None:
        self._separator = separator

    def parts(self, item: str) -> tuple[str, str]:
        """Stem and side of an id; the stem is empty where the id has none."""
        stem, _, side = item.rpartition(self._separator)
        return stem, side

    def belongs(self, stem: str, original_id: str) -> bool:
        """Whether a pair of that stem may be made of that original."""
        root = self.root(original_id)
        return stem == root or stem.startswith(root + self._separator)

    def root(self, original_id: str) -> str:
        """The stem of the first pair that is made of an original."""
        return original_id.removesuffix(self.id_of("", ORIGINAL))

    def id_of(self, stem: str, side: str) -> str:
        return stem + self._separator + side

    def expected(self, original_id: str, side: str = CHANGED) -> str:
        """An id that would do for a row with that original, to be shown."""
        return visible(self.id_of(self.root(original_id) or "558", side))

    def wrong(self, line: PairLine, what: str) -> Finding:
        """An id that is none of a row with that original; `what` continues the sentence."""
        side = line.side if line.side == ORIGINAL else CHANGED
        expected = self.expected(line.original_id, side)
        rule = (
            f"The id of a changed sentence is its original's with {self.id_of('', CHANGED)} behind it, here "
            f"{quoted(expected)}; an original's ends in {self.id_of('', ORIGINAL)}."
        )
        return Finding(
            ProblemCode.PAIR_ID_STEM, f"{quoted(line.id)} {what}. {rule}", visible(line.id), expected
        )


def text_fault(row: TableRow) -> FindFault | None:
    return (
        None
        if row["text"].strip()
        else partial(
            Finding, ProblemCode.TEXT_MISSING, "The row has no text. Give the sentence.", visible(row["text"])
        )
    )


def one_line(cell: str) -> str:
    """A cell without spaces around it, and with one between its words."""
    return " ".join(cell.split())


def category_fault(cell: str, categories: Sequence[str]) -> FindFault | None:
    """What is wrong with the kind of a change: it is none of the organiser's, or, without those, too long."""
    category = one_line(cell)
    if not category or category in categories:
        return None
    if categories:
        message = f"{quoted(category)} is no category of changes here. Choose one of {', '.join(categories)}."
        expected = nearest(category, categories)
        return partial(Finding, ProblemCode.PAIR_CATEGORY, message, visible(cell), expected)
    if len(category) <= LONGEST_CATEGORY and category.isprintable():
        return None
    rule = RULES[ProblemCode.PAIR_CATEGORY]
    return partial(
        Finding, ProblemCode.PAIR_CATEGORY, f"{quoted(cell)} cannot be a category. {rule}", visible(cell)
    )


def plain(text: str) -> str:
    """The text without what nobody sees: how spaces and accents are written."""
    return " ".join(normalize("NFC", text).split())


def same_id(line: PairLine, other: PairLine) -> Finding:
    """An id that stands on another line already; what matters more is a label that differs."""
    if line.label is not None and line.label != other.label and plain(line.text) == plain(other.text):
        return contradiction(line, other)
    return doubled_id(line.id, "Every pair has one of its own.", other.number)


def contradiction(line: PairLine, other: PairLine) -> Finding:
    """One sentence with two labels, both of them the team's own."""
    return Finding(
        ProblemCode.PAIR_LABELS_CONTRADICT,
        f"The same sentence has the label {quoted(other.label or '')} on line {other.number} and "
        f"{quoted(line.label or '')} here. Keep one of the two rows.",
        visible(line.label or ""),
        visible(other.label or ""),
    )


def altered(line: PairLine, text: str) -> Finding:
    """Where a repeated original begins to differ from the starter data."""
    shorter = min(len(text), len(line.text))
    at = next((place for place in range(shorter) if text[place] != line.text[place]), shorter)
    start = max(0, at - _BEFORE_DIFFERENCE)
    return Finding(
        ProblemCode.PAIR_ORIGINAL_CHANGED,
        f"The text differs from {quoted(line.original_id)} of the starter data at character {at + 1}. Give the "
        "original as it is there, or leave this row out: nobody need repeat an original.",
        visible(line.text[start:]),
        visible(text[start:]),
    )


class PairLabels:
    """The labels that the items of a task's pairs may have: those of its set that can be right, or any span."""

    def __init__(self, task: TaskSpec) -> None:
        if not task.output.is_one_text:
            raise ValueError(f"The items of {task.id} have neither one label of a set nor a span.")
        self._set: LabelNames | None = None
        if task.output.is_one_label:
            names = task.output.gold_labels
            self._set = LabelNames(names, (pair for pair in task.gold.also_written if pair[1] in names))

    def is_one(self, cell: str) -> bool:
        return self._set is not None and cell in self._set.code_of

    def read(self, cell: str, text: str) -> str | None:
        """The label of that sentence as the task lists it; None if the cell is wrong."""
        if self._set is None:
            return cell if cell.strip() and cell in text else None
        return self._set.names[self._set.code_of[cell]] if cell in self._set.code_of else None

    def fault(self, cell: str, text: str) -> Callable[[], Finding] | None:
        return partial(self.explain, cell) if self.read(cell, text) is None else None

    def explain(self, cell: str) -> Finding:
        """What is wrong with a cell that is no label."""
        if self._set is not None:
            return self._set.explain(cell)
        if not cell.strip():
            return Finding(
                ProblemCode.EMPTY_LABEL,
                "The span is empty. Give a part of the sentence.",
                visible(cell),
                "a part of the sentence",
            )
        return Finding(
            ProblemCode.SPAN_NOT_IN_TEXT,
            f"{quoted(cell)} does not stand in the sentence. Give a part of it, letter by letter.",
            visible(cell),
            "a part of the sentence",
        )
