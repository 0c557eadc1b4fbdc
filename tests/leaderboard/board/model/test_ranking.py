from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.spec import RowKind
from leaderboard.board.model.board import BoardRow, Column
from leaderboard.board.model.ranking import rank, rank_of
from leaderboard.board.model.standouts import Standouts
from tests.leaderboard.board.boards import ACCURACY, ERROR, TASK, board, cell, row


def places(rows: tuple[BoardRow, ...]) -> list[tuple[str, int | None]]:
    return [(row.system, row.rank) for row in rows]


def test_rank_shares_a_rank_between_equal_values_and_skips_the_next() -> None:
    rows = [row("D", 0.1), row("C", 0.5), row("A", 0.9), row("B", 0.5)]
    assert places(rank(rows, ACCURACY)) == [("A", 1), ("B", 2), ("C", 2), ("D", 4)]


def test_rank_shares_the_first_rank_between_three() -> None:
    rows = [row("A", 0.5), row("B", 0.5), row("C", 0.5), row("D", 0.4)]
    assert places(rank(rows, ACCURACY)) == [("A", 1), ("B", 1), ("C", 1), ("D", 4)]


def test_rank_tells_values_apart_that_print_alike() -> None:
    rows = [row("A", 0.7501), row("B", 0.7502)]
    assert places(rank(rows, ACCURACY)) == [("B", 1), ("A", 2)]


def test_rank_puts_the_smallest_first_where_lower_is_better() -> None:
    rows = [row("A", 0.9), row("B", 0.1), row("C", 0.5)]
    assert places(rank(rows, ERROR)) == [("B", 1), ("C", 2), ("A", 3)]


@pytest.mark.parametrize("column", [ACCURACY, ERROR])
def test_rank_puts_an_unscored_system_last_and_gives_it_no_rank(column: Column) -> None:
    rows = [row("Unscored", None), row("A", 0.5), row("B", 0.0)]
    ordered = places(rank(rows, column))
    assert ordered[-1] == ("Unscored", None)
    assert {place for _, place in ordered[:2]} == {1, 2}


def test_rank_on_a_lower_is_better_board_does_not_take_a_missing_value_for_zero() -> None:
    rows = [row("Unscored", None), row("A", 0.25), row("Perfect", 0.0), row("Absent")]
    assert places(rank(rows, ERROR)) == [("Perfect", 1), ("A", 2), ("Absent", None), ("Unscored", None)]


def test_rank_keeps_unscored_systems_below_other_rows_that_have_a_value() -> None:
    rows = [row("Unscored", None), row("Plurality", 0.3, kind=RowKind.REPORTED)]
    assert places(rank(rows, ACCURACY)) == [("Plurality", None), ("Unscored", None)]


@pytest.mark.parametrize("kind", [kind for kind in RowKind if kind is not RowKind.SYSTEM])
def test_rank_places_other_rows_by_value_without_using_up_a_rank(kind: RowKind) -> None:
    rows = [row("C", 0.4), row("Other", 0.7, kind=kind), row("A", 0.9), row("B", 0.7)]
    assert places(rank(rows, ACCURACY)) == [("A", 1), ("B", 2), ("Other", None), ("C", 3)]


def test_rank_takes_away_a_rank_that_a_row_may_not_carry() -> None:
    (human,) = rank([row("Human", 0.9, kind=RowKind.HUMAN, rank=1, rank_low=1, rank_high=2)], ACCURACY)
    assert (human.rank, human.rank_low, human.rank_high) == (None, None, None)


def test_rank_keeps_the_interval_of_a_ranked_system() -> None:
    (system,) = rank([row("A", 0.9, rank_low=1, rank_high=3)], ACCURACY)
    assert (system.rank, system.rank_low, system.rank_high) == (1, 1, 3)


def test_rank_passes_over_a_system_of_which_seeds_are_missing() -> None:
    partial = row("A-partial")._replace(cells={"overall": cell(0.7, seeds=3, seeds_wanted=5)})
    rows = [partial, row("B", 0.7), row("C", 0.4), row("D", 0.9)]
    assert places(rank(rows, ACCURACY)) == [("D", 1), ("B", 2), ("A-partial", None), ("C", 3)]


