from __future__ import annotations

from dataclasses import replace

from benchmarks.spec import RowKind
from leaderboard.board.model.board import Board, BoardRow
from leaderboard.board.model.ranking import rank
from leaderboard.board.tables.release_summaries import history, release, standings
from tests.leaderboard.board.boards import ACCURACY, TASK, board, cell, row


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


def test_standings_rank_a_system_in_every_column_by_itself() -> None:
    made = ranked(row("A", 0.9, 0.1, system_id="a"), row("B", 0.8, 0.3), row("C", None, 0.2))
    found = {line.key: (line.score, line.rank, line.of) for line in standings(made)["a"]}
    assert found == {"banking_77": (".100", "3", 3), "overall": (".900", "1", 2)}


def test_standings_tell_columns_of_one_name_apart_by_their_groups() -> None:
    test, dev = replace(ACCURACY, group="Test"), replace(ACCURACY, key="overall@dev", group="Dev")
    made = board(row("A", 0.9, system_id="a"), columns=(test, dev, replace(TASK, group="Dev")))
    names = [line.name for line in standings(made)["a"]]
    assert names == ["Overall score (Test)", "Overall score (Dev)", "Banking 77"]


def test_standings_say_why_there_is_no_score() -> None:
    task, overall = standings(ranked(row("A", None, 0.5, system_id="a")))["a"]
    assert (task.score, overall.rank, overall.hint) == (".500", "", "not submitted")


def test_standings_name_the_submission_behind_a_score_and_what_stands_beside_it() -> None:
    measured = cell(0.712, beside=0.802, deviation=0.004, submission="3f2a9c1e-77aa-4b0e")
    made = board(replace(row("A", system_id="a"), cells={"overall": measured}))
    (line,) = standings(made)["a"]
    assert (line.score, line.beside, line.deviation, line.submission) == (
        ".712",
        "(.802)",
        "± .004",
        "3f2a9c1e",
    )


def test_standings_say_that_seeds_are_missing() -> None:
    made = board(replace(row("A", system_id="a"), cells={"overall": cell(0.7, seeds=3, seeds_wanted=5)}))
    (line,) = standings(made)["a"]
    assert (line.rank, line.hint) == ("", "3 of 5 seeds")


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
