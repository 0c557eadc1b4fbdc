"""What the board has decided about two systems, summed up: a verdict that no p changes."""

import pytest

from leaderboard.board.analysis.paired_differences import BOOTSTRAP, JudgedDifference, verdict
from scoring.core.uncertainty.paired import Difference
from tests.leaderboard.board.boards import ACCURACY


def judged(
    effect: float, is_sure: bool | None, *, p: float = 0.001, is_task: bool = True, higher: bool = True
) -> JudgedDifference:
    difference = Difference(effect, effect - 0.1, effect + 0.1, 0.05, p)
    return JudgedDifference(difference, {BOOTSTRAP: p}, is_task, higher, is_sure)


def test_a_verdict_counts_decisions_in_the_direction_of_each_task():
    found = {
        "overall": judged(0.1, is_sure=True, is_task=False),
        "a": judged(0.1, is_sure=True),
        "error": judged(0.1, is_sure=True, higher=False),
        "open": judged(-0.1, is_sure=False),
        "of no board": judged(-0.1, is_sure=None),
    }

    made = verdict("Ash", "Birch", ACCURACY, found)

    assert (made.ahead_on, made.behind_on, made.open_on, made.undecided_on) == (1, 1, 1, 1)
    assert (made.leader, made.said) == ("Birch", "surely ahead of Ash")
    assert (made.distance, made.interval, made.p) == (".100", ".000 to .200", "p .001")


@pytest.mark.parametrize("is_sure", [False, None], ids=["open", "undecided"])
def test_a_small_p_is_no_verdict(is_sure):
    made = verdict("Ash", "Birch", ACCURACY, {ACCURACY.key: judged(0.1, is_sure, p=0.0001, is_task=False)})

    assert made.said == ("" if is_sure is None else "ahead of Ash, but it could be chance")


@pytest.mark.parametrize(
    ("effect", "higher", "leader", "interval"),
    [
        (-0.25, True, "Ash", ".150 to .350"),
        (0.25, False, "Ash", ".150 to .350"),
        (-0.25, False, "Birch", ".150 to .350"),
        (-0.04, True, "Ash", "\N{MINUS SIGN}.060 to .140"),
    ],
)
def test_size_and_interval_of_a_difference_point_the_same_way(effect, higher, leader, interval):
    found = {ACCURACY.key: judged(effect, is_sure=True, is_task=False, higher=higher)}

    made = verdict("Ash", "Birch", ACCURACY, found)

    assert (made.leader, made.distance, made.interval) == (leader, f"{abs(effect):.3f}"[1:], interval)


def test_without_the_column_that_ranks_the_verdict_is_of_tasks_alone():
    made = verdict("Ash", "Birch", ACCURACY, {"a": judged(0.1, is_sure=True)})

    assert (made.said, made.task_count) == ("", 1)
