"""The first few of a ranking as a small picture, and all of a benchmark that has many rankings and no overall score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from benchmarks.spec import RowKind
from leaderboard.board.charts import interval_marks as marks
from leaderboard.board.charts.interval_marks import Mark, MarkAxis
from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board, BoardRow, Column, grouped
from leaderboard.board.model.decisions import Verdict, verdict_on

FIRST = 3  # systems of each ranking that are shown


@dataclass(frozen=True, slots=True)
class RankingLine:
    """A system in one ranking: its name, its score as text, and its mark as HTML; `leads` for the first rank."""

    name: str
    score: str
    mark: str
    leads: bool


@dataclass(frozen=True, slots=True)
class ColumnRanking:
    """One ranking: its title and address, its first few, how surely the first of them leads, and of how many systems.

    `axis` is HTML.
    """

    title: str
    url: str
    lines: tuple[RankingLine, ...]
    verdict: str
    is_sure: bool
    system_count: int
    axis: str


@dataclass(frozen=True, slots=True)
class RankingGroup:
    """Neighbouring rankings under one title, all by one measure."""

    title: str
    measure: str
    rankings: tuple[ColumnRanking, ...]


@dataclass(frozen=True, slots=True)
class ColumnRankings:
    """All rankings of a benchmark, and in a sentence who is first in how many of them, and how surely."""

    sentence: str
    groups: tuple[RankingGroup, ...]


def column_rankings(
    overall: Board, boards: Mapping[str, Board], urls: Mapping[str, str]
) -> ColumnRankings | None:
    """The rankings of a board whose columns rank by themselves; None for any other board, and before a release.

    Parameters
    ----------
    overall : Board
    boards : mapping of str to Board
        All boards of the release. Each column's own decides its ranking; a column without one is passed over.
    urls : mapping of str to str
        Where the boards stand, by their keys.
    """
    if not overall.by_column or not overall.release:
        return None
    own = {key: board for key, board in boards.items() if key == board.rank_by and not board.by_column}
    columns = [column for column in overall.columns if column.key in own]
    axes = _axes(columns, own)
    groups = []
    for group in grouped(columns):
        measure = group.columns[0].metric_title
        rankings = tuple(
            _ranking(column, own[column.key], urls.get(column.key, ""), axes[column.metric], is_small=True)
            for column in group.columns
        )
        groups.append(RankingGroup(group.title, measure, rankings))
    return ColumnRankings(_sentence(columns, own), tuple(groups))


def first_few(overall: Board, boards: Mapping[str, Board]) -> ColumnRanking | None:
    """The first few of a benchmark, over the human estimates; where its columns rank by themselves, of the first one.

    None where nobody is ranked, or the board's rows are no systems. `boards` are as for `column_rankings`.
    """
    board = overall
    if overall.by_column:
        board = next((boards[column.key] for column in overall.columns if column.key in boards), overall)
    if not board.release or not board.ranked or board.ranks_nobody or board.by_column:
        return None
    column = overall.column(board.rank_by)
    people = column.values(row for row in board.rows if row.kind is RowKind.HUMAN)
    drawn = [mark for row in board.ranked[:FIRST] if (mark := _mark(row, column.key))]
    axis = MarkAxis.of(drawn, lines=people, higher_is_better=column.higher_is_better)
    shown = _ranking(column, board, "", axis, [line for line in people if axis and axis.holds(line)])
    name = f"{column.group} {shown.title}".strip()
    return replace(shown, title=f"{name}, {column.metric_title}")


def _axes(columns: Sequence[Column], own: Mapping[str, Board]) -> dict[str, MarkAxis | None]:
    """An axis for each measure, with room for the first few of all its rankings."""
    first: dict[str, list[Mark]] = {column.metric: [] for column in columns}
    for column in columns:
        board = own[column.key]
        first[column.metric] += [mark for row in board.ranked[:FIRST] if (mark := _mark(row, column.key))]
    return {metric: MarkAxis.of(known) for metric, known in first.items()}


def _mark(row: BoardRow, key: str) -> Mark | None:
    cell = row.cell(key)
    return None if cell.value is None else Mark(cell.value, cell.ci_low, cell.ci_high)


def _ranking(
    column: Column,
    board: Board,
    url: str,
    axis: MarkAxis | None,
    people: Sequence[float] = (),
    *,
    is_small: bool = False,
) -> ColumnRanking:
    """The first few of a column; as one of many it `is_small`, without a grid and without ends of whiskers."""
    lines = []
    for row in board.ranked[:FIRST]:
        cell, mark = row.cell(column.key), _mark(row, column.key)
        interval = fmt.interval(cell.ci_low, cell.ci_high)
        label = f"95 % interval {interval}" if interval else ""
        css = "" if row.rank == 1 else "q"
        picture = marks.row(axis, mark, label, css=css, lines=people, has_ends=not is_small) if axis else ""
        lines.append(RankingLine(row.system, fmt.score(cell.value), picture, leads=row.rank == 1))
    verdict, is_sure = _verdict(board)
    named = [(line, f"human {fmt.score(line)}") for line in people]
    head = marks.head(axis, named, has_grid=not is_small) if axis else ""
    return ColumnRanking(
        column.title if column.group else column.name,
        url,
        tuple(lines),
        verdict,
        is_sure,
        len(board.ranked),
        head,
    )


def _verdict(board: Board) -> tuple[str, bool]:
    """How surely the first leads the second, by the board's own decision."""
    if len(board.ranked) < 2:
        return ("the only one" if board.ranked else "nobody yet"), False
    verdict = verdict_on(board.ranked, 0, 1)
    return (verdict.value, verdict is Verdict.SURELY_AHEAD) if verdict else ("", False)


def _sentence(columns: Sequence[Column], own: Mapping[str, Board]) -> str:
    """Who is first in how many rankings, and in how many of them surely; the first three."""
    firsts: Counter[str] = Counter()
    sure: Counter[str] = Counter()
    for column in columns:
        board = own[column.key]
        for row in board.leaders:
            firsts[row.system] += 1
            sure[row.system] += _verdict(board)[1]
    said = [
        f"{name} is first in {count} of {len(columns)}, surely in {sure[name] or 'none'}"
        for name, count in firsts.most_common(FIRST)
    ]
    return f"{'; '.join(said)}." if said else ""
