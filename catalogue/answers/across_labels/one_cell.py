"""Numbers of all labels in one cell, as JSON writes a list of them or an object from label to number."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any

from catalogue.answers.arrays import Answers
from catalogue.answers.reading import LONGEST_NUMBER, AnswerReader, JsonCell
from catalogue.answers.several_numbers import NumbersReader
from catalogue.answers.structured.json_list import WrongListError, read_json
from catalogue.problems import Fault, FaultKind, Finding, ProblemCode, quoted, visible
from catalogue.section import Section

_JSON_SIGNS = 8  # quotes, a colon, a comma and blanks
_SHOWN = 5  # labels
_WITHOUT_COMMAS = re.compile(r"\[[0-9.eE+\s-]*\]")  # as numpy prints arrays
_AS_PYTHON = re.compile(r"\{\s*(?:'|[0-9])")  # a key in single quotes, or a number


class CellWriting(StrEnum):
    """How the numbers of an item stand in one cell."""

    LIST = "list"
    OBJECT = "object"


def declared_writing(output: Section) -> str:
    """How the numbers of an item stand in one cell; empty where each has a column, or a key in JSON."""
    return output.choice("written", CellWriting).value if output.has("written") else ""


def one_cell(names: Sequence[str], written: str) -> JsonCell:
    """What a JSON file holds for the one cell."""
    longest = sum(LONGEST_NUMBER + len(name) + _JSON_SIGNS for name in names)
    return JsonCell(is_number=False, expected=_expected(names, written), longest=max(1_000, longest))


def in_one_cell(names: Sequence[str], numbers: Sequence[float], written: str) -> str:
    """The numbers as JSON writes them."""
    value: Any = list(numbers) if written == CellWriting.LIST else dict(zip(names, numbers, strict=True))
    return json.dumps(value, ensure_ascii=False)


class OneCellReader(AnswerReader):
    """Reads the numbers of an item in one cell, and hands them on to the reader of numbers.

    `absent` is what an object says of a label that it leaves out; empty where it must name all.
    """

    def __init__(
        self, numbers: NumbersReader, names: Sequence[str], written: str, label_column: str, absent: str
    ) -> None:
        self.most_characters = one_cell(names, written).longest
        super().__init__((label_column,), numbers.dtype, self.most_characters)
        self._numbers, self._names, self._written, self._absent = numbers, tuple(names), written, absent

    def value(self, cells: Sequence[str]) -> Any:
        try:
            return self._numbers.value(self._parts(cells[0]))
        except WrongListError:
            return None

    def finding(self, cell: str) -> Finding:
        return next(find() for _, _, find in self.explain([cell]))

    def explain(self, cells: Sequence[str]) -> Iterator[Fault]:
        try:
            parts = self._parts(cells[0])
        except WrongListError as wrong:
            yield 0, self.columns[0], wrong.find
            return
        for _, _, find in self._numbers.explain(parts):
            yield 0, self.columns[0], find

    def count_faults(self, cells: Sequence[str]) -> Mapping[FaultKind, int]:
        try:
            return self._numbers.count_faults(self._parts(cells[0]))
        except WrongListError as wrong:
            return {wrong.kind or (wrong.finding.code, wrong.finding.pattern): 1}

    def array(self, values: Iterable[Any]) -> Answers:
        return self._numbers.array(values)

    def _parts(self, cell: str) -> list[str]:
        """The number of each label, as text. WrongListError where the cell holds anything else."""
        try:
            value = read_json(cell)
        except (ValueError, RecursionError):
            raise self._wrong(cell) from None
        if self._written == CellWriting.LIST:
            if not isinstance(value, list) or len(value) != len(self._names):
                raise self._wrong(cell)
            return [_number(one) for one in value]
        if not isinstance(value, dict):
            raise self._wrong(cell)
        unknown = [key for key in value if key not in self._names]
        missing = [] if self._absent else [name for name in self._names if name not in value]
        if unknown or missing:
            what, code = (
                (f"has the key {quoted(unknown[0])}, which is no label", ProblemCode.JSON_UNKNOWN_KEY)
                if unknown
                else (f"has no key {quoted(missing[0])}", ProblemCode.JSON_MISSING_KEY)
            )
            message = f"The object {what}. Give {_expected(self._names, self._written)}."
            raise WrongListError(Finding(code, message, visible(cell), _expected(self._names, self._written)))
        return [_number(value[name]) if name in value else self._absent for name in self._names]

    def _wrong(self, cell: str) -> WrongListError:
        expected = _expected(self._names, self._written)
        message = f"{quoted(cell)} is not what is expected here: {expected}."
        if not cell.strip():
            finding = Finding(
                ProblemCode.EMPTY_LABEL, f"There is nothing here. Give {expected}.", "", expected
            )
            return WrongListError(finding)
        if self._written == CellWriting.LIST and _WITHOUT_COMMAS.fullmatch(cell):
            message += " Write commas between the numbers, as json.dumps does with the list of an array."
        if self._written == CellWriting.OBJECT and _AS_PYTHON.match(cell):
            message += (
                " This is how Python prints a dictionary: write it with json.dumps, with keys that are texts."
            )
        return WrongListError(Finding(ProblemCode.JSON_WRONG_TYPE, message, visible(cell), expected))


def _number(value: Any) -> str:
    """A number as text; of anything else a text that is no number."""
    return repr(value) if type(value) in (int, float) else json.dumps(value, ensure_ascii=False)


def _expected(names: Sequence[str], written: str) -> str:
    share = round(1 / len(names), 2)
    shown = [*names[:_SHOWN], "…"] if len(names) > _SHOWN else list(names)
    if written == CellWriting.LIST:
        example = ", ".join([str(share)] * min(len(names), _SHOWN) + ["…"] * (len(names) > _SHOWN))
        return (
            f"a list of {len(names)} numbers, those of {', '.join(shown)} in this order, such as [{example}]"
        )
    keys = ", ".join(
        "…" if name == "…" else f"{json.dumps(name, ensure_ascii=False)}: {share}" for name in shown
    )
    return f"an object with a number for each label, {{{keys}}}"
