"""The ordinary line of JSON lines whose answer is a list or an object: read by the standard library, checked here.

It knows only how to say yes. Whatever is unusual, allowed or not, it leaves to the patient reader.
"""

import json
from collections.abc import Callable
from typing import Any, NamedTuple

from catalogue.answers import AnswerKind
from catalogue.answers.reading import JsonShape
from catalogue.layouts.form import FileFormat
from catalogue.layouts.text_lines import MAX_CELL, first_forbidden

_LONGEST_LINE = 100_000


class QuickRow(NamedTuple):
    """The id and the cells of an ordinary line."""

    item: str
    cells: tuple[str, ...]


class _Digits(str):
    """A number as it is written."""

    __slots__ = ()


class _Pairs(tuple[tuple[str, Any], ...]):
    """The members of an object, a key as often as it stands."""

    __slots__ = ()


def _no_number(word: str) -> None:
    raise ValueError(f"{word} is no JSON.")


_read = json.JSONDecoder(
    object_pairs_hook=_Pairs, parse_float=_Digits, parse_int=_Digits, parse_constant=_no_number
).decode


def quick_row(form: FileFormat, output: AnswerKind) -> Callable[[str], QuickRow | None]:
    """What reads the id and the cells of an ordinary line; None for a line that is not one.

    Ordinary are two members, the id first, a text without escapes or control characters, and an answer that has all
    cells in their order.
    """
    is_plain = not form.numeric_ids and not form.labels_as
    cells_of = {JsonShape.MANY: _texts, JsonShape.OBJECT: _numbers}.get(output.json_shape)
    names = tuple(cell.name for cell in output.json_cells())
    keys = (form.id_column, form.label_column)

    def row(line: str) -> QuickRow | None:
        if (
            cells_of is None
            or not is_plain
            or len(line) > _LONGEST_LINE
            or "\\" in line
            or first_forbidden(line)
        ):
            return None
        try:
            members = _read(line)
        except (ValueError, RecursionError):
            return None
        if type(members) is not _Pairs or tuple([key for key, _ in members]) != keys:
            return None
        (_, item), (_, answer) = members
        cells = cells_of(answer, names) if type(item) is str and len(item) <= MAX_CELL else None
        return None if cells is None else QuickRow(item, cells)

    return row


def _texts(answer: Any, names: tuple[str, ...]) -> tuple[str, ...] | None:
    is_plain = type(answer) is list and all(type(cell) is str and len(cell) <= MAX_CELL for cell in answer)
    return tuple(answer) if is_plain else None


def _numbers(answer: Any, names: tuple[str, ...]) -> tuple[str, ...] | None:
    if type(answer) is not _Pairs or tuple([key for key, _ in answer]) != names:
        return None
    cells = tuple([cell for _, cell in answer])
    return cells if all(type(cell) is _Digits for cell in cells) else None
