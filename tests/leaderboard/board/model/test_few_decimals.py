"""A board with four decimals is what its JSON reads back as, and prints what the exact board prints."""

from typing import Any, cast

from hypothesis import example, given
from hypothesis import strategies as st

from benchmarks.spec import RowKind
from catalogue.declared_facts import DeclaredFacts
from catalogue.disclosure.rule import few_digits
from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board, BoardRow, Cell, Chance, MovedRow, NotCounted
from leaderboard.board.model.serialization import from_dict, nearest, rounded, to_dict, with_few_decimals
from leaderboard.models import Release
from leaderboard.publication.reproduction import in_digits_of
from tests.leaderboard.board.boards import ACCURACY, TASK, board, row


def a_board_of_everything() -> Board:
    """Rows with every kind of number that a board can hold, none of which has as few decimals as are published."""
    full = Cell(0.123456, None, 0.100049, 0.150051, "s1", 0.765432, 0.000049, 2, 3)
    first = BoardRow(
        system="Ash",
        system_id="a",
        team="Team Ash",
        kind=RowKind.SYSTEM,
        cells={"overall": full, "banking_77": Cell(None, "missing_set", submission="s2"), "other": full},
        rank=1,
        rank_low=1,
        rank_high=2,
        tags=("open weights",),
        facts=DeclaredFacts(parameters=7, cost=1.234567, examples=3),
        leads=0.666666,
        ahead_of=((2, 2),),
        tries=4,
        expected_luck=0.012345,
        corrected_low=-0.00001,
        corrected_high=0.987654,
    )
    moved = row(
        "Elm", 0.654321, kind=RowKind.REPORTED, moved=MovedRow("2026-01-02", paper_url="https://elm.example")
    )
    return board(
        first,
        row("Birch", 0.111149, system_id="b", facts=DeclaredFacts(weights="open")),
        moved,
        columns=(ACCURACY, TASK),
        chance=Chance(1000, ((1, 2),), 0.012345),
        not_counted=(NotCounted("banking_77", (("c", "Cedar"),)),),
        disclosure="ladder",
        part="displayed",
        axis="Language",
    )


def test_a_board_with_four_decimals_reads_as_its_json_with_four_decimals():
    exact = a_board_of_everything()

    few = with_few_decimals(exact)

    assert few == from_dict(rounded(to_dict(exact)) | {"decimals": 4})
    assert to_dict(few) == rounded(to_dict(exact)) | {"decimals": 4}


def test_a_board_without_chance_has_none_with_four_decimals():
    assert with_few_decimals(board(row("Ash", 0.123456))).chance is None


@given(st.floats(-1000, 1000), st.floats(-1000, 1000))
@example(0.7114656658984518, 0.7115)
@example(9.99951, 10.0)
@example(1.00051, 1.0005)
def test_pages_print_few_decimals_as_they_print_all(value: float, other: float) -> None:
    """So a number is printed alike where gold labels are public and where they are not, and as the exact one is."""
    few = few_digits(value)

    assert fmt.score(few) == fmt.score(value)
    assert abs(few - value) < 1e-4 + 1e-12
    assert few_digits(few) == few == round(few, 4)
    assert (few <= few_digits(other)) == (value <= other) or few == few_digits(other)


def test_a_release_from_before_is_made_again_with_the_digits_that_it_has() -> None:
    exact = board(row("Ash", 0.7114656658984518), row("Birch", 0.65432))
    frozen = {"overall": to_dict(with_few_decimals(exact, nearest))}
    release = cast(Any, Release(overall=frozen["overall"], others={}))

    assert in_digits_of(release, {"overall": exact}) == frozen
    assert frozen["overall"]["rows"][0]["cells"][exact.rank_by]["value"] == 0.7115
