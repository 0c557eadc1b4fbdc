"""The order of a board by the mean rank, Borda and Copeland, beside the official one."""

from collections.abc import Mapping
from dataclasses import replace

from benchmarks.spec import AverageSpec
from benchmarks.spec.model import MissingTask
from leaderboard.board.analysis.alternative_rankings import other_ranks
from leaderboard.board.model.board import Board, Cell
from leaderboard.board.model.number_format import MINUS
from leaderboard.board.model.ranking import rank
from tests.leaderboard.board.boards import ACCURACY, TASK, board, cell, row

OVERALL = AverageSpec(id="overall", title="Overall", of=("a", "b", "c"), missing=MissingTask.PARTIAL)
TASKS = tuple(replace(TASK, key=key, title=key, name=key) for key in ("a", "b", "c"))


def scored(scores: Mapping[str, tuple[float | None, ...]], *, columns: tuple = TASKS) -> Board:
    rows = []
    for name, values in scores.items():
        there = [value for value in values if value is not None]
        cells = {key: cell(value) for key, value in zip("abc", values, strict=True)}
        rows.append(row(name)._replace(cells={"overall": Cell(sum(there) / len(there), None), **cells}))
    return board(*rank(rows, ACCURACY), columns=(ACCURACY, *columns))


ONE_BY_FAR = {"Ash": (0.6, 0.6, 0.99), "Birch": (0.7, 0.7, 0.7), "Cedar": (0.1, 0.1, 0.1)}


def test_who_wins_one_task_by_far_leads_by_the_average_and_by_no_other_rule():
    view = other_ranks(scored(ONE_BY_FAR), [OVERALL])

    assert view is not None
    assert [(one.system, one.rank, by_rule) for one, by_rule in view.rows] == [
        ("Ash", 1, ((2, "1.67"), (2, "4"), (2, "0"))),
        ("Birch", 2, ((1, "1.33"), (1, "5"), (1, "2"))),
        ("Cedar", 3, ((3, "3.00"), (3, "0"), (3, f"{MINUS}2"))),
    ]
    assert view.taus == (".33", ".33", ".33")


def test_where_all_rules_agree_tau_is_one():
    view = other_ranks(scored({"Ash": (0.9,) * 3, "Birch": (0.8,) * 3, "Cedar": (0.7,) * 3}), [OVERALL])

    assert view is not None
    assert view.taus == ("1.00",) * 3
    assert not view.has_missing


def test_a_missing_score_is_told():
    view = other_ranks(scored({**ONE_BY_FAR, "Cedar": (0.1, None, 0.1)}), [OVERALL])

    assert view is not None
    assert view.has_missing


def test_columns_where_less_is_better_are_turned_round():
    falling = (replace(TASKS[0], higher_is_better=False), *TASKS[1:])
    scores = {"Ash": (0.1, 0.9, 0.9), "Birch": (0.2, 0.8, 0.8), "Cedar": (0.3, 0.7, 0.7)}

    view = other_ranks(scored(scores, columns=falling), [OVERALL])

    assert view is not None
    assert {one.system: by_rule[0][0] for one, by_rule in view.rows} == {"Ash": 1, "Birch": 2, "Cedar": 3}


def test_nothing_is_said_of_two_systems_of_one_task_or_of_columns_that_are_not_there():
    two = {name: values for name, values in ONE_BY_FAR.items() if name != "Cedar"}

    assert other_ranks(scored(two), [OVERALL]) is None
    assert other_ranks(scored(ONE_BY_FAR), []) is None
    assert other_ranks(scored(ONE_BY_FAR, columns=TASKS[:2]), [OVERALL]) is None


def test_averages_of_averages_are_taken_apart_to_their_tasks():
    inner = AverageSpec(id="inner", title="Inner", of=("a", "b"), missing=MissingTask.PARTIAL)
    outer = AverageSpec(id="overall", title="Overall", of=("inner", "c"), missing=MissingTask.PARTIAL)

    view = other_ranks(scored(ONE_BY_FAR), [outer, inner])

    assert view is not None
    assert view.task_count == 3


def test_of_many_systems_the_first_ten_are_shown():
    scores = {f"S{at:02}": (0.9 - at / 100,) * 3 for at in range(12)}

    view = other_ranks(scored(scores), [OVERALL])

    assert view is not None
    assert (len(view.rows), view.system_count) == (10, 12)
