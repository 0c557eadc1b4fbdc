from benchmarks.spec import RowKind
from leaderboard.board.model.board import Board, BoardRow
from leaderboard.board.model.ranking import rank
from leaderboard.board.tables.release_summaries import release
from tests.leaderboard.board.boards import ACCURACY, TASK, board, row


def ranked(*rows: BoardRow, **more: object) -> Board:
    return board(*rank(rows, ACCURACY), columns=(TASK, ACCURACY), **more)


def test_release_names_the_leader_and_its_score() -> None:
    line = release(ranked(row("A", 0.7746, system_id="s1"), row("B", 0.5), row("H", 0.9, kind=RowKind.HUMAN)))
    assert [(leader.system, leader.system_id) for leader in line.leaders] == [("A", "s1")]
    assert (line.number, line.system_count, line.score) == (3, 2, ".775")


def test_release_names_all_leaders_that_are_equal() -> None:
    line = release(ranked(row("A", 0.5), row("B", 0.5), row("C", 0.4)))
    assert [leader.system for leader in line.leaders] == ["A", "B"]


def test_release_without_ranked_systems_has_no_leader() -> None:
    line = release(ranked(row("A", None)))
    assert (line.leaders, line.score) == ((), "\N{EN DASH}")
