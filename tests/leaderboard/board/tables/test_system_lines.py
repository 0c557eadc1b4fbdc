import re
from dataclasses import replace

from leaderboard.board.model.board import Board, BoardRow
from leaderboard.board.model.ranking import rank
from leaderboard.board.tables.system_lines import history_lines, standing_lines
from tests.leaderboard.board.boards import ACCURACY, TASK, board, cell, row


def ranked(*rows: BoardRow, **more: object) -> Board:
    return board(*rank(rows, ACCURACY), columns=(TASK, ACCURACY), **more)


def texts(lines: str) -> list[list[str]]:
    """The words of each line, one string per cell."""
    rows = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", line) for line in lines.splitlines()]
    return [[re.sub(r"<[^>]*>", "", cell) for cell in row] for row in rows]


def test_standings_rank_a_system_in_every_column_by_itself() -> None:
    made = ranked(row("A", 0.9, 0.1, system_id="a"), row("B", 0.8, 0.3), row("C", None, 0.2))
    assert texts(standing_lines(made)["a"]) == [
        ["Banking 77 B77", ".100", "3 of 3"],
        ["Overall score Overall", ".900", "1 of 2"],
    ]


def test_standings_give_the_range_of_the_boards_rank_to_no_other_column() -> None:
    made = ranked(row("A", 0.9, 0.1, system_id="a"), row("B", 0.8, 0.3), row("C", 0.7, 0.2))
    spans = {"A": (1, 2), "B": (1, 2), "C": (3, 3)}
    rows = [replace(r, rank_low=spans[r.system][0], rank_high=spans[r.system][1]) for r in made.rows]
    task, overall = texts(standing_lines(replace(made, rows=tuple(rows)))["a"])
    assert (task[2], overall[2]) == ("3 of 3", "1 of 3, range 1\N{EN DASH}2")


def test_standings_tell_columns_of_one_name_apart_by_their_groups() -> None:
    test, dev = replace(ACCURACY, group="Test"), replace(ACCURACY, key="overall@dev", group="Dev")
    made = board(row("A", 0.9, system_id="a"), columns=(test, dev, replace(TASK, group="Dev")))
    names = [line[0] for line in texts(standing_lines(made)["a"])]
    assert names == ["Overall score (Test) Overall", "Overall score (Dev) Overall", "Banking 77 B77"]


def test_standings_say_why_there_is_no_score() -> None:
    task, overall = texts(standing_lines(ranked(row("A", None, 0.5, system_id="a")))["a"])
    assert (task[1], overall[2]) == (".500", "not submitted")


def test_standings_name_the_submission_behind_a_score_and_what_stands_beside_it() -> None:
    measured = cell(0.712, beside=0.802, deviation=0.004, submission="3f2a9c1e-77aa-4b0e")
    made = board(replace(row("A", system_id="a"), cells={"overall": measured}))
    ((head, score, _),) = texts(standing_lines(made)["a"])
    assert (head, score) == ("Overall score Overall submission 3f2a9c1e", ".712 (.802)sd .004")


def test_standings_name_a_submission_where_another_one_begins_and_not_in_every_line() -> None:
    first, second = "3f2a9c1e-77aa-4b0e", "aaaa9c1e-77aa-4b0e"
    columns = tuple(replace(TASK, key=f"task_{at}", name=f"Task {at}", title=f"Task {at}") for at in range(3))
    cells = {f"task_{at}": cell(0.7, submission=of) for at, of in enumerate((first, first, second))}
    made = board(replace(row("A", system_id="a"), cells=cells), columns=columns, rank_by="task_0")
    heads = [line[0] for line in texts(standing_lines(made)["a"])]
    assert heads == ["Task 0 submission 3f2a9c1e", "Task 1", "Task 2 submission aaaa9c1e"]


def test_standings_say_that_seeds_are_missing() -> None:
    made = board(replace(row("A", system_id="a"), cells={"overall": cell(0.7, seeds=3, seeds_wanted=5)}))
    assert texts(standing_lines(made)["a"])[0][2] == "3 of 5 seeds"


def test_standings_of_an_absent_system_are_empty() -> None:
    assert "b" not in standing_lines(ranked(row("A", 0.5, system_id="a")))


def test_history_lists_the_releases_a_system_stands_in() -> None:
    boards = [
        ranked(row("B", 0.5), release=1),
        ranked(row("B", 0.5), row("A", 0.4, system_id="a"), release=2),
        ranked(row("B", 0.5), row("A", 0.6, system_id="a"), release=3),
    ]
    heads = {number: f"<tr><th>{number}</th>" for number in (1, 2, 3)}
    assert texts(history_lines(boards, heads)["a"]) == [["2", ".400", "2 of 2"], ["3", ".600", "1 of 2"]]


def test_history_breaks_where_scores_were_measured_otherwise() -> None:
    """A system that scores less against corrected gold labels has not become worse."""
    versions = {3: "2", 2: "2", 1: "1"}
    boards = [
        ranked(row("A", 0.4, system_id="a"), release=number, ranked_on={"mood": {"gold labels": version}})
        for number, version in versions.items()
    ]
    heads = {number: f"<tr><th>{number}</th>" for number in versions}

    assert texts(history_lines(boards, heads)["a"]) == [
        ["3", ".400", "1 of 1"],
        ["2", ".400", "1 of 1"],
        ["Not comparable: mood: gold labels 1 \N{RIGHTWARDS ARROW} 2"],
        ["1", ".400", "1 of 1"],
    ]


def test_history_breaks_between_phases_also_for_a_system_that_missed_a_release() -> None:
    boards = [
        ranked(row("A", 0.4, system_id="a"), release=3, phase="final"),
        ranked(row("B", 0.5), release=2, phase="final"),
        ranked(row("A", 0.6, system_id="a"), release=1),
    ]
    heads = {number: f"<tr><th>{number}</th>" for number in (1, 2, 3)}

    assert [line[0] for line in texts(history_lines(boards, heads)["a"])] == [
        "3",
        "Not comparable: another phase",
        "1",
    ]


def test_history_of_rankings_that_no_average_joins_counts_first_places() -> None:
    made = board(
        row("A", 0.4, 0.9, system_id="a"), row("B", 0.5, 0.1), columns=(ACCURACY, TASK), by_column=True
    )

    assert texts(history_lines([made], {3: "<tr><th>3</th>"})["a"]) == [
        ["3", "\N{EN DASH}", "first in 1 of 2 rankings"]
    ]
