"""Any number of texts or of tuples of texts that nobody could list beforehand: aspects with opinions, key phrases."""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from catalogue.answers.arrays import Answers
from catalogue.answers.reading import JsonCell, WholeJson
from catalogue.answers.structured.json_list import (
    LONGEST_LIST,
    ListInJson,
    WrongListError,
    compact_json,
    unknown_name,
)
from catalogue.gold_column import CellShape
from catalogue.problems import Finding, ProblemCode, quoted, visible
from catalogue.section import Section

_TOKENS_OF_TEXT = 25
_FEWEST, _MOST = 1, 3  # tuples of an answer made up

_NO_VALUE = (ProblemCode.UNKNOWN_LABEL, "part")
_NOT_WHOLE = (ProblemCode.NOT_A_NUMBER, "part")
_WHOLE = re.compile(r"-?[1-9][0-9]{0,17}|0")
_EXACT = 2**53  # below it floats hold every whole number
WHOLE_NUMBERS = "whole_numbers"
"""What a definition says of a part in place of all its values."""

TextTuple = tuple[str, ...]


class TuplesAs(StrEnum):
    """How files have the tuples of an item: one by one, or those that agree in the first part in a list of the rest."""

    LIST = "list"
    CLUSTERS = "clusters"


@dataclass(frozen=True, slots=True)
class TextTuples(ListInJson):
    """Any number of tuples of texts, none included, each counted once; their order means nothing.

    Canonical array: compact JSON of the different tuples of each item in their order, `[["screen","good"]]`,
    StringDType, shape (n_items,). `parts` are the names of a tuple's texts, none where it is one text; with `keyed`
    files have objects with these keys in place of lists. `values` are all that a part may be, for parts of which that
    is known; the parts in `whole` may be any whole number, as its digits are written. With `ignore_case` neither case
    nor white space tells texts apart: they are kept in small letters. `listed` as clusters, tuples without their first
    part stand in a list for each cluster; the first part is its number then, from 1 in the order of what the clusters
    hold, so that the order in a file means nothing.
    """

    key = "tuples"
    stored_name = "TextTuples"
    phrase = "a list of tuples"
    title = "Any number of texts, or of tuples of texts: a list in JSON"
    instruction = (
        "List for each item what is to be found in it, in any order; an empty list where there is nothing."
    )
    metric = "f1_micro"
    entries_are = "tuples"
    must_be = "tuples of as many texts as there are parts"
    made_of = "texts or whole numbers"
    list_in_short = "a list"

    parts: tuple[str, ...] = ()
    keyed: bool = False
    values: tuple[tuple[str, tuple[str, ...]], ...] = ()
    ignore_case: bool = False
    listed: str = TuplesAs.LIST.value
    whole: tuple[str, ...] = ()

    @classmethod
    def declared(cls, task: Section, output: Section) -> Self:
        parts, given = output.texts("parts", default=()), output.raw("values") or {}
        keyed = output.flag("keyed", default=False)
        if len(set(parts)) < len(parts) or not all(map(str.strip, parts)):
            output.wrong("parts", "expected different names, none of them empty")
        if keyed and not parts:
            output.wrong("keyed", "means nothing without parts, which are the keys")
        if not isinstance(given, dict) or not all(map(_are_values, given.values())):
            output.wrong(
                "values",
                f"expected a mapping from a part to a list of texts, numbers in quotes, or to {WHOLE_NUMBERS}",
            )
            given = {}
        for name in given:
            if name not in parts:
                output.wrong("values", f"there is no part {name!r}; expected one of {', '.join(parts)}")
        whole = tuple(name for name, texts in given.items() if texts == WHOLE_NUMBERS)
        values = tuple((name, tuple(texts)) for name, texts in given.items() if name not in whole)
        listed = output.choice("written", TuplesAs, TuplesAs.LIST).value
        if listed == TuplesAs.CLUSTERS and (len(parts) < 2 or keyed or parts[0] in given):
            output.wrong(
                "written",
                "clusters need two parts at least, the first of them for the cluster and without values; no keyed",
            )
        return cls(parts, keyed, values, output.flag("ignore_case", default=False), listed, whole)

    def declaration(self) -> dict[str, Any]:
        declared = ListInJson.declaration(self)
        # Digests of definitions from before are as they were.
        if self.listed == TuplesAs.LIST:
            del declared["listed"]
        if not self.whole:
            del declared["whole"]
        return declared

    @property
    def tuple_parts(self) -> tuple[str, ...]:
        return self.parts

    def outcomes(self) -> int:
        """Each token of a text of 25 is in each part of some tuple or not: the texts are not looked at."""
        return int(2 ** (_TOKENS_OF_TEXT * max(1, len(self.parts))))

    def describe(self) -> str:
        if self._is_in_clusters:
            return (
                f"a list of clusters, such as {self._pattern()}: each a list of {', '.join(self.parts[1:])}"
            )
        what = f"tuples of {', '.join(self.parts)}" if self.parts else "texts"
        return f"a list of {what}, such as {self._pattern()}"

    def plain(self) -> Self:
        return type(self)(
            self.parts or ("text",), values=self.values, ignore_case=self.ignore_case, whole=self.whole
        )

    def json_cells(self) -> tuple[JsonCell, ...]:
        return (JsonCell(is_number=False, expected=f"a list, {self._pattern()}", longest=LONGEST_LIST),)

    def written(self, answers: Answers) -> list[Any]:
        return [
            WholeJson(json.dumps(self._all_listed(tuples_in(text)), ensure_ascii=False))
            for text in answers.tolist()
        ]

    @property
    def _is_in_clusters(self) -> bool:
        return self.listed == TuplesAs.CLUSTERS

    def _all_listed(self, tuples: Iterable[TextTuple]) -> list[Any]:
        if not self._is_in_clusters:
            return list(map(self._listed, tuples))
        is_alone = len(self.parts) == 2
        return [[rest[0] if is_alone else list(rest) for rest in cluster] for cluster in _clusters(tuples)]

    def _listed(self, texts: TextTuple) -> Any:
        if not self.parts:
            return texts[0]
        return dict(zip(self.parts, texts, strict=True)) if self.keyed else list(texts)

    def _pattern(self) -> str:
        return json.dumps(self._all_listed([self._made()]), ensure_ascii=False)

    def _made(self, number: int | None = None) -> TextTuple:
        """A tuple of words with this number, or where none is given of the names of the parts."""
        known = dict(self.values) | {part: (str(number or 0),) for part in self.whole}
        return tuple(
            self._kept(known[part][0] if part in known else part if number is None else f"word {number}")
            for part in self.parts or ("text",)
        )

    def _kept(self, text: str) -> str:
        return " ".join(text.split()).casefold() if self.ignore_case else text

    def columns_of_part(self, label_column: str) -> tuple[str, ...]:
        return () if self._is_in_clusters else self.parts or (label_column,)

    def part(self, cells: Sequence[str]) -> str:
        texts = tuple(cells)
        value = self._listed(texts)
        self._tuple(value)
        return compact_json(value)

    def shown_example(self) -> str:
        return tuples_text([self._made()])

    def examples(self, count: int, random: np.random.Generator) -> NDArray[Any]:
        def drawn() -> Iterable[TextTuple]:
            for number in random.choice(100, random.integers(_FEWEST, _MOST + 1), replace=False).tolist():
                yield self._made(number)

        return self.array(self.canonical(list(drawn())) for _ in range(count))

    # Of files

    def entries_in(self, values: list[Any]) -> list[TextTuple] | None:
        if not self._is_in_clusters:
            return list(map(self._tuple, values))
        if not all(isinstance(cluster, list) for cluster in values):
            return None
        return [
            self._tuple([number, *(rest if isinstance(rest, list) else [rest])])
            for number, cluster in enumerate(values)
            for rest in cluster
        ]

    def canonical(self, entries: list[Any]) -> str:
        if self._is_in_clusters:
            entries = [
                (str(number), *rest)
                for number, cluster in enumerate(_clusters(entries), 1)
                for rest in cluster
            ]
        return tuples_text(entries)

    def _tuple(self, value: Any) -> TextTuple:
        found: Any = [value]
        if self.parts and self.keyed:
            found = [value.get(part) for part in self.parts] if isinstance(value, dict) else None
        elif self.parts:
            found = value
        is_form = isinstance(found, list) and len(found) == len(self.parts or ("",))
        if not is_form or any(type(text) not in (str, int) for text in found):
            written = value[1:] if self._is_in_clusters and isinstance(value, list) else value
            raise self.no_such_list(json.dumps(written, ensure_ascii=False))
        texts = tuple(self._kept(str(text)) for text in found)
        known = dict(self.values)
        for place, (part, text) in enumerate(zip(self.parts, texts, strict=bool(self.parts))):
            if part in known and text not in set(map(self._kept, known[part])):
                raise WrongListError(
                    partial(unknown_name, text, part, known[part], "part"), place, kind=_NO_VALUE
                )
            if part in self.whole and not _WHOLE.fullmatch(text):
                raise WrongListError(partial(_not_whole, text, part), place, kind=_NOT_WHOLE)
        return texts

    # What an organiser's file suggests

    @classmethod
    def gold_shapes(cls) -> tuple[CellShape, ...]:
        return (CellShape.TEXT, CellShape.LIST, CellShape.NESTED)

    @classmethod
    def output_for(cls, cells: Sequence[str]) -> dict[str, Any] | None:
        """None unless all hold tuples of texts of one form, and one has any."""
        try:
            values = [value for cell in cells for value in json.loads(cell)]
            if not values or any(type(value) is not type(values[0]) for value in values):
                return None
            keys = tuple(values[0]) if isinstance(values[0], dict) else ()
            parts = keys or tuple(f"part {place}" for place in range(1, len(values[0]) + 1))
            if isinstance(values[0], str):
                return None
            if not all(isinstance(text, str) for text in (values[0].values() if keys else values[0])):
                return None  # numbers are places in a text
        except (ValueError, TypeError, RecursionError):
            return None
        reader = cls(parts, bool(keys)).reader("")
        if any(reader.value([cell]) is None for cell in cells):
            return None
        return {"parts": list(parts), **({"keyed": True} if keys else {})}


