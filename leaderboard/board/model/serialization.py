"""A board as the dictionary that releases keep and everybody may read as JSON, and back from it."""

import datetime as dt
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from typing import Any

from benchmarks.spec import RowKind
from catalogue.declared_facts import DeclaredFacts
from catalogue.disclosure.rule import DECIMALS, few_digits
from leaderboard.board.model.board import (
    Board,
    BoardRow,
    Cell,
    Chance,
    Column,
    MovedRow,
    NotCounted,
    RowCounts,
)

CHOICE = ("tries", "expected_luck", "corrected_low", "corrected_high")
"""What a row says of a value that was chosen for being the best."""


def json_bytes(document: Any) -> bytes:
    """The document as UTF-8 JSON on one line; ValueError for a number that is not finite."""
    return json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode() + b"\n"


def to_dict(board: Board) -> dict[str, Any]:
    """The board in the shape of its public JSON; `from_dict` reads it back.

    What only some boards have (`chance`, `disclosure`, `part`, `decimals`, `by_column`, `not_counted`, a row's `leads`,
    `ahead_of`, `moved` and what is in `CHOICE`, a column's `group`, `beside_title` and `heat`, a cell's `beside`,
    `deviation`, `seeds` and `seeds_wanted`) is there where it is used, so that releases frozen before there was such a
    thing stay the same.
    """
    not_counted = [
        {
            "lacks": left_out.lacks,
            "systems": [{"system_id": system_id, "system": name} for system_id, name in left_out.systems],
        }
        for left_out in board.not_counted
    ]
    chance = board.chance and {
        "replicates": board.chance.replicates,
        "groups": [list(group) for group in board.chance.groups],
        "smallest_difference": board.chance.smallest_difference,
    }
    return {
        "benchmark": board.benchmark,
        "benchmark_title": board.benchmark_title,
        "title": board.title,
        "phase": board.phase,
        "task": board.task,
        "release": board.release,
        "published_at": board.published_at.isoformat().replace("+00:00", "Z"),
        "rank_by": board.rank_by,
        "synthetic": board.synthetic,
        "note": board.note,
        **({"axis": board.axis} if board.axis else {}),
        **({"not_counted": not_counted} if not_counted else {}),
        **({"chance": chance} if chance else {}),
        **({"disclosure": board.disclosure} if board.disclosure else {}),
        **({"part": board.part} if board.part else {}),
        **({"decimals": board.decimals} if board.decimals is not None else {}),
        **({"by_column": True} if board.by_column else {}),
        "columns": [_column_to_dict(column) for column in board.columns],
        "rows": [_row_to_dict(row, board.columns) for row in board.rows],
    }


def from_dict(data: Mapping[str, Any]) -> Board:
    """The board that `to_dict` wrote down. KeyError or ValueError where `data` is no such dictionary."""
    return Board(
        benchmark=data["benchmark"],
        benchmark_title=data["benchmark_title"],
        title=data["title"],
        phase=data["phase"],
        release=data["release"],
        published_at=dt.datetime.fromisoformat(data["published_at"]),
        columns=tuple(_column_from_dict(column) for column in data["columns"]),
        rows=tuple(_row_from_dict(row) for row in data["rows"]),
        task=data["task"],
        rank_by=data["rank_by"],
        synthetic=data["synthetic"],
        note=data["note"],
        axis=data.get("axis", ""),
        not_counted=tuple(map(_not_counted_from_dict, data.get("not_counted", ()))),
        chance=_chance_from_dict(data["chance"]) if "chance" in data else None,
        disclosure=data.get("disclosure", ""),
        part=data.get("part", ""),
        decimals=data.get("decimals"),
        by_column=data.get("by_column", False),
        counts=RowCounts(**data["counts"]) if "counts" in data else None,
    )


def ranking_of(data: Mapping[str, Any]) -> dict[str, Any]:
    """Of what `to_dict` wrote down that with the column alone that ranks the board; `from_dict` reads it, too.

    Where each column is a ranking of its own, all of them are there.
    """
    if data.get("by_column"):
        return dict(data)
    key = data["rank_by"]
    columns = [column for column in data["columns"] if column["key"] == key]
    rows = [{**row, "cells": {key: row["cells"][key]}} for row in data["rows"]]
    return {**data, "columns": columns, "rows": rows}


def head_of(data: Mapping[str, Any]) -> dict[str, Any]:
    """Of what `ranking_of` gives that without rows and what is said of them; `from_dict` reads it, too."""
    said_of_rows = ("chance", "not_counted")
    return {key: part for key, part in data.items() if key not in said_of_rows} | {"note": "", "rows": []}


def _not_counted_from_dict(data: Mapping[str, Any]) -> NotCounted:
    return NotCounted(
        data["lacks"], tuple((system["system_id"], system["system"]) for system in data["systems"])
    )


def _chance_from_dict(data: Mapping[str, Any]) -> Chance:
    groups = tuple((first, last) for first, last in data["groups"])
    return Chance(data["replicates"], groups, data["smallest_difference"])


def _column_to_dict(column: Column) -> dict[str, Any]:
    extras = {"group": column.group, "beside_title": column.beside_title}
    return {
        "key": column.key,
        "title": column.name,
        "code": column.title,
        "metric": column.metric,
        "metric_title": column.metric_title,
        "higher_is_better": column.higher_is_better,
        **{name: text for name, text in extras.items() if text},
        **({"heat": True} if column.heat else {}),
    }


