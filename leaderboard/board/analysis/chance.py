"""How far chance in the items reaches into the order of a board."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import inf

import numpy as np
from numpy.typing import NDArray

from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board, BoardRow, Chance, Column
from leaderboard.board.model.decisions import spans_of_rows
from scoring.core.uncertainty.best_of import corrected_range, expected_luck, noise_of_best
from scoring.core.uncertainty.intervals import NORMAL_REACH, SHOWN_DECIMALS
from scoring.core.uncertainty.power import deviation_of_accuracy, smallest_difference
from scoring.core.uncertainty.rank_sets import RankSets, groups, rank_sets

Floats = NDArray[np.float64]
# The share of items on which one of two systems is right and the other wrong, where no two are known.
ASSUMED_DISCORDANCE = 0.1
FEW_ITEMS = 30
FEW_ANSWERS = 4.5  # wrong ones or right ones: an interval that rests on fewer is wide and lopsided


@dataclass(frozen=True, slots=True)
class ChanceView:
    """What the items of a board can show.

    `smallest` is the smallest difference that the items can show, empty where it is not known; `closer` of
    `neighbours` pairs of neighbouring ranked systems are nearer to each other than that.
    """

    smallest: str
    closer: int
    neighbours: int


def chance_view(board: Board) -> ChanceView | None:
    """What the page says of the items; None where nothing is known of how sure the order is."""
    if board.chance is None:
        return None
    smallest = board.chance.smallest_difference
    values = board.column(board.rank_by).values(board.ranked)
    distances = [abs(first - second) for first, second in pairwise(values)]
    return ChanceView(
        smallest="" if smallest is None else fmt.score(smallest),
        closer=sum(distance < smallest for distance in distances) if smallest is not None else 0,
        neighbours=len(distances),
    )


def with_chance(board: Board, replicates: Mapping[str, Floats]) -> Board:
    """The board with the ranks that chance leaves open to its ranked systems, and what it says of their order.

    Parameters
    ----------
    board : Board
        Ranked already.
    replicates : mapping of system id to float array of shape (replicates,)
        The systems' values in the column that ranks the board, on the same resamples for all. A system that lacks
        them, or has another number of them than most, may stand anywhere among the others.

    Returns
    -------
    Board
        The same board where fewer than two ranked systems have replicates.
    """
    ranked = board.ranked
    paired = _paired(ranked, replicates)
    if len(paired) < 2:
        return board
    sets = _sets(board, ranked, paired)
    if sum(low is not None for low in sets.low) < 2:
        return board
    ahead_of = spans_of_rows(sets.surely_ahead)
    judged = {
        row.system_id: row._replace(
            rank_low=sets.low[at],
            rank_high=sets.high[at],
            leads=sets.leads[at],
            ahead_of=None if sets.low[at] is None else ahead_of[at],
        )
        for at, row in enumerate(ranked)
    }
    rows = tuple(judged[row.system_id] if row.rank is not None else row for row in board.rows)
    places = tuple((first + 1, last + 1) for first, last in groups(sets))
    return replace(board, rows=rows, chance=Chance(sets.replicate_count, places, _smallest(sets)))


@dataclass(frozen=True, slots=True)
class Luck:
    """What a choice among a row's own answers adds to its value in the column that ranks the board.

    `tries` answers were scored, at least 2. `noise`, of shape (replicates,), is what chance adds to the merit of the
    chosen one in every resample (`scoring.core.uncertainty.best_of.noise_of_best`); `expected` is its mean as far as
    the answers cannot be told apart.
    """

    tries: int
    noise: Floats
    expected: float


def with_corrected(
    board: Board,
    replicates: Mapping[str, Floats],
    lucks: Mapping[str, Luck],
    ends: tuple[float, float] = (0.0, 1.0),
) -> Board:
    """The board with a second range for values that were chosen for being the best.

    These are values of rows that counted the best of several answers, and that of the first rank, which is the best of
    all systems. Where numbers are shown by a rule of disclosure nothing is added.

    Parameters
    ----------
    board : Board
        Ranked already.
    replicates : mapping of system id to float array of shape (replicates,)
        As for `with_chance`.
    lucks : mapping of system id to Luck
        Of rows whose value was chosen among several answers.
    ends : tuple of float
        The range of the column that ranks the board.
    """
    ranked = board.ranked
    paired = _paired(ranked, replicates)
    if board.disclosure or not paired:
        return board
    column = board.column(board.rank_by)
    rows = [row for row in ranked if row.system_id in paired]
    values = np.array([row.value(column.key) for row in rows], dtype=np.float64)
    errors = _merit_errors([paired[row.system_id or ""] for row in rows], column)
    own = {at: luck for at, row in enumerate(rows) if (luck := lucks.get(row.system_id or ""))}
    for at, luck in own.items():
        if len(luck.noise) == len(errors):
            errors[:, at] = luck.noise
    corrected = {}
    for at, row in enumerate(rows):
        chosen = own.get(at)
        is_first = row.rank == 1 and len(rows) > 1
        if not (chosen or is_first):
            continue
        noise, expected = errors[:, at], chosen.expected if chosen else 0.0
        if is_first:
            merits = values * _sign(column)
            noise, expected = noise_of_best(merits, errors, at), expected_luck(merits, errors)
        found = corrected_range(
            float(values[at]),
            paired[row.system_id or ""],
            noise,
            low=ends[0],
            high=ends[1],
            higher_is_better=column.higher_is_better,
        )
        corrected[row.system_id] = row._replace(
            tries=chosen.tries if chosen else None,
            expected_luck=round(expected, SHOWN_DECIMALS) if found else None,
            corrected_low=found[0] if found else None,
            corrected_high=found[1] if found else None,
        )
    return replace(board, rows=tuple(corrected.get(row.system_id, row) for row in board.rows))


def _merit_errors(replicates: Sequence[Floats], column: Column) -> Floats:
    """What chance adds to the merit of each value in every resample, shape (replicates, values); 0 if undefined."""
    rows = np.array(replicates)
    is_undefined = np.isnan(rows)
    rows -= (
        np.nanmean(rows, axis=1, keepdims=True) if is_undefined.any() else rows.mean(axis=1, keepdims=True)
    )
    rows[is_undefined] = 0.0
    return np.ascontiguousarray((rows if column.higher_is_better else -rows).T)


def _sign(column: Column) -> int:
    return 1 if column.higher_is_better else -1


def _paired(ranked: Sequence[BoardRow], replicates: Mapping[str, Floats]) -> dict[str, Floats]:
    there = {key: replicates[key] for row in ranked if (key := row.system_id) and key in replicates}
    counts = Counter(len(values) for values in there.values())
    usual = counts.most_common(1)[0][0] if counts else 0
    return {key: values for key, values in there.items() if len(values) == usual}


def _sets(board: Board, ranked: Sequence[BoardRow], paired: Mapping[str, Floats]) -> RankSets:
    column = board.column(board.rank_by)
    nothing = np.full(len(next(iter(paired.values()))), np.nan)
    per_system = [paired.get(row.system_id or "", nothing) for row in ranked]
    points = np.array([row.value(column.key) for row in ranked], dtype=np.float64)
    columns = np.array(per_system, dtype=np.float64).T
    return rank_sets(points, columns, higher_is_better=column.higher_is_better)


def _smallest(sets: RankSets) -> float | None:
    of_two = sets.deviations[~np.tri(len(sets.deviations), dtype=np.bool_)]
    varying = of_two[np.isfinite(of_two) & (of_two > 0)]
    if not len(varying):
        return None
    # The median, in half the time of numpy: one value put in its place, and the largest before it.
    middle = len(varying) // 2
    varying.partition(middle)
    median = (varying[: (len(varying) + 1) // 2].max() + varying[middle]) / 2
    # More decimals would tell about the gold labels, and nothing to readers.
    return round(smallest_difference(float(median)), 3)


@dataclass(frozen=True, slots=True)
class PowerView:
    """The smallest difference that a task's items can show, as text.

    Where `is_assumed`, no two systems are known yet: it is that of accuracy, between systems of which one is right and
    the other wrong on one item in ten.
    """

    smallest: str
    is_assumed: bool


def power_view(board: Board, item_count: int) -> PowerView | None:
    """What the page of a task says of it; None where not even the number of items is known, or numbers carry noise.

    Where a half of the items counts, it is made of so many.
    """
    if board.chance and board.chance.smallest_difference is not None:
        return PowerView(fmt.score(board.chance.smallest_difference), is_assumed=False)
    if not item_count or board.disclosure:
        return None
    counted = item_count // 2 if board.part else item_count
    deviation = deviation_of_accuracy(max(1, counted), discordance=ASSUMED_DISCORDANCE)
    return PowerView(fmt.score(smallest_difference(deviation)), is_assumed=True)


def few_items(board: Board, counts: Mapping[str, int]) -> tuple[str, ...]:
    """What columns of a board are called whose intervals rest on few items, or on few wrong or right answers.

    All that is asked is what the board prints: an interval as wide as that of a share of so many items rests on so
    many. Where a label is rare these are few however many items there are, and nobody is told how rare it is.

    Parameters
    ----------
    board : Board
    counts : mapping of task id to int
        How many test items tasks have; 0 where nobody knows.

    Returns
    -------
    tuple of str
        The board's own title for a task's board, of which the column that ranks it is looked at.
    """
    few = {task for task, count in counts.items() if 0 < count < FEW_ITEMS}
    if board.task is not None:
        is_few = _rests_on_few(board, board.column(board.rank_by))
        has_few = board.task in few and any(_intervals(board, column) for column in board.columns)
        return (board.title,) if is_few or has_few else ()
    return tuple(
        column.name
        for column in board.columns
        if _rests_on_few(board, column) or (column.key in few and _intervals(board, column))
    )


def _intervals(board: Board, column: Column) -> list[tuple[float, float, float]]:
    """Of a column's systems that have one, the value and both ends of its interval."""
    cells = [row.cell(column.key) for row in board.systems]
    return [
        (cell.value, cell.ci_low, cell.ci_high)
        for cell in cells
        if cell.value is not None and cell.ci_low is not None and cell.ci_high is not None
    ]


def _rests_on_few(board: Board, column: Column) -> bool:
    return any(
        0 <= low <= high <= 1 and answers_behind(value, low, high) < FEW_ANSWERS
        for value, low, high in _intervals(board, column)
    )


def answers_behind(share: float, low: float, high: float) -> float:
    """How many wrong answers, or right ones if these are fewer, a share with this interval would have.

    >>> round(answers_behind(0.97, 0.916, 0.99), 1)
    3.0
    """
    end = low if share - low >= high - share else high
    if not 0 < end < 1 or end == share:
        return inf if end == share else 0.0
    items = NORMAL_REACH**2 * end * (1 - end) / (share - end) ** 2
    return items * min(share, 1 - share)
