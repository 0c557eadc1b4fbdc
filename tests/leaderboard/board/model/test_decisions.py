"""Who is surely ahead of whom: kept with the board and its JSON, and moved along with rows that share a rank."""

import json
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from leaderboard.board.analysis.chance import with_chance
from leaderboard.board.exports.board_json import to_json
from leaderboard.board.model.board import Board
from leaderboard.board.model.decisions import are_apart, reordered, spans, spans_of_rows
from leaderboard.board.model.ranking import rank
from leaderboard.board.model.serialization import from_dict
from tests.leaderboard.board.analysis.test_chance import judged, replicates
from tests.leaderboard.board.boards import ACCURACY, board, row


def decided(made: Board) -> dict[frozenset[str], bool | None]:
    rows = made.ranked
    return {
        frozenset((rows[one].system, rows[other].system)): are_apart(rows, one, other)
        for one, other in combinations(range(len(rows)), 2)
    }


def test_a_board_decides_about_every_two_systems_and_its_json_keeps_it():
    made = judged()

    assert [one.ahead_of for one in made.ranked] == [((3, 3),), ((3, 3),), ()]
    assert decided(from_dict(json.loads(to_json(made)))) == decided(made) == {
        frozenset(("Ash", "Birch")): False,
        frozenset(("Ash", "Cedar")): True,
        frozenset(("Birch", "Cedar")): True,
    }  # fmt: skip


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9, 1.0])
@pytest.mark.parametrize("count", [1, 2, 7, 40])
def test_the_places_of_all_rows_are_those_of_each_by_itself(count, share):
    surely_ahead = np.random.default_rng(count).random((count, count)) < share

    assert spans_of_rows(surely_ahead) == [spans(np.flatnonzero(row) + 1) for row in surely_ahead]


def test_nothing_is_decided_about_a_system_without_replicates():
    assert decided(judged(but=("Birch",)))[frozenset(("Ash", "Birch"))] is None


def test_decisions_follow_rows_of_one_rank_that_change_places():
    """Ash is surely ahead of Birch, whose score varies little, and not of Cedar, which shares its rank."""
    scores = {"Ash": 0.8, "Birch": 0.7, "Cedar": 0.7, "Elm": 0.2}
    known = {name: replicates({name: value})[name] for name, value in scores.items()}
    steady = replicates({"Ash": 0.8, "Birch": 0.7}, sd=0.01)
    wild = replicates({"x": 0, "y": 0, "Cedar": 0.7}, sd=0.1)
    known |= {**steady, "Cedar": wild["Cedar"]}
    made = with_chance(
        board(*rank([row(name, value, system_id=name) for name, value in scores.items()], ACCURACY)), known
    )

    moved = replace(made, rows=reordered(made.rows, [0, 2, 1, 3]))

    assert [one.system for one in moved.rows] == ["Ash", "Cedar", "Birch", "Elm"]
    assert decided(moved) == decided(made)
    assert decided(made)[frozenset(("Ash", "Birch"))] is not decided(made)[frozenset(("Ash", "Cedar"))]
