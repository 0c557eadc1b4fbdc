from __future__ import annotations

import pytest

from benchmarks.spec import RowKind
from leaderboard.board import Board, Cell, Row, rank
from leaderboard.board.view import BarView, history, release, standings, table
from tests.leaderboard.board.boards import ACCURACY, ERROR, TASK, board, row


def ranked(*rows: Row, **more: object) -> Board:
    return board(*rank(rows, ACCURACY), columns=(TASK, ACCURACY), **more)


def test_table_puts_the_column_that_ranks_first() -> None:
    view = table(ranked(row("A", 0.9, 0.2)))
    assert [head.title for head in view.heads] == ["Overall", "B77"]
    assert [cell.text for cell in view.rows[0].cells] == [".900", ".200"]


def test_table_marks_best_and_second_best() -> None:
    view = table(ranked(row("A", 0.9, 0.2), row("B", 0.8, 0.3), row("C", 0.7, 0.1)))
    assert [[cell.css for cell in line.cells] for line in view.rows] == [
        ["best", "second"],
        ["second", "best"],
        ["", ""],
    ]


def test_table_says_why_a_cell_is_empty() -> None:
    empty = table(ranked(row("A", 0.9))).rows[0].cells[1]
    assert (empty.text, empty.css, empty.hint) == ("\N{EN DASH}", "none", "not submitted")


def test_table_says_which_way_the_board_is_sorted() -> None:
    assert [head.sort for head in table(ranked()).heads] == ["descending", ""]
    assert [head.sort for head in table(board(columns=(ERROR,))).heads] == ["ascending"]


def test_table_head_explains_its_code_and_direction() -> None:
    assert table(ranked()).heads[1].hint == "Banking 77: F1 (macro)"
    assert table(board(columns=(ERROR,))).heads[0].hint == "Mean error: Mean error, lower is better"


def test_table_links_the_heads_it_is_given_urls_for() -> None:
    view = table(ranked(), task_urls={"banking_77": "/tasks/b77/"})
    assert [head.url for head in view.heads] == ["", "/tasks/b77/"]


def test_table_shows_the_team_of_a_system_and_the_source_of_a_reported_row() -> None:
    view = table(ranked(row("A", 0.9, team="North"), row("G", 0.1, kind=RowKind.REPORTED, source="Table 2")))
    assert [(line.under, line.tag, line.css) for line in view.rows] == [
        ("North", "", "system"),
        ("Table 2", "reported", "reported"),
    ]


def test_table_prints_the_rank_interval_under_the_rank() -> None:
    line = table(ranked(row("A", 0.9, rank_low=1, rank_high=3))).rows[0]
    assert (line.rank, line.rank_interval) == ("1", "1\N{EN DASH}3")


def test_table_leaves_the_rank_of_an_unranked_row_empty() -> None:
    assert table(ranked(row("A", None))).rows[0].rank == ""


def test_table_draws_a_bar_as_long_as_the_value() -> None:
    assert table(ranked(row("A", 0.7746))).rows[0].cells[0].bar == BarView("77.5", "", "")


def test_table_draws_the_interval_on_the_bar() -> None:
    measured = Cell(0.5, None, ci_low=0.4, ci_high=0.65)
    line = table(board(Row("A", None, "T", RowKind.SYSTEM, {"overall": measured}))).rows[0]
    assert line.cells[0].bar == BarView("50.0", "40.0", "25.0")
    assert line.cells[0].hint == ".400 to .650"


@pytest.mark.parametrize("value", [-0.1, 1.5])
def test_table_draws_no_bars_where_one_value_leaves_the_scale(value: float) -> None:
    view = table(ranked(row("A", 0.5), row("B", value)))
    assert [line.cells[0].bar for line in view.rows] == [None, None]


def test_table_draws_no_bars_where_lower_is_better() -> None:
    assert table(board(row("A", 0.5), columns=(ERROR,))).rows[0].cells[0].bar is None


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


def test_standings_rank_a_system_in_every_column_by_itself() -> None:
    made = ranked(row("A", 0.9, 0.1, system_id="a"), row("B", 0.8, 0.3), row("C", None, 0.2))
    found = {line.key: (line.score, line.rank, line.of) for line in standings(made)["a"]}
    assert found == {"banking_77": (".100", "3", 3), "overall": (".900", "1", 2)}


def test_standings_say_why_there_is_no_score() -> None:
    task, overall = standings(ranked(row("A", None, 0.5, system_id="a")))["a"]
    assert (task.score, overall.rank, overall.hint) == (".500", "", "not submitted")


def test_standings_of_an_absent_system_are_empty() -> None:
    assert "b" not in standings(ranked(row("A", 0.5, system_id="a")))


def test_history_lists_the_releases_a_system_stands_in() -> None:
    boards = [
        ranked(row("B", 0.5), release=1),
        ranked(row("B", 0.5), row("A", 0.4, system_id="a"), release=2),
        ranked(row("B", 0.5), row("A", 0.6, system_id="a"), release=3),
    ]
    lines = [(line.number, line.standing.rank, line.standing.score) for line in history(boards)["a"]]
    assert lines == [(2, "2", ".400"), (3, "1", ".600")]
