import datetime as dt

import pytest

from benchmarks.spec import RowKind
from leaderboard.board.model.board import Cell
from tests.leaderboard.board.boards import board, cell, row


@pytest.mark.parametrize("value", [float("nan"), float("inf"), float("-inf")])
def test_cell_refuses_a_number_that_is_not_finite(value: float) -> None:
    with pytest.raises(ValueError, match="must be a finite number"):
        Cell(value, None)


def test_cell_without_value_needs_a_reason() -> None:
    with pytest.raises(ValueError, match="needs a value or the code of a reason"):
        Cell(None, None)


def test_cell_with_value_refuses_a_reason() -> None:
    with pytest.raises(ValueError, match="not both"):
        Cell(0.0, "not_submitted")


def test_cell_refuses_half_an_interval() -> None:
    with pytest.raises(ValueError, match="needs both ends"):
        Cell(0.5, None, ci_low=0.4)


@pytest.mark.parametrize("name", ["beside", "deviation"])
def test_cell_refuses_a_second_number_that_is_not_finite(name: str) -> None:
    with pytest.raises(ValueError, match=f"`{name}` must be a finite number"):
        cell(0.5, **{name: float("nan")})


@pytest.mark.parametrize(("value", "deviation"), [(0.5, -0.1), (None, 0.1)])
def test_cell_refuses_a_deviation_of_nothing_or_below_zero(value: float | None, deviation: float) -> None:
    with pytest.raises(ValueError, match="A deviation is that of a value and at least 0"):
        cell(value, deviation=deviation)


def test_cell_refuses_a_count_of_seeds_without_how_many_are_wanted() -> None:
    with pytest.raises(ValueError, match="give `seeds` and `seeds_wanted`, or neither"):
        cell(0.5, seeds=3)


@pytest.mark.parametrize(("seeds", "complete"), [(3, False), (5, True)])
def test_cell_is_complete_with_all_seeds_that_are_wanted(seeds: int, complete: bool) -> None:
    assert cell(0.5, seeds=seeds, seeds_wanted=5).is_complete is complete


def test_cell_that_counts_no_seeds_is_complete() -> None:
    assert cell(0.5).is_complete


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        (RowKind.SYSTEM, "not_submitted"),
        (RowKind.BASELINE, "not_submitted"),
        (RowKind.REPORTED, "not_reported"),
        (RowKind.HUMAN, "not_reported"),
        (RowKind.MEDIAN, "not_submitted"),
    ],
)
def test_row_says_why_it_has_no_cell(kind: RowKind, code: str) -> None:
    assert row("A", kind=kind).cell("overall") == Cell(None, code)


def test_board_refuses_a_time_without_zone() -> None:
    with pytest.raises(ValueError, match="instant in UTC"):
        board(published_at=dt.datetime(2026, 11, 16))  # noqa: DTZ001 - the fault under test


def test_board_refuses_to_be_ranked_by_a_column_it_lacks() -> None:
    with pytest.raises(ValueError, match="no column 'average'; it has overall"):
        board(rank_by="average")


def test_board_counts_systems_and_their_teams_only() -> None:
    counted = board(
        row("A", 0.9, team="North"),
        row("B", None, team="North"),
        row("C", 0.7, team="South"),
        row("GPT-3", 0.6, kind=RowKind.REPORTED, team="Paper"),
    )
    assert (counted.system_count, counted.team_count) == (3, 2)
