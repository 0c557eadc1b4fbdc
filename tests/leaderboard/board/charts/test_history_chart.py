import json
from dataclasses import replace

import pytest

from benchmarks.spec import RowKind
from leaderboard.board.charts.history_chart import history_chart, history_json
from leaderboard.board.model.board import Board
from leaderboard.board.model.ranking import rank
from tests.leaderboard.board.boards import ACCURACY, board, row


def released(number: int, *values: float) -> Board:
    rows = [row(f"System {at}", value) for at, value in enumerate(values)]
    human = row("Human", 0.9, kind=RowKind.HUMAN)
    return board(*rank([*rows, human], ACCURACY), release=number)


def test_chart_has_the_best_score_of_every_release_and_the_human_estimate() -> None:
    chart = history_chart([released(2, 0.6, 0.75), released(1, 0.7), released(3, 0.8)])
    assert chart is not None
    assert "Best system: .700 at 1, .750 at 2, .800 at 3" in chart.inline
    assert "Human: .900 at 1, .900 at 3" in chart.inline


def test_chart_says_how_far_the_best_score_came_and_whether_it_passed_people() -> None:
    chart = history_chart([released(1, 0.7), released(2, 0.95)])
    assert chart is not None
    assert (
        chart.title == "The best score rose from .700 in release 1 to .950, past the human estimate of .900"
    )


def test_below_the_chart_stands_what_a_human_estimate_without_an_interval_rests_on() -> None:
    human = row("Human", 0.9, kind=RowKind.HUMAN, source="A paper; 100 items of each task")
    boards = [
        board(*rank([row("Larch", value), human], ACCURACY), release=at)
        for at, value in ((1, 0.7), (2, 0.95))
    ]
    chart = history_chart(boards)
    assert chart is not None
    assert chart.note.endswith(
        "The human estimate has no interval; it is from A paper; 100 items of each task."
    )


def test_below_the_chart_stands_who_held_the_first_rank_since_when() -> None:
    names = ("Larch", "Larch", "Elm", "Oak")
    boards = [
        board(*rank([row(name, 0.5 + at / 10), row("Ash", 0.1)], ACCURACY), release=at)
        for at, name in enumerate(names, start=1)
    ]
    shared = board(*rank([row("Oak", 0.95), row("Elm", 0.95)], ACCURACY), release=5)
    chart = history_chart([*boards, shared])
    assert chart is not None
    first = "First: Larch since release 1, Elm since release 3, Oak since release 4"
    assert chart.note in (f"{first}, Oak and Elm since release 5.", f"{first}, Elm and Oak since release 5.")


def test_one_release_makes_no_history() -> None:
    assert history_chart([released(1, 0.7)]) is None


def test_release_without_a_ranked_system_is_left_out() -> None:
    chart = history_chart([released(1), released(2, 0.7), released(3, 0.8)])
    assert chart is not None
    assert "Best system: .700 at 2, .800 at 3" in chart.inline


def test_data_beside_the_chart_have_every_release_with_its_leaders_and_full_scores() -> None:
    data = json.loads(history_json([released(1), released(2, 0.7, 0.7), released(3, 0.123456789)]))
    assert [one["release"] for one in data["releases"]] == [3, 2, 1]
    assert [one["score"] for one in data["releases"]] == [0.123456789, 0.7, None]
    assert data["releases"][1]["leaders"] == [
        {"system": "System 0", "team": "Team System 0"},
        {"system": "System 1", "team": "Team System 1"},
    ]
    assert data["human"] == [{"system": "Human", "score": 0.9}]


def test_a_name_too_long_for_the_room_beside_the_plot_loses_what_stands_in_parentheses() -> None:
    human = row("Human (crowdsourced)", 0.9, kind=RowKind.HUMAN)
    boards = [
        board(*rank([row("System", value), human], ACCURACY), release=at)
        for at, value in ((1, 0.6), (2, 0.7))
    ]
    chart = history_chart(boards)
    assert chart is not None
    assert ">Human</text>" in chart.inline
    assert "Human (crowdsourced): .900 at 1" in chart.inline


# Columns that are measured otherwise from some release on


def measured(number: int, value: float, **sets: dict[str, str]) -> Board:
    return replace(released(number, value), ranked_on=sets)


ONE, TWO = {"metric": "accuracy", "gold labels": "1"}, {"metric": "accuracy", "gold labels": "2"}


def test_the_line_breaks_where_the_column_was_measured_otherwise_and_says_why() -> None:
    chart = history_chart(
        [
            measured(1, 0.7, a=ONE),
            measured(2, 0.75, a=ONE),
            measured(3, 0.6, a=ONE, b=ONE),
            measured(4, 0.65, a=ONE, b=ONE),
        ]
    )
    assert chart is not None
    assert "Best system: .700 at 1, .750 at 2<" in chart.inline
    assert "Best system: .600 at 3, .650 at 4<" in chart.inline
    assert [line[1] for line in chart.rows if line[0] == "Best system"] == ["1", "2", "3", "4"]
    assert chart.inline.count('stroke-dasharray="2 3"') == 1
    assert "Human: .900 at 3, .900 at 4" in chart.inline
    assert chart.title.startswith("The best score rose from .600 in release 3 to .650")
    assert chart.note.startswith("Another measure since release 3 (b is new)")


@pytest.mark.parametrize(
    ("then", "now", "said"),
    [
        ({"a": ONE}, {"a": TWO}, "a: gold labels 1 → 2"),
        ({"a": ONE, "b": ONE}, {"a": ONE}, "b has gone"),
        ({"a": ONE | {"items": "half"}}, {"a": ONE | {"items": "all"}}, "a: items half → all"),
        (
            {at: ONE | {"items": "displayed"} for at in "abcd"},
            {at: ONE | {"items": "remainder"} for at in "abcd"},
            "a and 3 more: items displayed → kept back",
        ),
        ({"a": ONE}, {"a": ONE}, ""),
        ({"a": {}}, {"a": ONE}, ""),
        ({}, {"a": ONE}, ""),
    ],
    ids=["gold labels", "set gone", "items", "alike of many", "same", "nobody answered it", "not known"],
)
def test_better_and_worse_are_said_within_one_measure_alone(then, now, said) -> None:
    chart = history_chart([measured(1, 0.744, **then), measured(2, 0.689, **now)])
    assert chart is not None
    if said:
        assert chart.title.startswith("The best score is .689 in release 2, the first by its measure")
        assert said in chart.note
    else:
        assert chart.title.startswith("The best score fell from .744 in release 1 to .689")
        assert "Another measure" not in chart.note


def test_data_beside_the_chart_count_the_measures() -> None:
    data = json.loads(
        history_json([measured(1, 0.7, a=ONE), measured(2, 0.6, a=TWO), measured(3, 0.6, a=TWO)])
    )
    assert [(one["release"], one["measure"]) for one in data["releases"]] == [(3, 2), (2, 2), (1, 1)]
