from dataclasses import replace
from typing import Any

from benchmarks.spec import RowKind
from leaderboard.board.analysis.release_changes import changes
from leaderboard.board.model.board import Board, BoardRow, Column
from leaderboard.board.model.ranking import rank
from leaderboard.board.model.serialization import from_dict, ranking_of, to_dict
from tests.leaderboard.board.boards import ACCURACY, ERROR, board, cell, row


def released(number: int, *rows: BoardRow, column: Column = ACCURACY, **more: Any) -> Board:
    return board(*rank(rows, column), columns=(column,), release=number, **more)


def said(new: Board, *before: Board) -> tuple[str, ...]:
    found = changes(new, before)
    assert found is not None
    return found.sentences


def scored(name: str, value: float, submission: str) -> BoardRow:
    cells = {"overall": cell(value, submission=submission)}
    return BoardRow(name, name, "North", RowKind.SYSTEM, cells)


def test_an_entrant_who_leads_comes_before_those_it_passed() -> None:
    old = released(1, row("Larch", 0.7), row("Sedge", 0.6))
    new = released(2, row("Larch", 0.7), row("Sedge", 0.6), row("Alder", 0.8))
    assert said(new, old) == (
        "Alder of Team Alder is new at rank 1 with .800.",
        "Larch of Team Larch moves down from rank 1 to 2.",
        "Sedge of Team Sedge moves down from rank 2 to 3.",
    )


def test_a_better_score_says_by_how_much_and_that_another_submission_made_it() -> None:
    old = released(1, scored("Larch", 0.7, "a"), scored("Sedge", 0.6, "b"))
    new = released(2, scored("Larch", 0.7, "a"), scored("Sedge", 0.712, "c"))
    assert said(new, old)[0] == (
        "Sedge of North moves up from rank 2 to 1; it scores .112 better, now .712, with another submission."
    )


def test_a_score_that_changed_under_the_same_submission_is_told_as_such() -> None:
    old, new = released(1, scored("Larch", 0.7, "a")), released(2, scored("Larch", 0.69, "a"))
    assert said(new, old) == (
        "Larch of North stays at rank 1 and scores .010 worse, now .690, with the same submission.",
    )


def test_less_is_better_where_the_column_says_so() -> None:
    old, new = released(1, row("Larch", 0.7), column=ERROR), released(2, row("Larch", 0.6), column=ERROR)
    assert said(new, old) == ("Larch of Team Larch stays at rank 1 and scores .100 better, now .600.",)


def test_a_system_that_left_is_told_with_the_rank_it_had() -> None:
    old, new = released(1, row("Larch", 0.7), row("Sedge", 0.6)), released(2, row("Larch", 0.7))
    assert said(new, old) == ("Sedge of Team Sedge has left the board, where it had rank 2.",)


def test_ranks_gained_and_lost_are_told() -> None:
    old = released(1, row("Larch", None), row("Sedge", 0.6))
    new = released(2, row("Larch", 0.5), row("Sedge", None))
    assert set(said(new, old)) == {
        "Larch of Team Larch is ranked now, at 1.",
        "Sedge of Team Sedge had rank 1 and has none any more.",
    }


def test_of_many_changes_the_eight_most_important_are_told_and_the_rest_counted() -> None:
    found = changes(released(2, *(row(f"S{at}", at / 20) for at in range(12))), [released(1)])
    assert found is not None
    assert len(found.sentences) == 8
    assert found.sentences[0] == "S11 of Team S11 is new at rank 1 with .550."
    assert found.others == 4


def test_nothing_is_said_where_nothing_changed() -> None:
    assert said(released(2, row("Larch", 0.7)), released(1, row("Larch", 0.7))) == ()


def test_anonymous_systems_are_followed_by_their_numbers() -> None:
    def numbered(number: int, *values: float) -> Board:
        return released(number, *(row(f"System {at}", one, team="") for at, one in enumerate(values, 1)))

    assert said(numbered(2, 0.5, 0.9), numbered(1, 0.5)) == (
        "System 2 is new at rank 1 with .900.",
        "System 1 moves down from rank 1 to 2.",
    )


def test_a_release_is_compared_with_the_last_one_of_its_phase() -> None:
    new = released(3, row("Larch", 0.8), phase="weekly")
    first = released(1, row("Larch", 0.7), phase="weekly")
    found = changes(new, [released(2, row("Sedge", 0.7)), first])
    assert found is not None
    assert found.since == 1
    assert changes(new, [released(2, row("Sedge", 0.7))]) is None


def test_the_column_that_ranks_the_earlier_board_is_enough() -> None:
    old, new = released(1, scored("Larch", 0.7, "a")), released(2, scored("Larch", 0.6, "b"))
    assert changes(new, [from_dict(ranking_of(to_dict(old)))]) == changes(new, [old])


def test_human_estimates_neither_come_nor_go() -> None:
    human = row("Human", 0.9, kind=RowKind.HUMAN)
    assert said(released(2, row("Larch", 0.7), human), released(1, row("Larch", 0.7))) == ()


def test_between_two_measures_no_score_is_better_or_worse() -> None:
    old = released(1, scored("Dunlin", 0.744, "a"), scored("Larch", 0.75, "b"))
    new = released(2, scored("Dunlin", 0.61, "a"), scored("Larch", 0.6, "b"))
    found = said(
        replace(new, ranked_on={"a": {}, "b": {}, "c": {}}), replace(old, ranked_on={"a": {}, "b": {}})
    )
    assert found[0] == (
        "Overall score is measured otherwise than in release 1 (c is new): ranks follow the new measure, and scores "
        "cannot be compared."
    )
    assert found[1:] == (
        "Dunlin of North moves up from rank 2 to 1.",
        "Larch of North moves down from rank 1 to 2.",
    )
