"""Samples as programs log them, read by the standard library: of each the id and the answer, if nothing is unusual.

It knows only how to say yes, and says it to nothing that the patient reader refuses.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from catalogue.answers.reading import JSON_TEXT, NUMBER
from catalogue.answers.structured.json_list import check_characters
from catalogue.layouts.form import FileFormat, OrdinaryRows
from catalogue.layouts.json_forms.quick import JsonPairs, QuickRow, read_at
from catalogue.layouts.text_lines import first_forbidden

_AT_ONCE = 1_000  # samples
_SPACE = re.compile(r"[ \t\r\n]*+")


def quick_objects(piece: bytes, deepest: int, longest: int) -> list[dict[str, Any] | None]:
    """The members of the object on each line; None for a line with anything unusual."""
    try:
        lines = piece.decode().split("\n")
    except UnicodeDecodeError:
        return [None]
    return [_object(line, deepest) if len(line) <= longest else None for line in lines]


def _object(line: str, deepest: int) -> dict[str, Any] | None:
    try:
        text = _Text(line)
        value = text.value(deepest)
        text.end()
    except (ValueError, RecursionError):
        return None
    return members_once(value)


def quick_list(data: bytes, key: str, deepest: int) -> Iterator[list[Any] | None]:
    """Some values after others of the list that stands under that key of the one object; None for anything unusual.

    The list is not held as a whole.
    """
    try:
        yield from _Text(data.decode()).list_under(key, deepest)
    except (ValueError, RecursionError):
        yield None


class _Text:
    """A text that is read from its beginning on. ValueError for what is not in the file or may not stand there."""

    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0

    def list_under(self, key: str, deepest: int) -> Iterator[list[Any]]:
        self._pass("{")
        keys: list[str] = []
        while not keys or self._passes(","):
            name = self.value(deepest=0)
            if type(name) is not str or name in keys:
                raise ValueError("A key is no text, or stands twice.")
            keys.append(name)
            self._pass(":")
            if name == key:
                yield from self._elements(deepest - 2)
            else:
                self.value(deepest - 1)
        self._pass("}")
        self.end()
        if key not in keys:
            raise ValueError("There is no such key.")

    def _elements(self, deepest: int) -> Iterator[list[Any]]:
        self._pass("[")
        found = [self.value(deepest)]
        while self._passes(","):
            if len(found) == _AT_ONCE:
                yield found
                found = []
            found.append(self.value(deepest))
        self._pass("]")
        yield found

    def value(self, deepest: int) -> Any:
        """The next value, which holds no more than so many objects and lists within each other."""
        text, at = self._text, self._skip_space()
        value, end = read_at(text, at)
        check_characters(value, text, at, end)
        if text.count("{", at, end) + text.count("[", at, end) > deepest and _depth(value) > deepest:
            raise ValueError("Nothing may be nested so deep.")
        self._at = end
        return value

    def end(self) -> None:
        if self._skip_space() < len(self._text):
            raise ValueError("Something stands behind the value.")

    def _pass(self, mark: str) -> None:
        if not self._passes(mark):
            raise ValueError(f"{mark} is expected.")

    def _passes(self, mark: str) -> bool:
        is_there = self._text.startswith(mark, self._skip_space())
        self._at += is_there
        return is_there

    def _skip_space(self) -> int:
        found = _SPACE.match(self._text, self._at)
        self._at = found.end() if found else self._at
        return self._at


def members_once(value: Any) -> dict[str, Any] | None:
    """The members of an object of which no key stands twice."""
    members = dict(value) if type(value) is JsonPairs else None
    return members if members is not None and len(members) == len(value) else None


def _depth(value: Any) -> int:
    if type(value) is JsonPairs:
        return 1 + max((_depth(inner) for _, inner in value), default=0)
    return 1 + max(map(_depth, value), default=0) if type(value) is list else 0


def ordinary(rows: Sequence[QuickRow | None], form: FileFormat) -> OrdinaryRows | None:
    """The rows; None where anything is unusual in one. What stands beside answers may hold any character."""
    read = [row for row in rows if row is not None]
    if len(read) < len(rows):
        return None
    return OrdinaryRows(
        b"", {form.id_column: [row.item.encode() for row in read]}, [row.cells for row in read]
    )


def quick_sample(form: FileFormat, labels: Sequence[str]) -> Callable[[dict[str, Any]], QuickRow | None]:
    """What reads the id and the answer of a sample, as `run_log.row_of` does; None where anything is unusual."""

    def row(members: dict[str, Any]) -> QuickRow | None:
        item, answer = (_at(members, path) for path in (form.id_column, form.label_column))
        while type(answer) is list and len(answer) == 1:
            (answer,) = answer
        if type(answer) is list:
            answer = likeliest(
                [choice[0] if type(choice) is list and choice else None for choice in answer], labels
            )
        if not isinstance(item, str) or not isinstance(answer, str):
            return None
        text = answer.strip()
        is_sound = len(text) <= JSON_TEXT.longest and not first_forbidden(text)
        return QuickRow(str(item), (text,)) if is_sound else None

    return row


def _at(members: dict[str, Any], path: str) -> Any:
    """What stands under that key, or where its points lead through objects; None where a key stands twice."""
    if path in members:
        return members[path]
    key, point, rest = path.partition(".")
    inner = members_once(members.get(key)) if point else None
    return None if inner is None else _at(inner, rest)


def likeliest(likelihoods: Sequence[Any], labels: Sequence[str]) -> str | None:
    """The label whose place is that of the highest log-likelihood, of several the first.

    None unless there is one for each label.
    """
    numbers = [float(text) for text in likelihoods if isinstance(text, str) and NUMBER.fullmatch(text)]
    if not len(likelihoods) == len(numbers) == len(labels):
        return None
    return labels[numbers.index(max(numbers))]
