"""A board with four decimals is what its JSON with four decimals reads back as."""

from benchmarks.spec import RowKind
from catalogue.declared_facts import DeclaredFacts
from leaderboard.board.model.board import Board, BoardRow, Cell, Chance, MovedRow, NotCounted
from leaderboard.board.model.serialization import from_dict, rounded, to_dict, with_few_decimals
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
