"""Of a board as it is written down the rows that a line in a list of releases tells of, and counts of all."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from benchmarks.spec import RowKind
from leaderboard.board.model.serialization import from_dict

Written = Mapping[str, Any]


def leading_rows(data: Written) -> dict[str, Any]:
    """What `from_dict` reads beside `head_of` the same board: its leading rows in their order, and `counts` of all.

    The leaders, and whoever shares the rank below a single one. Where each column is a ranking of its own, all rows as
    far as to the last that is first in most of them, with the cells that say so.
    """
    rows: list[Written] = data["rows"]
    return {
        "rows": _firsts_of_columns(data) if data.get("by_column") else _first_ranks(rows),
        "counts": {
            "systems": sum(row["kind"] == RowKind.SYSTEM for row in rows),
            "ranked": sum(row["rank"] is not None for row in rows),
        },
    }


def _first_ranks(rows: list[Written]) -> list[Written]:
    ranked = [row for row in rows if row["rank"] is not None]
    last = next((row["rank"] for row in ranked[1:2]), 1)
    kept = [row for row in ranked if row["rank"] <= last]
    return [_ahead_of_some(row, len(kept)) for row in kept]


def _ahead_of_some(row: Written, count: int) -> Written:
    """The row with no places beyond the first so many among those that it is surely ahead of."""
    if row.get("ahead_of") is None:
        return row
    return {**row, "ahead_of": [[low, min(high, count)] for low, high in row["ahead_of"] if low <= count]}


def _firsts_of_columns(data: Written) -> list[Written]:
    """No row in between is left out: those that share a value are put in another order where names are hidden."""
    best = {key: marks.best for key, marks in from_dict(data).standouts.items()}
    firsts = Counter(at for rows in best.values() for at in rows)
    most = max(firsts.values(), default=0)
    kept = [at for at, count in firsts.items() if count == most]
    # Else another would be the first by the column whose cells all rows keep.
    last = max([*kept, min(best[data["rank_by"]], default=-1)], default=-1)
    return [
        {
            **row,
            "cells": {
                key: cell for key, cell in row["cells"].items() if key == data["rank_by"] or at in best[key]
            },
        }
        for at, row in enumerate(data["rows"][: last + 1])
    ]
