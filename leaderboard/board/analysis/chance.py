"""How far chance in the items reaches into the order of a board."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board, BoardRow, Chance, Column
from leaderboard.board.model.decisions import spans_of
from scoring.core.uncertainty.intervals import FEW_ITEMS
from scoring.core.uncertainty.power import deviation_of_accuracy, smallest_difference
from scoring.core.uncertainty.rank_sets import RankSets, groups, rank_sets

Floats = NDArray[np.floating]
# The share of items on which one of two systems is right and the other wrong, where no two are known.
ASSUMED_DISCORDANCE = 0.1
MOST_GROUPS = 3  # so many are named below a board; the ranges beside the ranks tell of the rest


@dataclass(frozen=True, slots=True)
class ChanceView:
    """What is printed about the order of a board. `groups` are ranges of places, the first few.

    `smallest` is the smallest difference that the items can show, empty where it is not known; `closer` of
    `neighbours` pairs of neighbouring ranked systems are nearer to each other than that.
    """

    groups: tuple[str, ...]
    has_more_groups: bool
    smallest: str
    closer: int
    neighbours: int


def chance_view(board: Board) -> ChanceView | None:
    """What the page says of the order; None where nothing is known of how sure it is."""
    if board.chance is None:
        return None
    named = [f"{first}{fmt.NONE}{last}" for first, last in board.chance.groups]
    smallest = board.chance.smallest_difference
    values = board.column(board.rank_by).values(board.ranked)
    distances = [abs(first - second) for first, second in pairwise(values)]
    return ChanceView(
        groups=tuple(named[:MOST_GROUPS]),
        has_more_groups=len(named) > MOST_GROUPS,
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
    judged = {
        row.system_id: replace(
            row,
            rank_low=sets.low[at],
            rank_high=sets.high[at],
            leads=sets.leads[at],
            ahead_of=None if sets.low[at] is None else spans_of(sets.surely_better[at]),
        )
        for at, row in enumerate(ranked)
    }
    rows = tuple(judged[row.system_id] if row.rank is not None else row for row in board.rows)
    places = tuple((first + 1, last + 1) for first, last in groups(sets, range(len(ranked))))
    return replace(board, rows=rows, chance=Chance(sets.replicate_count, places, _smallest(sets)))


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
    columns = np.stack(per_system, axis=1).astype(np.float64)
    return rank_sets(points, columns, higher_is_better=column.higher_is_better)


def _smallest(sets: RankSets) -> float | None:
    is_of_two = ~np.tri(len(sets.deviations), dtype=np.bool_)
    varying = sets.deviations[is_of_two & np.isfinite(sets.deviations) & (sets.deviations > 0)]
    # More decimals would tell about the gold labels, and nothing to readers.
    return round(smallest_difference(float(np.median(varying))), 3) if len(varying) else None


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
    """What tasks with intervals on a board are called that have too few test items for intervals to keep their word.

    Parameters
    ----------
    board : Board
    counts : mapping of task id to int
        How many test items tasks have; 0 where nobody knows.
    """
    few = {task for task, count in counts.items() if 0 < count < FEW_ITEMS}
    if board.task is not None:
        return (board.title,) if board.task in few and _has_intervals(board, board.columns) else ()
    return tuple(
        column.name for column in board.columns if column.key in few and _has_intervals(board, [column])
    )


def _has_intervals(board: Board, columns: Iterable[Column]) -> bool:
    return any(row.cell(column.key).ci_low is not None for column in columns for row in board.rows)