def test_standouts_pass_over_a_value_of_which_seeds_are_missing() -> None:
    partial = cell(0.9, seeds=4, seeds_wanted=5)
    rows = rank([row("A", 0.5, 0.6), row("B", 0.6, 0.1)], ACCURACY)
    rows = (rows[0]._replace(cells={**rows[0].cells, "banking_77": partial}), rows[1])
    found = board(*rows, columns=(ACCURACY, TASK)).standouts["banking_77"]
    assert found == Standouts(frozenset({1}), frozenset())


def test_rank_is_the_same_in_whatever_order_the_rows_come() -> None:
    rows = [
        row("same", 0.5, team="T", system_id="1"),
        row("same", 0.5, team="T", system_id="2"),
        row("Same", 0.5, team="T"),
        row("other", 0.5, team="A"),
        row("GPT-3", 0.5, kind=RowKind.REPORTED),
    ]
    expected = rank(rows, ACCURACY)
    assert all(rank(order, ACCURACY) == expected for order in permutations(rows))


def test_rank_orders_equal_systems_by_team_then_name() -> None:
    rows = [row("b", 0.5, team="South"), row("c", 0.5, team="north"), row("A", 0.5, team="South")]
    assert [row.system for row in rank(rows, ACCURACY)] == ["c", "A", "b"]


def test_rank_of_no_rows_is_empty() -> None:
    assert rank([], ACCURACY) == ()


def test_standouts_find_best_and_second_best_of_every_column() -> None:
    rows = rank([row("A", 0.9, 0.2), row("B", 0.8, 0.6), row("C", 0.7, 0.4)], ACCURACY)
    assert board(*rows, columns=(ACCURACY, TASK)).standouts == {
        "overall": Standouts(frozenset({0}), frozenset({1})),
        "banking_77": Standouts(frozenset({1}), frozenset({2})),
    }


def test_standouts_hold_all_rows_of_equal_value() -> None:
    rows = rank([row("A", 0.9), row("B", 0.9), row("C", 0.7), row("D", 0.7)], ACCURACY)
    assert board(*rows).standouts["overall"] == Standouts(frozenset({0, 1}), frozenset({2, 3}))


def test_standouts_are_the_lowest_where_lower_is_better() -> None:
    rows = rank([row("A", 0.9), row("B", 0.1), row("Unscored", None)], ERROR)
    found = board(*rows, columns=(ERROR,)).standouts["overall"]
    assert [rows[index].system for index in found.best | found.second] == ["B", "A"]
    assert found.best == frozenset({0})


def test_standouts_are_those_of_the_column_itself_whoever_has_a_rank_on_the_board() -> None:
    human = row("Human", 1.0, 1.0, kind=RowKind.HUMAN)
    partial = row("Partial", None, 0.9)
    rows = rank([human, partial, row("A", 0.5, 0.5)], ACCURACY)
    found = board(*rows, columns=(ACCURACY, TASK)).standouts
    assert [one.system for one in rows] == ["Human", "A", "Partial"]
    assert found["banking_77"] == Standouts(frozenset({2}), frozenset({1}))


def test_standouts_name_no_second_best_where_all_are_equal() -> None:
    rows = rank([row("A", 0.5), row("B", 0.5)], ACCURACY)
    assert board(*rows).standouts["overall"].second == frozenset()


@given(
    values=st.lists(st.sampled_from([None, 0.0, -0.0, 0.25, 0.5, 0.75]), max_size=8),
    kinds=st.lists(
        st.sampled_from([RowKind.SYSTEM, RowKind.SYSTEM, RowKind.BASELINE]), min_size=8, max_size=8
    ),
    seeds=st.lists(st.sampled_from([None, 3, 5]), min_size=8, max_size=8),
    column=st.sampled_from([ACCURACY, ERROR]),
)
def test_the_rank_of_one_row_is_the_one_that_it_has_among_all(values, kinds, seeds, column):
    rows = [
        row(str(at), kind=kind)._replace(
            cells={"overall": cell(value, seeds=count, seeds_wanted=count and 5)}
        )
        for at, (value, kind, count) in enumerate(zip(values, kinds, seeds, strict=False))
    ]
    ranked = rank(rows, column)
    among = sum(one.rank is not None for one in ranked)
    by_name = {one.system: one.rank for one in ranked}
    made = board(*rows, columns=(column,))
    assert [rank_of(one, made, column) for one in rows] == [(by_name[one.system], among) for one in rows]
