"""The ordinary line of JSON lines that no pattern describes: read by the standard library, checked here.

It knows only how to say yes. Whatever is unusual, allowed or not, it leaves to the patient reader.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from catalogue.answers import AnswerKind
from catalogue.answers.reading import JsonShape
from catalogue.answers.structured.json_list import compact_json
from catalogue.answers.structured.slots import INTENT, SLOTS
from catalogue.layouts.form import FileFormat
from catalogue.layouts.json_text import MAX_DEPTH
from catalogue.layouts.text_lines import MAX_CELL, first_forbidden

_LONGEST_LINE = 100_000
WHOLE_NUMBER = re.compile("0|-?[1-9][0-9]*")  # as it is written, so that 4.0 and 4e0 are not the id 4


class QuickRow(NamedTuple):
    """The id and the cells of an ordinary line."""

    item: str
    cells: tuple[str, ...]


class JsonDigits(str):
    """A number as it is written."""

    __slots__ = ()


class JsonPairs(tuple[tuple[str, Any], ...]):
    """The members of an object, a key as often as it stands."""

    __slots__ = ()


def _no_number(word: str) -> None:
    raise ValueError(f"{word} is no JSON.")


_decoder = json.JSONDecoder(
    object_pairs_hook=JsonPairs, parse_float=JsonDigits, parse_int=JsonDigits, parse_constant=_no_number
)
_read = _decoder.decode
# From a place in a text on: the value that begins there, and the place behind it.
read_at = _decoder.raw_decode


def quick_row(form: FileFormat, output: AnswerKind) -> Callable[[str], QuickRow | None]:
    """What reads the id and the cells of an ordinary line; None for a line that is not one.

    Ordinary are two members, the id first, without escapes or control characters, and an answer that has all cells in
    their order. A frame may have further members, which nobody reads.
    """
    cells_of = _cells_of(form, output)
    keys = (form.id_column, form.label_column)
    id_of = _whole_number if form.numeric_ids else _text
    is_frame = output.json_shape is JsonShape.FRAME
    is_one = output.json_shape is JsonShape.ONE

    def row(line: str) -> QuickRow | None:
        if cells_of is None or len(line) > _LONGEST_LINE or "\\" in line or first_forbidden(line):
            return None
        try:
            members = _read(line)
        except (ValueError, RecursionError):
            return None
        if type(members) is not JsonPairs:
            return None
        if is_frame:
            found = dict(members)
            if len(found) < len(members):
                return None
            members = [(keys[0], found.get(keys[0])), (keys[1], found)]
        elif is_one:
            members = list(_leaves(members))
        if tuple([key for key, _ in members]) != keys:
            return None
        (_, item), (_, answer) = members
        name, cells = id_of(item), cells_of(answer)
        return None if name is None or cells is None else QuickRow(name, cells)

    return row


Cells = tuple[str, ...]


def _cells_of(form: FileFormat, output: AnswerKind) -> Callable[[Any], Cells | None] | None:
    """What makes cells of an answer; None for answers that only the patient reader reads."""
    match output.json_shape:
        case JsonShape.MANY:
            return partial(_many, one=_one_of(form, output))
        case JsonShape.OBJECT:
            return partial(_numbers, names=tuple(cell.name for cell in output.json_cells()))
        case JsonShape.FRAME:
            return _frame
        case JsonShape.ONE:
            return _one_of(form, output)
        case JsonShape.WHOLE:
            (cell,) = output.json_cells()
            return partial(_whole, longest=cell.longest)
        case _:
            return None


def _one_of(form: FileFormat, output: AnswerKind) -> Callable[[Any], Cells | None]:
    """What makes a cell of a value that stands alone, or in a list of values that are all alike."""
    (expected,) = form.json_cells(output)
    if expected.is_number:
        return _one_number
    return _one_boolean if expected.is_boolean else _one_text


def _leaves(members: JsonPairs, path: str = "") -> Iterator[tuple[str, Any]]:
    """What stands under keys that hold no further object, by the way to each."""
    for key, value in members:
        if type(value) is JsonPairs:
            yield from _leaves(value, f"{path}{key}.")
        else:
            yield f"{path}{key}", value


def _text(value: Any) -> str | None:
    return value if type(value) is str and len(value) <= MAX_CELL else None


def _whole_number(value: Any) -> str | None:
    return str(value) if type(value) is JsonDigits and WHOLE_NUMBER.fullmatch(value) else None


def _one_text(answer: Any) -> Cells | None:
    return None if _text(answer) is None else (answer,)


def _one_number(answer: Any) -> Cells | None:
    return (answer,) if type(answer) is JsonDigits and len(answer) <= MAX_CELL else None


def _one_boolean(answer: Any) -> Cells | None:
    return ("true" if answer else "false",) if type(answer) is bool else None


def _many(answer: Any, one: Callable[[Any], Cells | None]) -> Cells | None:
    if type(answer) is not list:
        return None
    cells = [cell for found in map(one, answer) if found is not None for cell in found]
    return tuple(cells) if len(cells) == len(answer) else None


def _whole(answer: Any, longest: int) -> Cells | None:
    """A list or an object as JSON writes it on one line."""
    if not isinstance(answer, list | JsonPairs):
        return None
    try:
        cell = _written(answer, MAX_DEPTH - 1)
    except ValueError:
        return None
    return (cell,) if len(cell) <= longest else None


def _written(value: Any, deepest: int) -> str:
    """The value as `json_text.compact` writes it. ValueError where it is nested deeper."""
    if type(value) is JsonDigits:
        return value
    if not isinstance(value, list | JsonPairs):
        return compact_json(value)
    if not deepest:
        raise ValueError("This is nested too deep.")
    if isinstance(value, list):
        return f"[{','.join([_written(inner, deepest - 1) for inner in value])}]"
    members = [f"{compact_json(key)}:{_written(inner, deepest - 1)}" for key, inner in value]
    return f"{{{','.join(members)}}}"


def _numbers(answer: Any, names: tuple[str, ...]) -> Cells | None:
    if type(answer) is not JsonPairs or tuple([key for key, _ in answer]) != names:
        return None
    cells = tuple([cell for _, cell in answer])
    return cells if all(type(cell) is JsonDigits for cell in cells) else None


def _frame(members: Mapping[str, Any]) -> Cells | None:
    """The intent, and then name and text of each slot in turn."""
    intent, slots = _text(members.get(INTENT)), members.get(SLOTS)
    if intent is None or type(slots) is not JsonPairs or len(dict(slots)) < len(slots):
        return None
    cells = [intent]
    for slot, inner in slots:
        for text in inner if type(inner) is list else [inner]:
            told = _text(text)
            if told is None:
                return None
            cells += (slot, told)
    return tuple(cells)
