"""Parts of the item's text, told by the places of their characters, each perhaps of a type."""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache, partial
from itertools import chain
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from catalogue.answers.arrays import Answers
from catalogue.answers.reading import JsonCell, WholeJson
from catalogue.answers.structured.json_list import (
    LONGEST_LIST,
    ListInJson,
    WrongListError,
    compact_json,
    read_json,
    unknown_name,
)
from catalogue.problems import Finding, ProblemCode, quoted, visible
from catalogue.section import Section

LAST_CHARACTER = 1_000_000
_TOKENS_OF_TEXT = 25
_PAIR, _OF_TYPE = 2, 3
_EXAMPLES = 90
_NO_TYPE = (ProblemCode.UNKNOWN_LABEL, "type")
WHOLE_NUMBER = re.compile("[0-9]{1,7}")


class ListedAs(StrEnum):
    """What a list of an item holds."""

    RANGES = "ranges"
    POSITIONS = "positions"


class CharacterSpan(NamedTuple):
    """The characters from `start` up to but not including `end`, counted from 0."""

    start: int
    end: int
    type: str = ""


@dataclass(frozen=True, slots=True)
class CharacterSpans(ListInJson):
    """Any number of spans of characters of the item's text, none included, which may overlap.

    Canonical array: compact JSON of the spans of each item in their order, `[[0,4],[9,12,"slogan"]]`, StringDType,
    shape (n_items,). `types` are those that a span has one of, none if spans have none. Files list `ranges`, each a
    list or an object of these `keys`, or all `positions`; positions that follow each other are one span.
    """

    key = "character_spans"
    stored_name = "CharacterSpans"
    phrase = "spans of characters"
    title = "Any parts of the text, by the places of their characters"
    instruction = (
        "List for each item the parts of its text, by the places of their characters, counted from 0; "
        "an empty list where there is none."
    )
    metric = "character_f1"
    entries_are = "spans"
    must_be = "spans of declared types"
    made_of = "whole numbers"
    list_in_short = "a list of spans"

    types: tuple[str, ...] = ()
    listed: str = ListedAs.RANGES.value
    keys: tuple[str, ...] = ()

    @classmethod
    def declared(cls, task: Section, output: Section) -> Self:
        types, keys = output.texts("types", default=()), output.texts("keys", default=())
        listed = output.choice("written", ListedAs, ListedAs.RANGES).value
        if listed == ListedAs.POSITIONS and (types or keys):
            output.wrong("written", "positions have neither types nor keys; leave these out, or write ranges")
        count = _OF_TYPE if types else _PAIR
        if keys and len(keys) != count:
            output.wrong("keys", f"expected {count} keys: of start, end{' and type' if types else ''}")
        return cls(types, listed, keys)

    def outcomes(self) -> int:
        """Each token of a text of 25 is in a span of each type or not: the texts are not looked at."""
        return int(2 ** (_TOKENS_OF_TEXT * max(1, len(self.types))))

    def describe(self) -> str:
        if self.listed == ListedAs.POSITIONS:
            return "a list of places of characters, such as [0, 1, 2]"
        of_type = f", each with one of {len(self.types)} types" if self.types else ""
        return f"a list of ranges of characters, such as {self._pattern()}{of_type}"

    def plain(self) -> Self:
        return type(self)(self.types)

    def json_cells(self) -> tuple[JsonCell, ...]:
        pattern = "[0, 1, 2]" if self.listed == ListedAs.POSITIONS else self._pattern()
        expected = f"a list of {self.listed}, {pattern}"
        return (JsonCell(is_number=False, expected=expected, longest=LONGEST_LIST),)

    def written(self, answers: Answers) -> list[Any]:
        return [WholeJson(json.dumps(self._listed(spans_of(text)))) for text in answers.tolist()]

    def _listed(self, spans: Sequence[CharacterSpan]) -> list[Any]:
        if self.listed == ListedAs.POSITIONS:
            return sorted(set(chain.from_iterable(range(span.start, span.end) for span in spans)))
        return _as_ranges([span if self.types else span[:_PAIR] for span in spans], self.keys)

    def _pattern(self) -> str:
        return _shown(self.types[:1], self.keys)

    def columns_of_part(self, label_column: str) -> tuple[str, ...]:
        names = self.keys or CharacterSpan._fields
        return names[: _OF_TYPE if self.types else _PAIR] if self.listed == ListedAs.RANGES else ()

    def part(self, cells: Sequence[str]) -> str:
        for place, cell in enumerate(cells[:_PAIR]):
            if not WHOLE_NUMBER.fullmatch(cell):
                message = f"{quoted(cell)} is no place in a text. Give a whole number: characters are counted from 0."
                finding = Finding(ProblemCode.NOT_A_NUMBER, message, visible(cell), "a whole number")
                raise WrongListError(finding, place)
        parts = [*map(int, cells[:_PAIR]), *cells[_PAIR:]]
        value = dict(zip(self.keys, parts, strict=True)) if self.keys else parts
        self._check_range(self._span(value))
        return compact_json(value)

    def shown_example(self) -> str:
        return spans_text([CharacterSpan(0, 4, *self.types[:1])])

    def examples(self, count: int, random: np.random.Generator) -> NDArray[Any]:
        def drawn() -> Iterable[CharacterSpan]:
            for start in (10 * random.choice(_EXAMPLES // 10, random.integers(3), replace=False)).tolist():
                of_type = [str(random.choice(self.types))] if self.types else []
                yield CharacterSpan(start, start + int(random.integers(1, 9)), *of_type)

        return self.array(spans_text(drawn()) for _ in range(count))

    # Of files

    def entries_in(self, values: list[Any]) -> list[CharacterSpan] | None:
        spans = _runs(values) if self.listed == ListedAs.POSITIONS else list(map(self._span, values))
        for span in spans or ():
            self._check_range(span)
        return spans

    def canonical(self, entries: list[Any]) -> str:
        return spans_text(entries)

    def _check_range(self, span: CharacterSpan) -> None:
        if not 0 <= span.start < span.end <= LAST_CHARACTER:
            kind = (ProblemCode.NUMBER_OUT_OF_RANGE, "")
            raise WrongListError(partial(_out_of_range, span, self.listed), kind=kind)

    def _span(self, value: Any) -> CharacterSpan:
        parts = [value.get(key) for key in self.keys] if self.keys and isinstance(value, dict) else value
        count = _OF_TYPE if self.types else _PAIR
        is_form = (
            isinstance(parts, list) and len(parts) == count and isinstance(value, dict) == bool(self.keys)
        )
        if not is_form or any(type(place) is not int for place in parts[:_PAIR]):
            raise self.no_such_list(json.dumps(value))
        for name in parts[_PAIR:]:
            if name not in self.types:
                raise WrongListError(
                    partial(unknown_name, str(name), "type", self.types, "type"), _PAIR, kind=_NO_TYPE
                )
        return CharacterSpan(*parts)

    @classmethod
    def output_for(cls, cells: Sequence[str]) -> dict[str, Any] | None:
        """None unless all are lists of one form, and one holds anything."""
        try:
            values = [value for cell in cells for value in _list_in(cell)]
            if values and _runs(values) is not None:
                return {"written": ListedAs.POSITIONS.value}
            keys = _keys_of(values) if values and isinstance(values[0], dict) else ()
            parts = [[value[key] for key in keys] for value in values] if keys else values
            if not parts or {len(part) for part in parts} - {_PAIR, _OF_TYPE}:
                return None
            types = tuple(sorted({part[_PAIR] for part in parts if len(part) == _OF_TYPE}))
            reader = cls(types, keys=keys).reader("")
        except (ValueError, TypeError, KeyError, RecursionError):
            return None
        if any(reader.value([cell]) is None for cell in cells):
            return None
        said = {"types": list(types), "keys": list(keys)}
        return {"written": ListedAs.RANGES.value, **{key: value for key, value in said.items() if value}}


def _as_ranges(parts: Sequence[tuple[Any, ...]], keys: tuple[str, ...]) -> list[Any]:
    return [dict(zip(keys, part, strict=True)) for part in parts] if keys else list(parts)


@lru_cache(maxsize=64)  # asked for with every row
def _shown(types: tuple[str, ...], keys: tuple[str, ...]) -> str:
    """A list of one span, as JSON writes it."""
    return json.dumps(_as_ranges([(0, 4, *types)], keys))


def spans_text(spans: Iterable[CharacterSpan]) -> str:
    """Spans as canonical text."""
    parts = [span if span.type else span[:_PAIR] for span in sorted(spans)]
    return compact_json(parts)


def spans_of(text: str) -> list[CharacterSpan]:
    """The spans of a canonical text."""
    return [CharacterSpan(*part) for part in json.loads(text)]


def _runs(positions: Sequence[Any]) -> list[CharacterSpan] | None:
    """The longest spans of positions that follow each other, a position as often as it likes; None for any else."""
    if any(type(place) is not int for place in positions):
        return None
    spans: list[CharacterSpan] = []
    for place in sorted(set(positions)):
        if spans and spans[-1].end == place:
            spans[-1] = CharacterSpan(spans[-1].start, place + 1)
        else:
            spans.append(CharacterSpan(place, place + 1))
    return spans


def _keys_of(objects: Sequence[dict[str, Any]]) -> tuple[str, ...]:
    """The keys of two whole numbers, the smaller first, and of the texts of which there are the fewest, if any."""
    first = objects[0]
    numbers = [key for key, value in first.items() if type(value) is int]
    texts = [key for key, value in first.items() if isinstance(value, str)]
    different = {key: len({one[key] for one in objects}) for key in texts}
    return (*sorted(numbers[:_PAIR], key=first.__getitem__), *sorted(texts, key=different.__getitem__)[:1])


def _list_in(cell: str) -> list[Any]:
    values = read_json(cell)
    if not isinstance(values, list):
        raise TypeError("A list is expected.")
    return values


def _out_of_range(span: CharacterSpan, listed: str) -> Finding:
    what = (
        f"the span from {visible(str(span.start))} to {visible(str(span.end))}"
        if listed == ListedAs.RANGES
        else f"the position {visible(str(span.start))}"
    )
    expected = f"0 <= start < end <= {LAST_CHARACTER:,}"
    message = f"{what[0].upper()}{what[1:]} is no part of a text. A span ends behind its last character: {expected}."
    return Finding(ProblemCode.NUMBER_OUT_OF_RANGE, message, what, expected)
