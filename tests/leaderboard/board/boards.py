"""Small hand-made boards. Every number in the tests beside this file can be checked by eye."""

import datetime as dt
from typing import Any

from benchmarks.spec import RowKind
from leaderboard.board.model.board import Board, BoardRow, Cell, Column

ACCURACY = Column("overall", "Overall", "Overall score", "accuracy", "Accuracy", True)
TASK = Column("banking_77", "B77", "Banking 77", "f1_macro", "F1 (macro)", True)
ERROR = Column("overall", "Error", "Mean error", "mean_error", "Mean error", False)


def cell(value: float | None, **more: Any) -> Cell:
    return Cell(value, None if value is not None else "not_submitted", **more)


def row(system: str, *values: float | None, kind: RowKind = RowKind.SYSTEM, **more: Any) -> BoardRow:
    """A row whose values fill the columns `overall` and `banking_77`, in that order."""
    cells = {key: cell(value) for key, value in zip(("overall", "banking_77"), values, strict=False)}
    more = {"system_id": None, "team": f"Team {system}", **more}
    return BoardRow(system=system, kind=kind, cells=cells, **more)


def board(*rows: BoardRow, columns: tuple[Column, ...] = (ACCURACY,), **more: Any) -> Board:
    values: dict[str, Any] = {
        "benchmark": "raft",
        "benchmark_title": "RAFT",
        "title": "RAFT",
        "phase": "main",
        "release": 3,
        "published_at": dt.datetime(2026, 11, 16, tzinfo=dt.UTC),
        "task": None,
        "rank_by": "overall",
        "synthetic": False,
        "note": "",
    }
    return Board(rows=rows, columns=columns, **(values | more))
