from __future__ import annotations

import json

from benchmarks.spec import RowKind
from leaderboard.board import Board, rank
from leaderboard.board.history import history_chart, history_json
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
