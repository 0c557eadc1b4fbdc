"""Releases from rows that nobody scored, for boards of many systems and of names that are hard to set."""

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from benchmarks.models import Benchmark, Phase
from benchmarks.spec import OVERALL, RowKind
from leaderboard.board.model.board import Board, BoardRow, Cell, Column
from leaderboard.board.model.ranking import rank
from leaderboard.board.model.serialization import from_dict, to_dict
from leaderboard.models import Release
from scoring.models import Batch
from tests.conftest import NOW

COLUMNS = 15


def large_board(phase: Phase, systems: int) -> Board:
    """An average and three groups of tasks; no two numbers or submissions alike, so that nothing compresses well."""
    tasks = [
        Column(f"task_{at}", f"T{at}", f"Task {at}", "f1_macro", "F1 macro", True, group=f"Group {at // 5}")
        for at in range(COLUMNS - 1)
    ]
    overall = Column("overall", "Overall", "Overall", "f1_macro", "mean of F1 macro", True)
    columns = (overall, *tasks)
    rows = [stored_row(at, columns) for at in range(systems)]
    return Board(
        benchmark="toy",
        benchmark_title="Toy",
        title="Toy",
        phase=phase.slug,
        release=1,
        published_at=NOW.astimezone(dt.UTC),
        columns=columns,
        rows=rank(rows, overall),
        task=None,
        rank_by="overall",
        synthetic=False,
        note="",
    )


def stored_row(at: int, columns: Iterable[Column], system: str = "", team: str = "") -> BoardRow:
    """A row with a score in each column, all drawn from its number."""

    def value(place: int) -> float:
        return (at * 7919 + place * 104729 + 13) % 9973 / 9973

    submission = f"{at * 2654435761 % 2**32:08x}-0000-4000-8000-{at:012x}"
    cells = {
        column.key: Cell(value(place), None, value(place) * 0.97, value(place) * 1.01, submission)
        for place, column in enumerate(columns)
    }
    tags = ("few-shot",) if at % 10 == 0 else ()
    name, of = system or f"System {at:03}", team or f"Team {at % 40}"
    return BoardRow(name, None, of, RowKind.SYSTEM, cells, tags=tags)


def store_release(board: Board, phase: Phase, *, reports: Mapping[str, Any] | None = None) -> Release:
    """A release of that board alone; its pages are to be made yet."""
    return _release(phase, board.release, {OVERALL: to_dict(board)}, reports or {})


def store_with_more_rows(before: Release, rows: Iterable[BoardRow]) -> Release:
    """A further release: the boards of the one before with more rows; the scores behind that go on."""
    boards = {key: from_dict(stored) for key, stored in before.boards.items()}
    more = list(rows)
    stored = {}
    for key, board in boards.items():
        by = board.column(board.rank_by)
        grown = rank([*board.rows, *more], by)
        stored[key] = to_dict(replace(board, release=before.number + 1, rows=grown, chance=None))
    return _release(before.phase, before.number + 1, stored, {})


def _release(phase: Phase, number: int, boards: dict[str, Any], reports: Mapping[str, Any]) -> Release:
    at = NOW + dt.timedelta(weeks=number)
    batch = Batch.objects.create(
        phase=phase, status=Batch.Status.RELEASED, cut_off_at=at, closed_at=at, scored_at=at
    )
    release = Release(
        benchmark=phase.benchmark,
        phase=phase,
        batch=batch,
        number=number,
        published_at=at,
    )
    release.boards, release.reports = boards, dict(reports)
    release.save(force_insert=True)
    Benchmark.objects.all().mark_stale(archive=True)
    return release