def tuples_text(tuples: Iterable[TextTuple]) -> str:
    """Tuples as canonical text."""
    return compact_json(sorted(set(tuples)))


def tuples_in(text: str) -> list[TextTuple]:
    """The tuples of a canonical text."""
    return [tuple(part) for part in json.loads(text)]


def _clusters(tuples: Iterable[TextTuple]) -> list[list[TextTuple]]:
    """What tuples have beside their first part, in a list for each first part; lists and what is in them in order."""
    rest_of: dict[str, set[TextTuple]] = {}
    for name, *rest in tuples:
        rest_of.setdefault(name, set()).add(tuple(rest))
    return sorted(map(sorted, rest_of.values()))


def _are_values(values: Any) -> bool:
    are_texts = isinstance(values, list) and bool(values) and all(isinstance(text, str) for text in values)
    return are_texts or values == WHOLE_NUMBERS


def _not_whole(found: str, part: str) -> Finding:
    """That a part is no whole number as its digits are written, and what it would be if it can be one."""
    try:
        number = float(found)
    except ValueError:
        number = float("nan")
    wanted, why = "a whole number", ""
    if number.is_integer() and abs(number) < _EXACT:
        wanted = str(int(number))
        why = " Programs write a point where a column of numbers has an empty cell." if "." in found else ""
    message = f"{quoted(found)} is no whole number as {quoted(part)} has them. Write {wanted}.{why}"
    return Finding(ProblemCode.NOT_A_NUMBER, message, visible(found), wanted, "part")
