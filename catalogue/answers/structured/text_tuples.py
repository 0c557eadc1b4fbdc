"""Any number of texts or of tuples of texts that nobody could list beforehand: aspects with opinions, key phrases."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from catalogue.answers.arrays import TEXT, Answers, check_shape
from catalogue.answers.base import AlsoWritten, WithoutLabels
from catalogue.answers.reading import AnswerReader, JsonCell, JsonShape, WholeJson
from catalogue.answers.structured.json_list import (
    LONGEST_LIST,
    MOST_ENTRIES,
    JsonListReader,
    WrongListError,
    compact_json,
    read_json,
)
from catalogue.gold_column import CellShape, GoldColumn
from catalogue.problems import Finding, ProblemCode, quoted, visible
from catalogue.section import Section
from catalogue.suggestions import nearest

_TOKENS_OF_TEXT = 25
_FEWEST, _MOST = 1, 3  # tuples of an answer made up

_NO_VALUE = (ProblemCode.UNKNOWN_LABEL, "part")

TextTuple = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TextTuples(WithoutLabels):
    """Any number of tuples of texts, none included, each counted once; their order means nothing.

    Canonical array: compact JSON of the different tuples of each item in their order, `[["screen","good"]]`,
    StringDType, shape (n_items,). `parts` are the names of a tuple's texts, none where it is one text; with `keyed`
    files have objects with these keys in place of lists. `values` are all that a part may be, for parts of which that
    is known. With `ignore_case` neither case nor white space tells texts apart: they are kept in small letters.
    """

    key = "tuples"
    stored_name = "TextTuples"
    phrase = "a list of tuples"
    title = "Any number of texts, or of tuples of texts: a list in JSON"
    instruction = (
        "List for each item what is to be found in it, in any order; an empty list where there is nothing."
    )
    metric = "f1_micro"
    dtype = TEXT
    is_one_text = True

    parts: tuple[str, ...] = ()
    keyed: bool = False
    values: tuple[tuple[str, tuple[str, ...]], ...] = ()
    ignore_case: bool = False

    @classmethod
    def declared(cls, task: Section, output: Section) -> Self:
        parts, given = output.texts("parts", default=()), output.raw("values") or {}
        keyed = output.flag("keyed", default=False)
        if len(set(parts)) < len(parts) or not all(map(str.strip, parts)):
            output.wrong("parts", "expected different names, none of them empty")
        if keyed and not parts:
            output.wrong("keyed", "means nothing without parts, which are the keys")
        if not isinstance(given, dict) or not all(map(_are_texts, given.values())):
            output.wrong("values", "expected a mapping from a part to a list of texts; put numbers in quotes")
            given = {}
        for name in given:
            if name not in parts:
                output.wrong("values", f"there is no part {name!r}; expected one of {', '.join(parts)}")
        values = tuple((name, tuple(texts)) for name, texts in given.items())
        return cls(parts, keyed, values, output.flag("ignore_case", default=False))

    @property
    def tuple_parts(self) -> tuple[str, ...]:
        return self.parts

    def outcomes(self) -> int:
        """Each token of a text of 25 is in each part of some tuple or not: the texts are not looked at."""
        return int(2 ** (_TOKENS_OF_TEXT * max(1, len(self.parts))))

    def describe(self) -> str:
        what = f"tuples of {', '.join(self.parts)}" if self.parts else "texts"
        return f"a list of {what}, such as {self._pattern()}"

    def check(self, argument: str, answers: object) -> int:
        texts = check_shape(argument, answers, (TEXT,), "StringDType tuples").tolist()
        plain = TextTuples(self.parts or ("text",), values=self.values, ignore_case=self.ignore_case)
        for text in set(texts):
            try:
                is_canonical = tuples_text(plain.tuples(text)) == text
            except WrongListError:
                is_canonical = False
            if not is_canonical:
                raise ValueError(
                    f"`{argument}` must hold tuples of as many texts as there are parts, as JSON in order."
                )
        return len(texts)

    def json_cells(self) -> tuple[JsonCell, ...]:
        return (JsonCell(is_number=False, expected=f"a list, {self._pattern()}", longest=LONGEST_LIST),)

    @property
    def json_shape(self) -> JsonShape:
        return JsonShape.WHOLE

    def reader(self, label_column: str, also_written: AlsoWritten = ()) -> AnswerReader:
        return JsonListReader(self._canonical, self.dtype, label_column)

    def _canonical(self, cell: str) -> str:
        return tuples_text(self.tuples(cell))

    def written(self, answers: Answers) -> list[Any]:
        return [
            WholeJson(json.dumps(list(map(self._listed, tuples_in(text))), ensure_ascii=False))
            for text in answers.tolist()
        ]

    def _listed(self, texts: TextTuple) -> Any:
        if not self.parts:
            return texts[0]
        return dict(zip(self.parts, texts, strict=True)) if self.keyed else list(texts)

    def _pattern(self) -> str:
        return json.dumps([self._listed(self._made())], ensure_ascii=False)

    def _made(self, word: str = "") -> TextTuple:
        """A tuple of this word, or where none is given of the names of the parts."""
        known = dict(self.values)
        return tuple(
            self._kept(known[part][0] if part in known else word or part) for part in self.parts or ("text",)
        )

    def _kept(self, text: str) -> str:
        return " ".join(text.split()).casefold() if self.ignore_case else text

    def columns_of_part(self, label_column: str) -> tuple[str, ...]:
        return self.parts or (label_column,)

    def part(self, cells: Sequence[str]) -> str:
        texts = tuple(cells)
        value = self._listed(texts)
        self._tuple(value)
        return compact_json(value)

    def sample(self) -> str:
        return "[]"

    def shown_example(self) -> str:
        return tuples_text([self._made()])

    def examples(self, count: int, random: np.random.Generator) -> NDArray[Any]:
        def drawn() -> Iterable[TextTuple]:
            for number in random.choice(100, random.integers(_FEWEST, _MOST + 1), replace=False).tolist():
                yield self._made(f"word {number}")

        return self.array(tuples_text(drawn()) for _ in range(count))

    def guesses(self, labels: NDArray[Any], count: int, random: np.random.Generator) -> NDArray[Any]:
        """What the gold labels of any item are, each item's alike."""
        return np.asarray(labels[random.integers(len(labels), size=count)])

    # Of files

    def tuples(self, written: str) -> set[TextTuple]:
        """The different tuples that a list says. WrongListError for anything else."""
        if not written.strip():
            message = f"There is no list. Give {self._expected}, or []."
            raise _wrong(ProblemCode.EMPTY_LABEL, message, written)
        try:
            values = read_json(written)
        except (ValueError, RecursionError):
            values = None
        if not isinstance(values, list):
            raise self._no_such_list(written)
        if len(values) > MOST_ENTRIES:
            message = f"There are {len(values):,} tuples; an item may have {MOST_ENTRIES:,}."
            raise _wrong(ProblemCode.CELL_TOO_LONG, message, written)
        return {self._tuple(value) for value in values}

    def _tuple(self, value: Any) -> TextTuple:
        found: Any = [value]
        if self.parts and self.keyed:
            found = [value.get(part) for part in self.parts] if isinstance(value, dict) else None
        elif self.parts:
            found = value
        is_form = isinstance(found, list) and len(found) == len(self.parts or ("",))
        if not is_form or any(type(text) not in (str, int) for text in found):
            raise self._no_such_list(json.dumps(value, ensure_ascii=False))
        texts = tuple(self._kept(str(text)) for text in found)
        known = dict(self.values)
        for place, (part, text) in enumerate(zip(self.parts, texts, strict=bool(self.parts))):
            if part in known and text not in set(map(self._kept, known[part])):
                raise WrongListError(partial(_no_value, text, part, known[part]), place, kind=_NO_VALUE)
        return texts

    @property
    def _expected(self) -> str:
        return self.json_cells()[0].expected

    def _no_such_list(self, found: str) -> WrongListError:
        return WrongListError(partial(self._other_form, found), kind=(ProblemCode.JSON_WRONG_TYPE, ""))

    def _other_form(self, found: str) -> Finding:
        message = (
            f"{quoted(found)} is not what is expected here: {self._expected}, of texts or whole numbers."
        )
        return _wrong(ProblemCode.JSON_WRONG_TYPE, message, found).finding

    # What an organiser's file suggests

    @classmethod
    def gold_shapes(cls) -> tuple[CellShape, ...]:
        return (CellShape.TEXT, CellShape.LIST, CellShape.NESTED)

    @classmethod
    def suits(cls, cells: Sequence[str], texts: Sequence[Sequence[str]]) -> bool:
        return bool(_output_for(cells))

    @classmethod
    def suits_column(cls, column: GoldColumn, texts: Sequence[Sequence[str]]) -> bool:
        return column.shape in (CellShape.TEXT, CellShape.NESTED) and cls.suits(column.cells, texts)

    @classmethod
    def output_in(cls, column: GoldColumn, labels: Sequence[str]) -> dict[str, Any]:
        return _output_for(column.cells) or {}


