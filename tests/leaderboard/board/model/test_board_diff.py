"""Two dictionaries of one board are told apart to the last cell, whatever they are worded like."""

from copy import deepcopy
from typing import Any

import pytest

from leaderboard.board.model.board_diff import as_unsure_as, board_differences, worded_as

CELL = {"value": 0.5, "undefined": None, "ci_low": 0.4, "ci_high": 0.6, "submission": "a"}
ROW = {
    "system": "Larch",
    "system_id": "1",
    "team": "North",
    "kind": "system",
    "rank": 1,
    "rank_low": 1,
    "rank_high": 2,
    "tags": [],
    "source": "",
    "leads": 0.7,
    "cells": {"mood": CELL},
}
BOARD: dict[str, Any] = {
    "benchmark_title": "Toy",
    "title": "Toy",
    "release": 1,
    "note": "",
    "chance": {"replicates": 1000},
    "columns": [
        {"key": "mood", "title": "Mood", "code": "M", "metric_title": "F1", "higher_is_better": True}
    ],
    "rows": [ROW],
}


def changed(*path: str | int, value: Any) -> dict[str, Any]:
    """The board with one value changed."""
    board = deepcopy(BOARD)
    at: Any = board
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = value
    return board


def test_a_board_does_not_differ_from_itself():
    assert list(board_differences(BOARD, deepcopy(BOARD))) == []


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (changed("rows", 0, "rank", value=2), "Larch: rank is 1 in the release, made again 2."),
        (
            changed("rows", 0, "cells", "mood", "value", value=0.5000000000000001),
            "Larch, mood: value is 0.5 in the release, made again 0.5000000000000001.",
        ),
        (changed("rows", value=[]), "Larch: its row is not made again."),
        (changed("columns", value=[]), "the columns are mood in the release, made again ."),
        (changed("release", value=2), "release is 1 in the release, made again 2."),
    ],
    ids=["rank", "last digit", "row", "column", "number"],
)
def test_what_differs_is_said(made, said):
    assert said in list(board_differences(BOARD, made))


@pytest.mark.parametrize(
    "made",
    [
        changed("rows", 0, "system", value="Spruce"),
        changed("rows", 0, "tags", value=["new"]),
        changed("title", value="Another"),
        changed("columns", 0, "title", value="Another"),
    ],
    ids=["system", "tags", "title", "column"],
)
def test_words_are_taken_from_the_frozen_board(made):
    assert list(board_differences(BOARD, worded_as(made, BOARD))) == []


def test_a_board_from_before_there_were_intervals_is_compared_without_them():
    frozen = deepcopy(BOARD)
    del frozen["chance"], frozen["rows"][0]["leads"]
    frozen["rows"][0] |= {"rank_low": None, "rank_high": None}
    frozen["rows"][0]["cells"]["mood"] |= {"ci_low": None, "ci_high": None}
    assert list(board_differences(frozen, as_unsure_as(BOARD, frozen))) == []


def test_ranges_of_ranks_are_left_out_alone_where_a_board_had_none_when_it_was_frozen():
    frozen = deepcopy(BOARD)
    del frozen["chance"], frozen["rows"][0]["leads"]
    frozen["rows"][0] |= {"rank_low": None, "rank_high": None}
    other = changed("rows", 0, "cells", "mood", "ci_low", value=0.3)

    assert list(board_differences(frozen, as_unsure_as(BOARD, frozen))) == []
    assert list(board_differences(frozen, as_unsure_as(other, frozen)))


def test_decisions_are_left_out_where_a_board_kept_none_when_it_was_frozen():
    made = changed("rows", 0, "ahead_of", value=[[2, 3]])

    assert list(board_differences(BOARD, as_unsure_as(made, BOARD))) == []


def test_an_interval_that_is_there_is_compared():
    made = changed("rows", 0, "cells", "mood", "ci_low", value=0.3)
    assert list(board_differences(BOARD, as_unsure_as(made, BOARD)))
