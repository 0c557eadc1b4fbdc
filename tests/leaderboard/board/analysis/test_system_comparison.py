"""Systems side by side: what each scores, how far from the first, and which of them is better."""

from dataclasses import replace

import pytest

from benchmarks.spec import RowKind
from leaderboard.board.analysis.system_comparison import SystemComparison, comparable, compare
from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board, BoardRow
from tests.leaderboard.board.boards import ACCURACY, ERROR, TASK, board, cell, row

LARCH = row("Larch", 0.7, 0.5, system_id="l", rank=1)
FIR = row("Fir", 0.65, 0.9, system_id="f", rank=2)


def beside(*keys: str, of: Board | None = None, tasks: tuple[Board, ...] = ()) -> SystemComparison:
    overall = of or board(LARCH, FIR, columns=(ACCURACY, TASK))
    return compare(overall, tasks, keys, urls={"banking_77": "/b77/"})


def printed(comparison: SystemComparison) -> list[list[tuple[str, str, str]]]:
    return [
        [(one.text, one.difference.replace(fmt.MINUS, "-"), one.css) for one in line.cells]
        for part in comparison.parts
        for line in part.lines
    ]


def test_differences_are_to_the_first_and_the_better_one_is_marked() -> None:
    assert printed(beside("l", "f")) == [
        [(".700", "", "best"), (".650", "-.050", "")],
        [(".500", "", ""), (".900", "+.400", "best")],
    ]


def test_whoever_is_named_first_is_what_the_others_differ_from() -> None:
    found = beside("f", "l")
    assert [one.system for one, _, _ in found.systems] == ["Fir", "Larch"]
    assert printed(found)[0] == [(".650", "", ""), (".700", "+.050", "best")]


def test_where_lower_is_better_the_lower_one_is_marked_and_it_is_said() -> None:
    found = beside("l", "f", of=board(LARCH, FIR, columns=(ERROR,)))
    assert printed(found) == [[(".700", "", ""), (".650", "-.050", "best")]]
    assert found.parts[0].lines[0].measure == "Mean error, lower is better"


def test_equal_scores_are_marked_alike_and_not_at_all_where_no_other_is_worse() -> None:
    ash = row("Ash", 0.7, 0.4, system_id="a")
    yew = row("Yew", 0.7, 0.5, system_id="y")
    found = beside("l", "a", "y", of=board(LARCH, ash, yew, columns=(ACCURACY, TASK)))
    assert printed(found) == [
        [(".700", "", ""), (".700", ".000", ""), (".700", ".000", "")],
        [(".500", "", "best"), (".400", "-.100", ""), (".500", ".000", "best")],
    ]
    assert [best_in for _, _, best_in in found.systems] == [1, 0, 1]


def test_a_score_that_is_missing_has_its_reason_and_no_difference() -> None:
    found = beside("f", "a", of=board(FIR, row("Ash", None, 0.4, system_id="a"), columns=(ACCURACY, TASK)))
    assert printed(found)[0] == [(".650", "", ""), (fmt.NONE, "", "none")]
    assert found.parts[0].lines[0].cells[1].hint == "not submitted"
    assert not found.has_missing_seeds


def test_a_score_of_which_seeds_are_missing_is_not_marked() -> None:
    few = LARCH._replace(cells={"overall": cell(0.9, seeds=2, seeds_wanted=5)})
    found = beside("l", "f", of=board(few, FIR))
    assert printed(found) == [[(".900", "", ""), (".650", "-.250", "")]]
    assert found.parts[0].lines[0].cells[0].hint == "2 of 5 seeds"
    assert found.has_missing_seeds


def test_scores_in_hundredths_differ_in_hundredths() -> None:
    points = board(row("Talos", 82.02, system_id="t"), row("Athene", 81.97, system_id="a"))
    assert printed(beside("t", "a", of=points))[0][1] == ("81.97", "-0.05", "")


def test_tasks_without_a_column_on_the_overall_board_follow_by_what_ranks_them() -> None:
    own = replace(ACCURACY, key="colour")
    task = board(
        BoardRow("Larch", "l", "", RowKind.SYSTEM, {"colour": cell(0.25)}), columns=(own,), rank_by="colour"
    )
    again = board(LARCH, columns=(TASK,), rank_by="banking_77")
    found = beside("l", "f", tasks=(replace(task, title="Colour", task="colour"), again))
    assert [part.title for part in found.parts] == ["", "Tasks"]
    assert [(line.title, line.cells[1].hint) for line in found.parts[1].lines] == [
        ("Colour", "not submitted")
    ]
    assert found.line_count == 3


def test_columns_of_tasks_link_to_their_pages() -> None:
    assert [line.url for line in beside("l", "f").parts[0].lines] == ["", "/b77/"]


def test_anonymous_systems_are_called_by_number_and_rows_not_scored_here_cannot_be_chosen() -> None:
    rows = [
        row("System 4", 0.5, team=""),
        row("Majority", 0.1, kind=RowKind.BASELINE, system_id="m"),
        row("Human", 0.8, kind=RowKind.HUMAN),
        row("A paper", 0.6, kind=RowKind.REPORTED),
    ]
    assert list(comparable(board(*rows))) == ["4", "m"]


def test_an_unknown_key_is_an_error() -> None:
    with pytest.raises(KeyError):
        beside("l", "x")
