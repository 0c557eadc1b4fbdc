"""What templates print about a board besides its table: releases in a line, a system's places. All text."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board, BoardRow, Column
from leaderboard.board.model.ranking import rank


@dataclass(frozen=True, slots=True)
class LeaderView:
    """A system that holds the first rank of a release."""

    system: str
    system_id: str | None
    team: str


@dataclass(frozen=True, slots=True)
class ReleaseView:
    """A release in one line, for the archive and the list of benchmarks."""

    number: int
    published_at: dt.datetime
    system_count: int
    leaders: tuple[LeaderView, ...]
    score: str
    column: str


@dataclass(frozen=True, slots=True)
class StandingView:
    """A system's score in one column, with its rank among the `of` systems that have one there.

    `hint` says why there is no score or no rank; `submission` is the short id of the one behind the score, empty
    for what is made of several.
    """

    key: str
    title: str
    name: str
    score: str
    rank: str
    of: int
    hint: str
    beside: str = ""
    deviation: str = ""
    submission: str = ""


@dataclass(frozen=True, slots=True)
class HistoryView:
    """A system's place in one release."""

    number: int
    published_at: dt.datetime
    standing: StandingView


def release(board: Board) -> ReleaseView:
    """The board in one line: who leads it, and with what score."""
    leaders = board.leaders
    return ReleaseView(
        number=board.release,
        published_at=board.published_at,
        system_count=board.system_count,
        leaders=tuple(LeaderView(row.system, row.system_id, row.team) for row in leaders),
        score=fmt.score(leaders[0].value(board.rank_by) if leaders else None),
        column=board.column(board.rank_by).name,
    )


def standings(board: Board) -> dict[str, tuple[StandingView, ...]]:
    """Every system's scores by its id, one per column of the board, each ranked by that column.

    Columns of one name, as of test and dev, are told apart by their groups.
    """
    by_system: dict[str, list[StandingView]] = {}
    names = Counter(column.name for column in board.columns)
    for column in board.columns:
        told_apart = replace(column, name=f"{column.name} ({column.group})")
        own = told_apart if names[column.name] > 1 and column.group else column
        for system_id, standing in _standings_in(rank(board.rows, column), own):
            by_system.setdefault(system_id, []).append(standing)
    return {system_id: tuple(lines) for system_id, lines in by_system.items()}


def history(boards: Iterable[Board]) -> dict[str, tuple[HistoryView, ...]]:
    """Every system's place by its id in each of these releases that it stands in, in the order given."""
    by_system: dict[str, list[HistoryView]] = {}
    for board in boards:
        for system_id, standing in _standings_in(board.rows, board.column(board.rank_by)):
            line = HistoryView(board.release, board.published_at, standing)
            by_system.setdefault(system_id, []).append(line)
    return {system_id: tuple(lines) for system_id, lines in by_system.items()}


def _standings_in(rows: Sequence[BoardRow], column: Column) -> Iterator[tuple[str, StandingView]]:
    ranked = sum(row.rank is not None for row in rows)
    for row in rows:
        if row.system_id is not None:
            yield row.system_id, _standing(row, column, ranked)


def _standing(row: BoardRow, column: Column, ranked: int) -> StandingView:
    cell = row.cell(column.key)
    return StandingView(
        key=column.key,
        title=column.title,
        name=column.name,
        score=fmt.score(cell.value),
        rank="" if row.rank is None else str(row.rank),
        of=ranked,
        hint=fmt.reason(cell.undefined or "") or fmt.missing_seeds(cell.seeds, cell.seeds_wanted),
        beside=fmt.beside(cell.beside),
        deviation=fmt.deviation(cell.deviation),
        submission=fmt.short_id(cell.submission or ""),
    )
