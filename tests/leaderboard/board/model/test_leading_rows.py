"""A line in a list of releases says the same of a board's leading rows as of all of its rows."""

from dataclasses import replace
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.spec import RowKind
from leaderboard.board.charts.history_chart import history_chart, history_json
from leaderboard.board.exports.atom_feed import summary
from leaderboard.board.model.board import Board, BoardRow
from leaderboard.board.model.leading_rows import leading_rows
from leaderboard.board.model.ranking import rank, unranked
from leaderboard.board.model.serialization import from_dict, head_of, ranking_of, to_dict
from leaderboard.board.tables.release_summaries import release
from leaderboard.rendering.public_names import Naming
from submissions.systems.name_texts import PublicName
from tests.leaderboard.board.boards import ACCURACY, TASK, board, row

KINDS = (RowKind.SYSTEM, RowKind.SYSTEM, RowKind.SYSTEM, RowKind.BASELINE, RowKind.HUMAN, RowKind.REPORTED)
VALUES = st.sampled_from([None, 0.25, 0.5, 0.75])


def called(entry: BoardRow) -> tuple[str, str | None, str]:
    return entry.system, entry.system_id, entry.team


def led(made: Board) -> Board:
    ranking = ranking_of(to_dict(made))
    return from_dict({**head_of(ranking), **leading_rows(ranking)})


@st.composite
def boards(draw: st.DrawFn) -> tuple[Board, Naming]:
    """A board, ranked or by column, with decisions by lot, and what its systems are called, maybe by numbers."""
    count = draw(st.integers(0, 7))
    rows: list[BoardRow] = []
    for at in range(count):
        kind = draw(st.sampled_from(KINDS))
        is_scored = kind in (RowKind.SYSTEM, RowKind.BASELINE)
        key = str(UUID(int=at)) if is_scored else None
        rows.append(row(f"S{at}", draw(VALUES), draw(VALUES), kind=kind, system_id=key))
    columns = (ACCURACY, TASK)
    if draw(st.booleans()):
        made = replace(board(*unranked(rows, columns), columns=columns), by_column=True)
    else:
        ranked = rank(rows, ACCURACY)
        last = sum(entry.rank is not None for entry in ranked)
        places = iter(range(1, last + 1))
        decided = [
            entry if entry.rank is None else _decided(draw, entry, next(places), last) for entry in ranked
        ]
        made = board(*decided, columns=columns)
    order = draw(st.permutations(range(count)))
    names = {UUID(int=at): PublicName(f"System {order[at]}", "") for at in range(count)}
    return made, Naming(names if draw(st.booleans()) else None)


def _decided(draw: st.DrawFn, entry: BoardRow, place: int, last: int) -> BoardRow:
    if draw(st.integers(0, 9)) == 0:
        return entry
    first = draw(st.integers(place + 1, last + 1))
    return entry._replace(ahead_of=((first, last),) if first <= last else ())


@given(boards())
def test_lists_of_releases_tell_the_same_of_leading_rows_as_of_all(case: tuple[Board, Naming]) -> None:
    made, names = case
    whole, short = names.of_board(made), names.of_board(led(made))
    assert release(short) == replace(release(whole), leaders=release(short).leaders)
    assert list(map(called, short.leaders)) == list(map(called, whole.leaders))
    assert summary(short) == summary(whole)
    newest = replace(whole, release=9)
    assert history_json([newest, short]) == history_json([newest, whole])
    assert history_chart([newest, short]) == history_chart([newest, whole])


def test_of_a_long_board_few_rows_are_kept() -> None:
    made = board(*rank([row(f"S{at}", 0.9 - at / 1000) for at in range(500)], ACCURACY))
    assert [entry.system for entry in led(made).rows] == ["S0", "S1"]
    assert (led(made).system_count, led(made).ranked_count) == (500, 500)


@pytest.mark.parametrize("value", [0.5, None])
def test_all_that_share_the_first_rank_are_kept(value: float | None) -> None:
    made = board(*rank([row("Ash", value), row("Birch", value), row("Cedar", 0.1)], ACCURACY))
    assert [entry.system for entry in led(made).rows] == (["Ash", "Birch"] if value else ["Cedar"])
