"""What a release means for one system: its place, what has changed since its last one, and where it could gain most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum
from typing import Any

from benchmarks.spec import BenchmarkSpec, RowKind
from leaderboard.board.analysis.order_sentence import NUMBERS
from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board, BoardRow, Cell, Column
from leaderboard.board.model.decisions import Verdict, are_apart, verdict_on
from leaderboard.board.model.measures import differences_in_measure
from leaderboard.board.model.plain_text import sentence
from leaderboard.board.model.ranking import place_among, standing_in_words
from leaderboard.board.model.serialization import is_same, rounded

MOST_NAMED = 3
BESIDE = 2  # so many systems are shown above a system and below it


@dataclass(frozen=True, slots=True)
class ColumnStanding:
    """A system's score in one column beside the others'.

    `place` counts from 1 among `of` systems that have a score there; equal scores share one. `best` and `median` are
    theirs, `baseline` is the best baseline's. `gain` is what half of the way to the best would add to the score that
    ranks the board; None where that is no mean of this column, and for the best itself.
    """

    column: Column
    cell: Cell
    place: int
    of: int
    best: float
    median: float
    baseline: float | None
    gain: float | None

    @property
    def is_below_baseline(self) -> bool:
        value = self.cell.value
        if value is None or self.baseline is None:
            return False
        return value < self.baseline if self.column.higher_is_better else value > self.baseline


@dataclass(frozen=True, slots=True)
class EarlierStanding:
    """The same system in the newest earlier release that shows it. Scores compare where it `is_same_measure`."""

    release: int
    rank: int | None
    value: float
    is_same_measure: bool


@dataclass(frozen=True, slots=True)
class OwnResult:
    """Where a system stands on an overall board.

    `above` and `below` are its neighbours among the ranked systems, at most two each, in the order of the board.
    `columns` stand with the largest gain first. `human` and `baseline` are the best of their kind in the column that
    ranks the board.
    """

    board: Board
    row: BoardRow
    earlier: EarlierStanding | None
    above: tuple[BoardRow, ...]
    below: tuple[BoardRow, ...]
    columns: tuple[ColumnStanding, ...]
    human: float | None
    baseline: float | None

    @property
    def cell(self) -> Cell:
        """The score that ranks the board."""
        return self.row.cell(self.board.rank_by)

    @property
    def title(self) -> str:
        """ "Linnet 3 stands at rank 8"."""
        row = self.row
        if self.board.by_column:
            return f"{row.system} is {standing_in_words(self.board, row, 0)}"
        if row.rank is None:
            return f"{row.system} has no rank"
        if row.rank > 1:
            return f"{row.system} stands at rank {row.rank}"
        return f"{row.system} {'leads' if len(self.board.leaders) == 1 else 'shares the first rank'}"

    @property
    def lead(self) -> str:
        """What has changed since its last release: "Up two places, .024 better than in release 6." """
        if self.board.by_column:
            return ""
        was, now = self.earlier, self.cell.value
        if was is None:
            return "New on the board."
        since = f"release {was.release}"
        if not was.is_same_measure:
            return f"Scores are measured otherwise than in {since} and cannot be compared."
        if now is None:
            return f"No score any more, after {fmt.score(was.value)} in {since}."
        difference = self.difference or 0.0
        changed = f"{fmt.score(abs(difference))} {'better' if difference > 0 else 'worse'} than in {since}"
        score = f"the score of {since}" if is_same(was.value, now) else changed
        return f"{_move(was.rank, self.row.rank)}, {score}."

    @property
    def difference(self) -> float | None:
        """How much better the score is than in the earlier release, negative if worse; None without a like one."""
        if self.earlier is None or not self.earlier.is_same_measure or self.cell.value is None:
            return None
        more = self.cell.value - self.earlier.value
        return more if self.board.column(self.board.rank_by).higher_is_better else -more

    @property
    def rest(self) -> str:
        """Its score and its rank with their ranges, then what the board has decided about it and its neighbours.

        Where each column is a ranking, those in which it stands farthest from the top.
        """
        if self.board.by_column:
            behind = [
                f"place {one.place} of {one.of} in {one.column.name}" for one in self.columns if one.place > 1
            ]
            return f"Farthest from the top: {'; '.join(behind[:MOST_NAMED])}." if behind else ""
        column = self.board.column(self.board.rank_by)
        interval = fmt.interval(self.cell.ci_low, self.cell.ci_high)
        score = f"{column.name} {fmt.score(self.cell.value)}{f' ({interval})' if interval else ''}"
        if self.row.rank is None:
            return f"{score}, no rank{f': {self.why_no_rank}' if self.why_no_rank else ''}."
        standing = standing_in_words(self.board, self.row, len(self.board.ranked))
        shown = "By the numbers shown so far: " if self.board.is_provisional else ""
        return " ".join([f"{shown}{score}, {standing}.", *self.verdicts])

    @property
    def why_no_rank(self) -> str:
        """Why a row has no rank, in a few words; empty where it has one, or nothing is known."""
        if self.row.rank is not None or self.board.by_column:
            return ""
        missing = fmt.missing_seeds(self.cell.seeds, self.cell.seeds_wanted)
        return f"{missing} handed in" if missing else fmt.reason(self.cell.undefined or "")

    @property
    def verdicts(self) -> list[str]:
        """What the board has decided about the system and those right above and below, and with whom it ties."""
        ranked = self.board.ranked
        if self.row.rank is None:
            return []
        at = self.board.place(self.row)
        first = next((i for i in range(at - 1, -1, -1) if ranked[i].rank != self.row.rank), None)
        last = next((i for i in range(at + 1, len(ranked)) if ranked[i].rank != self.row.rank), None)
        same = ranked[0 if first is None else first + 1 : last]
        ties = [row.system for row in same if row is not self.row]
        others = ties[0] if len(ties) == 1 else f"{len(ties)} systems"
        said = [sentence(Verdict.TIE.against(others))] if ties else []
        if first is not None and (verdict := verdict_on(ranked, first, at)):
            said.append(f"{ranked[first].system} is {verdict.value}.")
        if last is not None and (verdict := verdict_on(ranked, at, last)):
            said.append(sentence(verdict.against(ranked[last].system)))
        return said

    @property
    def sentence(self) -> str:
        return " ".join(filter(None, [f"{self.title}.", self.lead, self.rest]))

    @property
    def next(self) -> BoardRow | None:
        """The system at the next better place; None for the first."""
        better = [row for row in self.board.ranked if self.row.rank and row.rank and row.rank < self.row.rank]
        return better[-1] if better else None

    @property
    def to_next(self) -> float | None:
        """How much is missing to the score of the next better place."""
        ahead = self.next.value(self.board.rank_by) if self.next else None
        return None if ahead is None or self.cell.value is None else abs(ahead - self.cell.value)

    @property
    def to_pass_surely(self) -> float | None:
        """How much is missing to be surely past it, about: with the smallest difference that a test would find."""
        smallest = self.board.chance.smallest_difference if self.board.chance else None
        return None if self.to_next is None or smallest is None else self.to_next + smallest

    @property
    def weakest(self) -> ColumnStanding | None:
        """Where half of the way to the best would add most; None where nothing would, or nothing else is scored."""
        return self.columns[0] if len(self.columns) > 1 and self.columns[0].gain else None

    @property
    def neighbourhood(self) -> Board:
        """The board with the system, its neighbours and the human estimates alone."""
        rows = [*self.above, self.row, *self.below]
        place = self.board.place(self.row) - len(self.above)
        chance = self.board.chance
        if chance:
            chance = replace(chance, groups=_cut(chance.groups, place, len(rows)))
        return replace(self.board, rows=(*rows, *self.board.people), chance=chance)


def own_result(board: Board, row: BoardRow, before: Sequence[Board], spec: BenchmarkSpec) -> OwnResult:
    """What an overall board and the earlier ones of its phase say of one of its systems.

    Parameters
    ----------
    board
        As it is published: nothing is said that it does not show.
    row
        One of its rows.
    before
        Earlier overall boards with what their column was measured on, see `PrintedRelease.rankings`.
    spec
        Says which columns the ranking score is a mean of.
    """
    weights = _weights(spec, board.rank_by)
    columns = [
        standing
        for each in board.columns
        if (board.by_column or each.key != board.rank_by)
        and (standing := _standing(board, row, each, weights.get(each.key)))
    ]
    return replace(
        own_standing(board, row),
        earlier=_earlier(board, row, before),
        columns=tuple(sorted(columns, key=lambda one: (-(one.gain or 0), (1 - one.place) / one.of))),
    )


def own_standing(board: Board, row: BoardRow) -> OwnResult:
    """What a board says of one of its rows, without its columns and without releases of before."""
    ranked = board.ranked
    at = board.place(row) if row.rank is not None else None
    column = board.column(board.rank_by)
    return OwnResult(
        board,
        row,
        None,
        tuple(ranked[max(at - BESIDE, 0) : at]) if at is not None else (),
        tuple(ranked[at + 1 : at + 1 + BESIDE]) if at is not None else (),
        (),
        _best(board, RowKind.HUMAN, column),
        _best(board, RowKind.BASELINE, column),
    )


def _best(board: Board, kind: RowKind, column: Column) -> float | None:
    """The best value of a kind of rows in a column; None where none has one."""
    values = board.values_of(kind, column.key)
    return (values[-1] if column.higher_is_better else values[0]) if values else None


def own_row(board: Board, *, submission: str, system: str, pseudonym: str) -> BoardRow | None:
    """The row that shows a submission, else its system's; where systems are anonymous the one of that name."""
    for row in board.systems if submission else ():
        if any(cell.submission == submission for cell in row.cells.values()):
            return row
    return next(
        (row for row in board.systems if row.system_id == system or (pseudonym and row.system == pseudonym)),
        None,
    )


