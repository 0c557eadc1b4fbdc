import re
from dataclasses import replace

from benchmarks.spec import RowKind
from leaderboard.board.model.board import Board, BoardRow
from leaderboard.board.model.ranking import rank
from leaderboard.board.tables.system_lines import history_lines, places, standing_lines
from tests.leaderboard.board.boards import ACCURACY, TASK, board, cell, row


def ranked(*rows: BoardRow, **more: object) -> Board:
    return board(*rank(rows, ACCURACY), columns=(TASK, ACCURACY), **more)


def texts(lines: str) -> list[list[str]]:
    """The words of each line, one string per cell."""
    rows = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", line) for line in lines.splitlines()]
    return [[re.sub(r"<[^>]*>", "", cell) for cell in row] for row in rows]


def standings(board: Board) -> str:
    """The lines of the system a."""
    return standing_lines(board, next(row for row in board.rows if row.system_id == "a"))


def history(*boards: Board) -> list[list[str]]:
    """The history of the system a, without what stands before the number of a release."""
    of_a = {board.release: found for board in boards if (found := places(board).get("a"))}
    heads = [replace(board, rows=()) for board in boards]
    lines = texts(history_lines(heads, of_a, {board.release: "today" for board in boards}))
    return [[line[0].removeprefix("Release "), *line[2:]] for line in lines]


def test_standings_rank_a_system_in_every_column_by_itself() -> None:
    made = ranked(row("A", 0.9, 0.1, system_id="a"), row("B", 0.8, 0.3), row("C", None, 0.2))
    assert texts(standings(made)) == [
        ["Banking 77 B77", ".100", "3 of 3"],
        ["Overall score Overall", ".900", "1 of 2"],
    ]


def test_standings_give_the_range_of_the_boards_rank_to_no_other_column() -> None:
    made = ranked(row("A", 0.9, 0.1, system_id="a"), row("B", 0.8, 0.3), row("C", 0.7, 0.2))
    spans = {"A": (1, 2), "B": (1, 2), "C": (3, 3)}
    rows = [r._replace(rank_low=spans[r.system][0], rank_high=spans[r.system][1]) for r in made.rows]
    task, overall = texts(standings(replace(made, rows=tuple(rows))))
    assert (task[2], overall[2]) == ("3 of 3", "1 of 3, range 1\N{EN DASH}2")


def test_standings_tell_columns_of_one_name_apart_by_their_groups() -> None:
    test, dev = replace(ACCURACY, group="Test"), replace(ACCURACY, key="overall@dev", group="Dev")
    made = board(row("A", 0.9, system_id="a"), columns=(test, dev, replace(TASK, group="Dev")))
    names = [line[0] for line in texts(standings(made))]
    assert names == ["Overall score (Test) Overall", "Overall score (Dev) Overall", "Banking 77 B77"]


def test_standings_say_why_there_is_no_score() -> None:
    task, overall = texts(standings(ranked(row("A", None, 0.5, system_id="a"))))
    assert (task[1], overall[2]) == (".500", "not submitted")


def test_standings_name_the_submission_behind_a_score_and_what_stands_beside_it() -> None:
    measured = cell(0.712, beside=0.802, deviation=0.004, submission="3f2a9c1e-77aa-4b0e")
    made = board(row("A", system_id="a")._replace(cells={"overall": measured}))
    ((head, score, _),) = texts(standings(made))
    assert (head, score) == ("Overall score Overall submission 3f2a9c1e", ".712 (.802)sd .004")


def test_standings_name_a_submission_where_another_one_begins_and_not_in_every_line() -> None:
    first, second = "3f2a9c1e-77aa-4b0e", "aaaa9c1e-77aa-4b0e"
    columns = tuple(replace(TASK, key=f"task_{at}", name=f"Task {at}", title=f"Task {at}") for at in range(3))
    cells = {f"task_{at}": cell(0.7, submission=of) for at, of in enumerate((first, first, second))}
    made = board(row("A", system_id="a")._replace(cells=cells), columns=columns, rank_by="task_0")
    heads = [line[0] for line in texts(standings(made))]
    assert heads == ["Task 0 submission 3f2a9c1e", "Task 1", "Task 2 submission aaaa9c1e"]


def test_standings_say_that_seeds_are_missing() -> None:
    made = board(row("A", system_id="a")._replace(cells={"overall": cell(0.7, seeds=3, seeds_wanted=5)}))
    assert texts(standings(made))[0][2] == "3 of 5 seeds"


def test_history_lists_the_releases_a_system_stands_in() -> None:
    boards = [
        ranked(row("B", 0.5), release=1),
        ranked(row("B", 0.5), row("A", 0.4, system_id="a"), release=2),
        ranked(row("B", 0.5), row("A", 0.6, system_id="a"), release=3),
    ]
    assert history(*boards) == [["2", ".400", "2 of 2"], ["3", ".600", "1 of 2"]]


def test_history_gives_ranges_and_says_why_there_is_no_rank() -> None:
    first = ranked(row("A", 0.4, system_id="a"), row("B", 0.5), release=1)
    ranges = [row._replace(rank_low=1, rank_high=2) for row in first.rows]
    nothing = ranked(row("A", None, 0.5, system_id="a"), row("B", 0.5), release=2)
    baseline = ranked(row("A", 0.6, kind=RowKind.BASELINE, system_id="a"), row("B", 0.5), release=3)
    assert history(baseline, nothing, replace(first, rows=tuple(ranges))) == [
        ["3", ".600", "not ranked"],
        ["2", "\N{EN DASH}", "not submitted"],
        ["1", ".400", "2 of 2, range 1\N{EN DASH}2"],
    ]


def test_history_breaks_where_scores_were_measured_otherwise() -> None:
    """A system that scores less against corrected gold labels has not become worse."""
    versions = {3: "2", 2: "2", 1: "1"}
    boards = [
        ranked(row("A", 0.4, system_id="a"), release=number, ranked_on={"mood": {"gold labels": version}})
        for number, version in versions.items()
    ]

    assert history(*boards) == [
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

    assert [line[0] for line in history(*boards)] == ["3", "Not comparable: another phase", "1"]


def test_history_tells_of_no_break_before_a_system_was_there() -> None:
    boards = [
        ranked(row("B", 0.5), release=2, phase="final"),
        ranked(row("A", 0.6, system_id="a"), release=1),
    ]

    assert [line[0] for line in history(*boards)] == ["1"]


def test_history_of_rankings_that_no_average_joins_counts_first_places() -> None:
    made = board(
        row("A", 0.4, 0.9, system_id="a"), row("B", 0.5, 0.1), columns=(ACCURACY, TASK), by_column=True
    )

    assert history(made) == [["3", "\N{EN DASH}", "first in 1 of 2 rankings"]]
