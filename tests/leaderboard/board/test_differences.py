"""What tests of two systems come to: p raised for many tasks, and a verdict that counts only what is sure."""

from __future__ import annotations

import pytest

from leaderboard.board.differences import EXCHANGE, HOLM, Judged, verdict, with_holm
from scoring.core.uncertainty.paired import Difference
from tests.leaderboard.board.boards import ACCURACY


def judged(
    effect: float, p: float, *, is_task: bool = True, higher: bool = True, exchange: float | None = None
) -> Judged:
    tests = {} if exchange is None else {EXCHANGE: exchange}
    return Judged(Difference(effect, effect - 0.1, effect + 0.1, 0.05, p), tests, is_task, higher)


def test_the_p_of_tasks_are_raised_for_their_number_and_those_of_averages_are_not():
    found = with_holm(
        {"a": judged(0.1, 0.01), "b": judged(0.1, 0.04), "all": judged(0.1, 0.04, is_task=False)}
    )

    assert {key: one.tests.get(HOLM) for key, one in found.items()} == {"a": 0.02, "b": 0.04, "all": None}


def test_the_larger_of_two_ps_is_the_one_that_is_raised():
    found = with_holm({"a": judged(0.1, 0.01, exchange=0.03), "b": judged(0.1, 0.2)})

    assert found["a"].tests[HOLM] == pytest.approx(0.06)
    assert not found["a"].is_sure


def test_a_verdict_counts_what_is_sure_in_the_direction_of_each_task():
    found = with_holm(
        {
            "overall": judged(0.1, 0.001, is_task=False),
            "a": judged(0.1, 0.001),
            "error": judged(0.1, 0.001, higher=False),
            "open": judged(-0.1, 0.5),
        }
    )

    made = verdict("Ash", "Birch", ACCURACY, found)

    assert (made.better_on, made.worse_on, made.open_on, made.overall) == (1, 1, 1, "better")
    assert (made.distance, made.interval) == (".100", ".000 to .200")


@pytest.mark.parametrize(
    ("effect", "higher", "standing", "interval"),
    [
        (-0.25, True, "worse", ".150 to .350"),
        (0.25, False, "worse", ".150 to .350"),
        (-0.25, False, "better", ".150 to .350"),
        (-0.04, True, "open", "\N{MINUS SIGN}.060 to .140"),
    ],
)
def test_size_and_interval_of_a_difference_point_the_same_way(effect, higher, standing, interval):
    p = 0.5 if standing == "open" else 0.001
    found = {ACCURACY.key: judged(effect, p, is_task=False, higher=higher)}

    made = verdict("Ash", "Birch", ACCURACY, found)

    assert (made.overall, made.distance, made.interval) == (standing, f"{abs(effect):.3f}"[1:], interval)


def test_without_the_column_that_ranks_the_verdict_is_of_tasks_alone():
    made = verdict("Ash", "Birch", ACCURACY, with_holm({"a": judged(0.1, 0.001)}))

    assert (made.overall, made.task_count) == ("", 1)