def _column_from_dict(data: Mapping[str, Any]) -> Column:
    return Column(
        key=data["key"],
        title=data["code"],
        name=data["title"],
        metric=data["metric"],
        metric_title=data["metric_title"],
        higher_is_better=data["higher_is_better"],
        group=data.get("group", ""),
        beside_title=data.get("beside_title", ""),
        heat=data.get("heat", False),
    )


def _row_to_dict(row: BoardRow, columns: tuple[Column, ...]) -> dict[str, Any]:
    return {
        "system": row.system,
        "system_id": row.system_id,
        "team": row.team,
        "kind": row.kind.value,
        "rank": row.rank,
        "rank_low": row.rank_low,
        "rank_high": row.rank_high,
        **({"leads": row.leads} if row.leads is not None else {}),
        **({"ahead_of": [list(span) for span in row.ahead_of]} if row.ahead_of is not None else {}),
        **{name: number for name in CHOICE if (number := getattr(row, name)) is not None},
        "tags": list(row.tags),
        **({"facts": facts} if (facts := row.facts.as_dict()) else {}),
        "source": row.source,
        **({"moved": {key: text for key, text in asdict(row.moved).items() if text}} if row.moved else {}),
        "cells": {column.key: _cell_to_dict(row.cell(column.key)) for column in columns},
    }


def _row_from_dict(data: Mapping[str, Any]) -> BoardRow:
    ahead_of = data.get("ahead_of")
    return BoardRow(
        system=data["system"],
        system_id=data["system_id"],
        team=data["team"],
        kind=RowKind(data["kind"]),
        cells={key: Cell(**cell) for key, cell in data["cells"].items()},
        rank=data["rank"],
        rank_low=data["rank_low"],
        rank_high=data["rank_high"],
        tags=tuple(data["tags"]),
        facts=DeclaredFacts.from_dict(data.get("facts", {})),
        source=data["source"],
        leads=data.get("leads"),
        ahead_of=None if ahead_of is None else tuple((first, last) for first, last in ahead_of),
        **{name: data[name] for name in CHOICE if name in data},
        moved=MovedRow(**data["moved"]) if "moved" in data else None,
    )


def _cell_to_dict(cell: Cell) -> dict[str, Any]:
    written = {
        "value": cell.value,
        "undefined": cell.undefined,
        "ci_low": cell.ci_low,
        "ci_high": cell.ci_high,
        "submission": cell.submission,
    }
    if cell.beside is not None:
        written["beside"] = cell.beside
    if cell.deviation is not None:
        written["deviation"] = cell.deviation
    if cell.seeds is not None:
        written |= {"seeds": cell.seeds, "seeds_wanted": cell.seeds_wanted}
    return written


# Numbers as they go out while gold labels are hidden, with four decimals: more tell about the labels alone.


def rounded(value: Any, few: Callable[[float], float] = few_digits) -> Any:
    """The value with four decimals of every float in it, in lists and dictionaries too; all else as it is."""
    if isinstance(value, float):
        return few(value)
    if value is None or isinstance(value, str | int):
        return value  # as most are; to ask whether it is a mapping takes longer
    if isinstance(value, Mapping):
        return {key: rounded(part, few) for key, part in value.items()}
    if isinstance(value, list):
        return [rounded(part, few) for part in value]
    return tuple(rounded(part, few) for part in value) if isinstance(value, tuple) else value


def nearest(value: float) -> float:
    """How numbers with four decimals were rounded before pages printed them as they print the exact ones."""
    return round(value, DECIMALS) + 0.0


def with_few_decimals(board: Board, few: Callable[[float], float] = few_digits) -> Board:
    """The board with four decimals of each of its numbers, which it says. Its ranks stay those of the exact scores."""
    chance = board.chance and replace(
        board.chance, smallest_difference=rounded(board.chance.smallest_difference, few)
    )
    rows = tuple(_row_with_few_decimals(row, board.columns, few) for row in board.rows)
    return replace(board, decimals=DECIMALS, chance=chance, rows=rows)


def _row_with_few_decimals(
    row: BoardRow, columns: tuple[Column, ...], few: Callable[[float], float]
) -> BoardRow:
    return row._replace(
        cells={column.key: _cell_with_few_decimals(row.cell(column.key), few) for column in columns},
        facts=row.facts if row.facts.cost is None else replace(row.facts, cost=few(row.facts.cost)),
        leads=rounded(row.leads, few),
        expected_luck=rounded(row.expected_luck, few),
        corrected_low=rounded(row.corrected_low, few),
        corrected_high=rounded(row.corrected_high, few),
    )


def _cell_with_few_decimals(cell: Cell, few: Callable[[float], float]) -> Cell:
    def at_most_few(value: float | None) -> float | None:
        return None if value is None else few(value)

    return Cell(
        at_most_few(cell.value),
        cell.undefined,
        at_most_few(cell.ci_low),
        at_most_few(cell.ci_high),
        cell.submission,
        at_most_few(cell.beside),
        at_most_few(cell.deviation),
        cell.seeds,
        cell.seeds_wanted,
    )


def is_same(value: float | None, other: float | None) -> bool:
    """Whether two published numbers are the same, also where only one of them was published with all its digits."""
    return value == other or any(
        rounded(value, few) == other or value == rounded(other, few) for few in (few_digits, nearest)
    )