def tuples_text(tuples: Iterable[TextTuple]) -> str:
    """Tuples as canonical text."""
    return compact_json(sorted(set(tuples)))


def tuples_in(text: str) -> list[TextTuple]:
    """The tuples of a canonical text."""
    return [tuple(part) for part in json.loads(text)]


def _output_for(cells: Sequence[str]) -> dict[str, Any] | None:
    """What a definition would say of such lists; None unless all hold tuples of texts of one form, and one has any."""
    try:
        values = [value for cell in cells for value in json.loads(cell)]
        if not values or any(type(value) is not type(values[0]) for value in values):
            return None
        keys = tuple(values[0]) if isinstance(values[0], dict) else ()
        parts = keys or tuple(f"part {place}" for place in range(1, len(values[0]) + 1))
        kind = TextTuples(parts, bool(keys))
        if isinstance(values[0], str):
            return None
        if not all(isinstance(text, str) for text in (values[0].values() if keys else values[0])):
            return None  # numbers are places in a text
        for cell in cells:
            kind.tuples(cell)
    except (ValueError, TypeError, RecursionError):
        return None
    return {"parts": list(parts), **({"keyed": True} if keys else {})}


def _are_texts(values: Any) -> bool:
    return isinstance(values, list) and bool(values) and all(isinstance(text, str) for text in values)


def _no_value(text: str, part: str, values: tuple[str, ...]) -> Finding:
    closest = nearest(text, values)
    message = f"{quoted(text)} is no {part} of this task. Nearest: {quoted(closest)}."
    code, pattern = _NO_VALUE
    return Finding(code, message, visible(text), closest, pattern)


def _wrong(code: ProblemCode, message: str, found: str) -> WrongListError:
    return WrongListError(Finding(code, message, visible(found), "a list"))
