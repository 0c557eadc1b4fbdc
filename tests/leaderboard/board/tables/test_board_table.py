from dataclasses import replace
from typing import Any

import pytest

from benchmarks.spec import RowKind
from leaderboard.board.model.board import Board, BoardRow, Cell
from leaderboard.board.model.ranking import rank
from leaderboard.board.tables.board_table import TableView, table
from tests.leaderboard.board.boards import ACCURACY, ERROR, TASK, board, cell, row
from tests.leaderboard.board.tables.printed_rows import rows_of


def columns_of(made: Board, **options: Any) -> TableView:
    return table(made, view="columns", **options)


def ranked(*rows: BoardRow, **more: object) -> Board:
    return board(*rank(rows, ACCURACY), columns=(TASK, ACCURACY), **more)


def test_table_puts_the_column_that_ranks_first() -> None:
    view = columns_of(ranked(row("A", 0.9, 0.2)))
    assert [head.title for head in view.heads] == ["Overall", "B77"]
    assert [cell.text for cell in rows_of(view)[0].cells] == [".900", ".200"]


def test_table_marks_best_and_second_best() -> None:
    view = columns_of(ranked(row("A", 0.9, 0.2), row("B", 0.8, 0.3), row("C", 0.7, 0.1)))
    assert [[cell.css for cell in line.cells] for line in rows_of(view)] == [
        ["best", "second"],
        ["second", "best"],
        ["", ""],
    ]


def test_table_says_why_a_cell_is_empty() -> None:
    empty = rows_of(columns_of(ranked(row("A", 0.9))))[0].cells[1]
    assert (empty.text, empty.css, empty.hint) == ("\N{EN DASH}", "none", "not submitted")


def test_table_says_which_way_the_board_is_sorted() -> None:
    assert [head.sort for head in columns_of(ranked()).heads] == ["descending", ""]
    assert [head.sort for head in columns_of(board(columns=(ERROR,))).heads] == ["ascending"]


def test_table_head_explains_its_code_and_direction() -> None:
    assert columns_of(ranked()).heads[1].hint == "Banking 77: F1 (macro)"
    assert columns_of(board(columns=(ERROR,))).heads[0].hint == "Mean error, lower is better"


def test_table_links_the_heads_it_is_given_urls_for() -> None:
    view = columns_of(ranked(), task_urls={"banking_77": "/tasks/b77/"})
    assert [head.url for head in view.heads] == ["", "/tasks/b77/"]


def test_table_shows_the_team_of_a_system_and_the_source_of_a_reported_row() -> None:
    view = columns_of(
        ranked(row("A", 0.9, team="North"), row("G", 0.1, kind=RowKind.REPORTED, source="Table 2"))
    )
    assert [(line.under, line.tag, line.css) for line in rows_of(view)] == [
        ("North", "", "system"),
        ("Table 2", "reported", "reported"),
    ]


def test_table_prints_the_rank_interval_under_the_rank() -> None:
    line = rows_of(columns_of(ranked(row("A", 0.9, rank_low=1, rank_high=3))))[0]
    assert (line.rank, line.rank_interval) == ("1", "1\N{EN DASH}3")


def test_table_leaves_the_rank_of_an_unranked_row_empty() -> None:
    assert rows_of(columns_of(ranked(row("A", None))))[0].rank == ""


def test_table_draws_a_bar_as_long_as_the_value() -> None:
    assert rows_of(columns_of(ranked(row("A", 0.7746))))[0].cells[0].bar == ("77.5", "")


def test_table_draws_the_interval_on_the_bar() -> None:
    measured = Cell(0.5, None, ci_low=0.4, ci_high=0.65)
    line = rows_of(columns_of(board(BoardRow("A", None, "T", RowKind.SYSTEM, {"overall": measured}))))[0]
    assert line.cells[0].bar == ("50.0", "M40.0 4h25.0m0-4v8m-25.0-8v8")
    assert line.cells[0].hint == "95 % interval .400 to .650"


@pytest.mark.parametrize("value", [-0.1, 1.5])
def test_table_draws_no_bars_where_one_value_leaves_the_scale(value: float) -> None:
    view = columns_of(ranked(row("A", 0.5), row("B", value)))
    assert [line.cells[0].bar for line in rows_of(view)] == [None, None]


def test_table_draws_no_bars_where_lower_is_better() -> None:
    assert rows_of(columns_of(board(row("A", 0.5), columns=(ERROR,))))[0].cells[0].bar is None


def grouped_board(*titles: str, rank_by: str = "a", rows: tuple[BoardRow, ...] = ()) -> Board:
    """A board of columns a, b, c … in these groups."""
    keys = "abcdefgh"[: len(titles)]
    columns = [
        replace(TASK, key=key, title=key, group=title) for key, title in zip(keys, titles, strict=True)
    ]
    return board(*rows, columns=tuple(columns), rank_by=rank_by)


