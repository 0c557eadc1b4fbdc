"""Releases of as many systems as wanted, from rows that nobody scored: for measurements and tests of large boards."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from benchmarks.models import Benchmark, Phase
from benchmarks.spec import RowKind
from catalogue.declared_facts import DeclaredFacts
from leaderboard.assembly.release_boards import build_boards
from leaderboard.board.model.board import Board, BoardRow, Cell, Chance, Column
from leaderboard.board.model.ranking import rank, unranked
from leaderboard.board.model.serialization import to_dict
from leaderboard.models import Release
from scoring.models import Batch

TAGS = (*("few-shot", "fine-tuned", "LoRA", "retrieval", "ensemble"), *(f"corpus {at}" for at in range(40)))
HALF = 0.012  # of an interval
WITHOUT_LAST = 30  # one in so many rows


def large_boards(phase: Phase, systems: int, *, now: dt.datetime, release: int) -> dict[str, Board]:
    """Every board of a release in which that many systems stand, no two numbers or submissions alike."""
    bare = build_boards(phase=phase, rows=[], release=release, published_at=now)
    return {key: _filled(board, systems) for key, board in bare.items()}


def store_large_release(phase: Phase, systems: int, *, now: dt.datetime, release: int = 1) -> Release:
    """A release of such boards; its pages are to be made yet."""
    boards = large_boards(phase, systems, now=now, release=release)
    return store_boards(phase, release, {key: to_dict(board) for key, board in boards.items()}, {}, now=now)


def store_boards(
    phase: Phase, number: int, boards: dict[str, Any], reports: Mapping[str, Any], *, now: dt.datetime
) -> Release:
    """A release of boards as dictionaries, with a batch behind it; the benchmark's pages are marked as out of date."""
    batch = Batch.objects.create(
        phase=phase, status=Batch.Status.RELEASED, cut_off_at=now, closed_at=now, scored_at=now
    )
    release = Release(
        benchmark=phase.benchmark,
        phase=phase,
        batch=batch,
        number=number,
        published_at=now,
    )
    release.boards, release.reports = boards, dict(reports)
    release.save(force_insert=True)
    Benchmark.objects.all().mark_stale(archive=True)
    return release


def _filled(board: Board, systems: int) -> Board:
    rows = [_row(at, board.columns) for at in range(systems)]
    if board.by_column:
        return replace(board, rows=unranked([*board.rows, *rows], board.columns))
    ordered = rank([*board.rows, *rows], board.column(board.rank_by))
    places = [at for at, row in enumerate(ordered) if row.rank is not None]
    ranged = list(ordered)
    for place, at in enumerate(places, 1):
        low, high = max(1, place - systems // 20), min(len(places), place + systems // 20)
        ranged[at] = ordered[at]._replace(rank_low=low, rank_high=high)
    chance = Chance(1000, ((1, max(2, systems // 20)),), 2 * HALF)
    return replace(board, rows=tuple(ranged), chance=chance)


def _row(at: int, columns: Sequence[Column]) -> BoardRow:
    """Tags, facts and a score in each column, all drawn from its number; of a few none in the last."""

    def value(place: int) -> float:
        return 0.3 + 0.6 * ((at * 7919 + place * 104729 + 13) % 99991 / 99991)

    cells = {
        column.key: Cell(
            value(place),
            None,
            value(place) - HALF,
            value(place) + HALF,
            f"{(at * 2654435761 + place * 40503) % 2**32:08x}-0000-4000-8000-{at:012x}",
        )
        for place, column in enumerate(columns)
    }
    if at % WITHOUT_LAST == 0:
        cells[columns[-1].key] = Cell(None, "not_submitted")
    return BoardRow(
        f"System {at:04}",
        str(UUID(int=(at + 1) * 0x9E3779B97F4A7C15F39CC0605CEDC835 % 2**128)),
        f"Team {at % 400}",
        RowKind.SYSTEM,
        cells,
        tags=tuple(dict.fromkeys((TAGS[at % 5], TAGS[at * 7 % len(TAGS)]))),
        facts=DeclaredFacts(parameters=10**9) if at % 7 == 0 else DeclaredFacts(),
    )