def _standing(board: Board, row: BoardRow, column: Column, weight: float | None) -> ColumnStanding | None:
    cell, values = row.cell(column.key), board.values_of(RowKind.SYSTEM, column.key)
    best = _best(board, RowKind.SYSTEM, column)
    if cell.value is None or best is None:
        return None
    own = cell.value
    gain = None if weight is None or own == best else weight * abs(best - own) / 2
    return ColumnStanding(
        column,
        cell,
        place=place_among(values, own, column),
        of=len(values),
        best=best,
        median=(values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2,
        baseline=_best(board, RowKind.BASELINE, column),
        gain=gain,
    )


def _weights(spec: BenchmarkSpec, rank_by: str) -> Mapping[str, float]:
    """What a point in each column adds to the one that ranks the board, over means of means."""
    averages = {average.id: average for average in spec.averages}
    weights: dict[str, float] = {}
    waiting = [(rank_by, 1.0)]
    while waiting:
        key, share = waiting.pop()
        # What a point adds to a mean rank depends on who stands where.
        parts = averages[key].each() if key in averages and not averages[key].of_ranks else ()
        total = fsum(part.weight for part in parts)
        for part in parts:
            of_part = share * part.weight * part.stretch / total
            weights[part.key] = weights.get(part.key, 0.0) + of_part
            waiting.append((part.key, of_part))
    return weights


def _earlier(board: Board, row: BoardRow, before: Sequence[Board]) -> EarlierStanding | None:
    """The newest earlier release of the phase that ranks by the same column and has a score of this system."""
    for other in sorted(before, key=lambda other: -other.release):
        if other.ranked_as != board.ranked_as:
            continue
        was = other.system_like(row) if other.release < board.release else None
        if was is not None and (value := was.value(board.rank_by)) is not None:
            is_same_measure = not differences_in_measure(other, board)
            return EarlierStanding(other.release, was.rank, value, is_same_measure)
    return None


def _move(was: int | None, now: int | None) -> str:
    if was is None or now is None:
        return "Ranked now" if now is not None else "No rank"
    if was == now:
        return "The same rank"
    count = abs(was - now)
    number = NUMBERS[count] if count < len(NUMBERS) else str(count)
    return f"{'Up' if now < was else 'Down'} {number} place{'' if count == 1 else 's'}"


def _cut(groups: Sequence[tuple[int, int]], start: int, count: int) -> tuple[tuple[int, int], ...]:
    """Groups of places as far as they are among `count` places after the first `start`, counted from there."""
    cut = ((max(first - start, 1), min(last - start, count)) for first, last in groups)
    return tuple((first, last) for first, last in cut if first < last)


def as_dict(result: OwnResult) -> dict[str, Any]:
    """The result as the API gives it, in the digits of its board."""
    board, row, cell, was, ahead = result.board, result.row, result.cell, result.earlier, result.next
    told = {
        "release": board.release,
        "sentence": result.sentence,
        "is_provisional": board.is_provisional,
        "column": None if board.by_column else board.rank_by,
        "value": None if board.by_column else cell.value,
        "ci_low": None if board.by_column else cell.ci_low,
        "ci_high": None if board.by_column else cell.ci_high,
        "rank": row.rank,
        "rank_low": row.rank_low,
        "rank_high": row.rank_high,
        "ranked": len(board.ranked),
        "tries": row.tries,
        "corrected_low": row.corrected_low,
        "corrected_high": row.corrected_high,
        "earlier": was
        and {"release": was.release, "rank": was.rank, "value": was.value, "difference": result.difference},
        "next": ahead
        and {
            "system": ahead.system,
            "rank": ahead.rank,
            "value": ahead.value(board.rank_by),
            "distance": result.to_next,
            "to_pass_surely": result.to_pass_surely,
        },
        "neighbours": [
            {
                "system": other.system,
                "rank": other.rank,
                "value": other.value(board.rank_by),
                "surely_apart": None
                if other.rank == row.rank
                else are_apart(board.ranked, board.place(row), board.place(other)),
            }
            for other in (*result.above, *result.below)
        ],
        "human": result.human,
        "baseline": result.baseline,
        "columns": [
            {
                "column": one.column.key,
                "value": one.cell.value,
                "ci_low": one.cell.ci_low,
                "ci_high": one.cell.ci_high,
                "place": one.place,
                "of": one.of,
                "best": one.best,
                "median": one.median,
                "baseline": one.baseline,
                "gain": one.gain,
            }
            for one in result.columns
        ],
    }
    return rounded(told) if board.decimals else told
