"""What two dictionaries of one board differ in: the frozen one, and the one made again."""

from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.spec import RowKind
from leaderboard.board.model.serialization import CHOICE, json_bytes

# What a row is called. It is not computed, and may be changed by its team after a release.
CALLED = ("system", "team", "tags", "source")
TEXTS = ("benchmark_title", "title", "note")
# What a board says around its numbers. It follows the definition, which may have changed since.
HEADS = ("title", "code", "metric_title", "group", "beside_title")


def worded_as(remade: Mapping[str, Any], frozen: Mapping[str, Any]) -> dict[str, Any]:
    """The board made again, its systems and columns called as they were when the other was frozen."""
    systems = {row["system_id"]: row for row in frozen["rows"] if row["system_id"]}
    heads = {column["key"]: column for column in frozen["columns"]}
    return {
        **_with(remade, frozen, TEXTS),
        "columns": [_with(column, heads.get(column["key"], column), HEADS) for column in remade["columns"]],
        "rows": [_with(row, systems.get(row["system_id"], row), CALLED) for row in remade["rows"]],
    }


def with_people_of(remade: Mapping[str, Any], frozen: Mapping[str, Any]) -> Mapping[str, Any]:
    """The board made again with the frozen rows of people, where they are others: no scores of systems make them.

    Campaigns and gold labels do, and may have come since.
    """
    of_people = [_of_people(board) for board in (frozen, remade)]
    if of_people[0] == of_people[1]:
        return remade
    rows = [row for row in remade["rows"] if row["kind"] != RowKind.HUMAN]
    for row in of_people[0]:
        rows.insert(frozen["rows"].index(row), row)
    return {**remade, "rows": rows}


def _of_people(board: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [row for row in board["rows"] if row["kind"] == RowKind.HUMAN]


def as_unsure_as(remade: Mapping[str, Any], frozen: Mapping[str, Any]) -> Mapping[str, Any]:
    """The board made again without what says how sure it is, as far as the other was frozen before there was any."""
    if not _has_ranges(frozen) and _has_ranges(remade):
        no_range = {"rank_low": None, "rank_high": None}
        rows = [_without(row, "leads") | no_range for row in remade["rows"]]
        remade = _without(remade, "chance") | {"rows": rows}
    if not _has_decisions(frozen) and _has_decisions(remade):
        remade = {**remade, "rows": [_without(row, "ahead_of") for row in remade["rows"]]}
    if not _has_choices(frozen) and _has_choices(remade):
        remade = {**remade, "rows": [_without(row, *CHOICE) for row in remade["rows"]]}
    if not _has_intervals(frozen) and _has_intervals(remade):
        remade = {**remade, "rows": [_without_intervals(row) for row in remade["rows"]]}
    return remade


def _has_ranges(board: Mapping[str, Any]) -> bool:
    return "chance" in board or any(row["rank_low"] is not None for row in board["rows"])


def _has_decisions(board: Mapping[str, Any]) -> bool:
    return any("ahead_of" in row for row in board["rows"])


def _has_choices(board: Mapping[str, Any]) -> bool:
    return any(name in row for row in board["rows"] for name in CHOICE)


def _has_intervals(board: Mapping[str, Any]) -> bool:
    return any(cell["ci_low"] is not None for row in board["rows"] for cell in row["cells"].values())


def _without(part: Mapping[str, Any], *left_out: str) -> dict[str, Any]:
    return {key: value for key, value in part.items() if key not in left_out}


def _without_intervals(row: Mapping[str, Any]) -> dict[str, Any]:
    cells = {key: {**cell, "ci_low": None, "ci_high": None} for key, cell in row["cells"].items()}
    return {**row, "cells": cells}


def _with(remade: Mapping[str, Any], frozen: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    """A part made again with these words of the frozen one; a word that only one of them has is left out or comes."""
    words = {name: frozen[name] for name in names if name in frozen}
    kept = {key: words.get(key, value) for key, value in remade.items() if key in words or key not in names}
    return kept | words


def board_differences(frozen: Mapping[str, Any], remade: Mapping[str, Any]) -> Iterator[str]:
    """A sentence for every cell, rank, row and text that differs; both are in the shape of `exports.to_dict`."""
    for key in dict.fromkeys([*frozen, *remade]):
        if key not in ("columns", "rows") and frozen.get(key) != remade.get(key):
            yield f"{key} is {frozen.get(key)!r} in the release, made again {remade.get(key)!r}."
    columns, now = ([column["key"] for column in board["columns"]] for board in (frozen, remade))
    if columns != now:
        yield f"the columns are {', '.join(columns)} in the release, made again {', '.join(now)}."
    elif frozen["columns"] != remade["columns"]:
        yield "the heads of the columns differ."
    yield from _rows(frozen["rows"], remade["rows"])
    if json_bytes(frozen) != json_bytes(remade) and frozen == remade:
        yield "the values agree, but not the bytes that they are written as."


def _rows(frozen: list[dict[str, Any]], remade: list[dict[str, Any]]) -> Iterator[str]:
    before, after = ({_key(row): row for row in rows} for rows in (frozen, remade))
    for key, row in before.items():
        if key not in after:
            yield f"{row['system']}: its row is not made again."
        else:
            yield from _row(row, after[key])
    for key, row in after.items():
        if key not in before:
            yield f"{row['system']}: its row is not in the release."
    order = [key for key in before if key in after]
    if order != [key for key in after if key in before]:
        yield "the rows stand in another order."


def _row(frozen: Mapping[str, Any], remade: Mapping[str, Any]) -> Iterator[str]:
    name = frozen["system"]
    for key in dict.fromkeys([*frozen, *remade]):
        if key != "cells" and frozen.get(key) != remade.get(key):
            yield f"{name}: {key} is {frozen.get(key)!r} in the release, made again {remade.get(key)!r}."
    for column in dict.fromkeys([*frozen["cells"], *remade["cells"]]):
        was, now = frozen["cells"].get(column, {}), remade["cells"].get(column, {})
        for key in dict.fromkeys([*was, *now]):
            if was.get(key) != now.get(key):
                yield f"{name}, {column}: {key} is {was.get(key)!r} in the release, made again {now.get(key)!r}."


def _key(row: Mapping[str, Any]) -> tuple[str, ...]:
    if row["system_id"]:
        return row["kind"], row["system_id"]
    day = row["moved"]["date"] if "moved" in row else ""
    return row["kind"], "", row["system"], *((row["team"], day) if day else ())