def test_table_puts_neighbouring_columns_of_a_group_under_its_title() -> None:
    view = columns_of(grouped_board("", "EI", "EI", "V"))
    assert [(group.title, [head.title for head in group.heads]) for group in view.groups] == [
        ("", ["a"]),
        ("EI", ["b", "c"]),
        ("V", ["d"]),
    ]
    assert view.has_groups


def test_table_without_groups_has_one_row_of_heads() -> None:
    assert not columns_of(ranked()).has_groups


def test_table_keeps_the_group_of_the_column_that_ranks_together() -> None:
    view = columns_of(grouped_board("EI", "V", "V", "", rank_by="c"))
    assert [[head.title for head in group.heads] for group in view.groups] == [["c", "b"], ["a"], ["d"]]


def test_table_divides_where_another_group_begins() -> None:
    view = columns_of(grouped_board("", "EI", "EI", rows=(BoardRow("A", None, "T", RowKind.SYSTEM, {}),)))
    assert [one.divides for one in rows_of(view)[0].cells] == [False, True, False]


def measured_row(name: str, **more: object) -> BoardRow:
    return row(name)._replace(cells={"overall": cell(0.712, **more)})


def test_table_prints_the_second_measure_in_parentheses_and_names_it() -> None:
    column = replace(ACCURACY, beside_title="FNC-1 score, relative")
    view = columns_of(board(measured_row("A", beside=0.82022), columns=(column,)))
    assert rows_of(view)[0].cells[0].beside == "(.820)"
    assert rows_of(view)[0].cells[0].hint == "FNC-1 score, relative .8202"
    assert view.besides == "FNC-1 score, relative"
    assert view.heads[0].hint.endswith("; in parentheses: FNC-1 score, relative")


def test_table_says_which_column_has_which_second_measure() -> None:
    columns = (replace(ACCURACY, beside_title="F1"), replace(TASK, beside_title="Accuracy"))
    cells = {"overall": cell(0.5, beside=0.1), "banking_77": cell(0.5, beside=0.2)}
    view = columns_of(board(row("A")._replace(cells=cells), columns=columns))
    assert view.besides == "F1 (Overall); Accuracy (B77)"


def test_table_leaves_room_where_other_cells_have_a_second_measure() -> None:
    view = columns_of(board(measured_row("A", beside=0.8), row("B", 0.5, 0.5), columns=(ACCURACY, TASK)))
    assert [[one.pads for one in line.cells] for line in rows_of(view)] == [[True, False], [True, False]]


def test_table_scrolls_in_a_frame_of_its_own_where_it_is_too_wide_for_a_screen() -> None:
    assert columns_of(grouped_board(*["EI"] * 8)).is_wide is False
    wide = [replace(TASK, key=f"t{n}", title="Perspectrum") for n in range(8)]
    assert columns_of(board(columns=(ACCURACY, *wide))).is_wide is True


def test_table_speaks_of_no_second_measure_that_no_row_has() -> None:
    assert columns_of(board(row("A", 0.5), columns=(replace(ACCURACY, beside_title="F1"),))).besides == ""


def test_table_prints_a_deviation_and_how_few_seeds_there_are() -> None:
    view = columns_of(board(*rank([measured_row("A", deviation=0.0041, seeds=3, seeds_wanted=5)], ACCURACY)))
    (shown,) = rows_of(view)[0].cells
    assert (shown.deviation, shown.seeds) == ("sd .004", "3 of 5 seeds")
    assert (rows_of(view)[0].rank, shown.css) == ("", "")
    assert shown.hint == "3 of 5 seeds handed in, so that it carries no rank"
    assert view.has_missing_seeds


def test_table_does_not_mention_seeds_where_all_are_there() -> None:
    view = columns_of(board(measured_row("A", deviation=0.0, seeds=5, seeds_wanted=5)))
    assert (rows_of(view)[0].cells[0].deviation, rows_of(view)[0].cells[0].seeds) == ("sd .000", "")
    assert not view.has_missing_seeds


def test_table_names_the_submission_behind_a_cell() -> None:
    view = columns_of(board(measured_row("A", submission="3f2a9c1e-77aa-4b0e-8c3d-000000000000")))
    assert rows_of(view)[0].cells[0].hint == "submission 3f2a9c1e"


def test_table_of_attacks_ranks_nobody() -> None:
    attacks = board(row("Spelling", 0.4, kind=RowKind.ATTACK, team=""))
    assert (attacks.row_head, attacks.ranks_nobody) == ("Attack", True)
    assert rows_of(columns_of(attacks))[0].tag == ""


@pytest.mark.parametrize(("name", "tag"), [("15th of 30", "median team"), ("Median team", "")])
def test_table_tags_the_median_team_unless_its_name_says_it(name: str, tag: str) -> None:
    assert rows_of(columns_of(board(row(name, 0.4, kind=RowKind.MEDIAN))))[0].tag == tag
