"""What columns JSON lines have of which nothing was said: their keys, and what stands under each."""

import json
from collections.abc import Iterable, Iterator, Sequence

from catalogue.answers.structured.slots import INTENT, SLOTS
from catalogue.gold_column import CellShape, GoldColumn, SeenFile, WrittenAs
from catalogue.layouts.json_text import Member, Node, NumberText, compact

_WRITTEN = {NumberText: WrittenAs.NUMBERS, bool: WrittenAs.BOOLEANS}
_EMPTY = Node("", 0)


def looks_like_objects(lines: Sequence[str]) -> bool:
    """True for lines of which the first is an object and no other is the inside of one that goes on.

    One line alone with nothing but objects under its keys holds all items, and is none of them.
    """
    try:
        first = json.loads(lines[0]) if lines else None
    except (ValueError, RecursionError):
        return False
    holds_all = len(lines) == 1 and first and isinstance(first, dict)
    return isinstance(first, dict) and not (
        holds_all and all(isinstance(item, dict) for item in first.values())
    )


def columns_of_objects(objects: Iterable[tuple[int, Sequence[Member]]]) -> SeenFile:
    """The columns of objects with their lines: a key each, with points for keys within keys.

    A key under which other things stand than texts, or lists of texts, is no column.
    """
    rows = [(line, dict(_leaves(members))) for line, members in objects]
    names = list(dict.fromkeys(name for _, row in rows for name in row))
    found = (_column(name, [row.get(name, _EMPTY) for _, row in rows]) for name in names)
    columns = tuple(column for column in found if column is not None)
    ids = tuple(column.name for column in columns if column.shape is CellShape.TEXT)
    return SeenFile(columns, tuple(line for line, _ in rows), ids)


def _leaves(members: Sequence[Member], path: str = "") -> Iterator[tuple[str, Node]]:
    """What stands under keys that hold no further object, by the way to each. Of a frame its slots stand for all."""
    texts = {member.key: member.value for member in members}
    for member in members:
        inner, name = member.value.value, f"{path}{member.key}"
        if not isinstance(inner, tuple):
            yield name, member.value
        elif not path and name == SLOTS and isinstance(getattr(texts.get(INTENT), "value", None), str):
            yield name, Node((Member(INTENT, member.line, texts[INTENT]), member), member.line)
        else:
            yield from _leaves(inner, f"{name}.")


def _column(name: str, nodes: Sequence[Node]) -> GoldColumn | None:
    """The column that these values are; None where they are not alike, or of no use."""
    if any(isinstance(node.value, tuple) for node in nodes):
        return _frames(name, nodes)
    if any(isinstance(node.value, list) for node in nodes):
        return _lists(name, nodes)
    kinds = {type(node.value) for node in nodes}
    written = _WRITTEN.get(kinds.pop(), WrittenAs.TEXT) if len(kinds) == 1 else WrittenAs.TEXT
    return GoldColumn(name, tuple(map(_text, nodes)), written_as=written)


def _lists(name: str, nodes: Sequence[Node]) -> GoldColumn | None:
    lists = [node.value if isinstance(node.value, list) else [node] for node in nodes]
    if any(not isinstance(inner.value, str) for listed in lists for inner in listed):
        return _nested(name, nodes)
    parts = tuple(tuple(map(_text, listed)) for listed in lists)
    cells = tuple(json.dumps(part, ensure_ascii=False) for part in parts)
    return GoldColumn(name, cells, CellShape.LIST, parts)


def _nested(name: str, nodes: Sequence[Node]) -> GoldColumn | None:
    """Lists of whole numbers, or of lists or objects; None for others, such as vectors."""
    kinds = {type(inner.value) for node in nodes if isinstance(node.value, list) for inner in node.value}
    cells = tuple(map(compact, nodes))
    is_list = all(isinstance(node.value, list) for node in nodes)
    is_whole = kinds == {NumberText} and not any("." in cell for cell in cells)
    return (
        GoldColumn(name, cells, CellShape.NESTED)
        if is_list and (is_whole or kinds <= {list, tuple})
        else None
    )


def _frames(name: str, nodes: Sequence[Node]) -> GoldColumn | None:
    frames = [node.value for node in nodes if isinstance(node.value, tuple)]
    if len(frames) < len(nodes):
        return None
    parts, cells = [], []
    for intent, slots in frames:
        names = tuple(member.key for member in slots.value.value if isinstance(slots.value.value, tuple))
        parts.append((_text(intent.value), *names))
        cells.append(": ".join(filter(None, (_text(intent.value), ", ".join(names)))))
    return GoldColumn(name, tuple(cells), CellShape.FRAME, tuple(parts))


def _text(node: Node) -> str:
    value = node.value
    if isinstance(value, NumberText):
        return value.text
    if isinstance(value, bool):
        return json.dumps(value)
    return value if isinstance(value, str) else ""
