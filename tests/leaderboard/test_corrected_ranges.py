"""Scores that were chosen for being the best come with a second range, which takes the choice into account."""

import json

import numpy as np
import pytest

from benchmarks.models import Phase
from leaderboard.board.analysis.chance import Luck, with_chance, with_corrected
from leaderboard.board.model.board import Board, BoardRow
from leaderboard.board.model.ranking import rank
from leaderboard.board.model.serialization import CHOICE, from_dict, to_dict
from leaderboard.ledger.accounts import keep_ledger
from leaderboard.models import LedgerEntry
from submissions.systems.status_transitions import withdraw
from tests.conftest import person
from tests.feelings import team_of
from tests.leaderboard.board.boards import ACCURACY, ERROR, board, row
from tests.leaderboard.test_reproduce import reproduced
from tests.weeks import ALL_RIGHT, CUT_OFF, HALF_WRONG, ONE_WRONG, WEEK, row_of, run_batch, upload
from tests.weeks import board as published

pytestmark = pytest.mark.django_db


@pytest.fixture
def best(phase: Phase) -> Phase:
    Phase.objects.update(counting=Phase.CountingRule.BEST)
    phase.refresh_from_db()
    return phase


def choice_of(row: dict[str, object]) -> dict[str, object]:
    return {name: row[name] for name in CHOICE if name in row}


def test_the_best_of_several_answers_says_so_and_how_much_of_it_is_luck(best, system):
    upload(system, best, mood=HALF_WRONG)
    upload(system, best, mood=ONE_WRONG)
    upload(system, best, mood="good bad bad bad good good")
    run_batch(CUT_OFF)

    row = row_of(published("/benchmarks/toy/tasks/mood.json"), "Larch")

    assert row["tries"] == 3
    assert row["expected_luck"] >= 0
    (cell,) = [cell for key, cell in row["cells"].items() if key == "mood"]
    assert row["corrected_low"] <= cell["ci_low"]
    assert row["corrected_high"] == cell["ci_high"]
    assert row_of(published(), "Larch")["tries"] == 3


def test_what_was_withdrawn_was_tried_all_the_same(best, system):
    bad = upload(system, best, mood=HALF_WRONG)
    upload(system, best, mood=ONE_WRONG)
    run_batch(CUT_OFF)
    bad.refresh_from_db()
    withdraw(submission=bad, user=system.team.members.get(), now=CUT_OFF)
    other = team_of(person("southerner"), "South", "Alder")[1]
    upload(other, best, mood=ALL_RIGHT, at=CUT_OFF)
    run_batch(CUT_OFF + WEEK)

    assert row_of(published(), "Larch")["tries"] == 2


def test_the_latest_of_several_answers_was_not_chosen(phase, system):
    upload(system, phase, mood=ONE_WRONG)
    upload(system, phase, mood=HALF_WRONG)
    run_batch(CUT_OFF)

    assert choice_of(row_of(published(), "Larch")) == {}


def test_the_first_of_several_systems_has_a_corrected_range_and_the_second_none(phase, system):
    other = team_of(person("southerner"), "South", "Alder")[1]
    upload(system, phase, mood=ONE_WRONG)
    upload(other, phase, mood=HALF_WRONG)
    run_batch(CUT_OFF)

    first = row_of(published(), "Larch")
    assert set(choice_of(first)) == {"expected_luck", "corrected_low", "corrected_high"}
    assert choice_of(row_of(published(), "Alder")) == {}


def test_a_release_with_a_choice_is_made_again_bit_for_bit(best, system):
    upload(system, best, mood=HALF_WRONG)
    upload(system, best, mood=ONE_WRONG)
    run_batch(CUT_OFF)
    upload(system, best, mood=ALL_RIGHT, at=CUT_OFF)
    run_batch(CUT_OFF + WEEK)

    assert [reproduced(1)[0], reproduced(2)[0]] == [0, 0]
    assert row_of(published("/benchmarks/toy/releases/1.json"), "Larch")["tries"] == 2
    assert row_of(published("/benchmarks/toy/releases/2.json"), "Larch")["tries"] == 3


def test_what_was_tried_is_in_the_ledger_with_what_was_chosen(best, system):
    upload(system, best, mood=HALF_WRONG)
    upload(system, best, mood=ONE_WRONG)
    run_batch(CUT_OFF)
    keep_ledger()

    assert LedgerEntry.objects.get(task__slug="mood").answer_count == 2


# The board by itself


def replicates(scores: dict[str, float], deviation: float = 0.02) -> dict[str, np.ndarray]:
    random = np.random.default_rng(4)
    return {name: value + random.normal(0, deviation, 1000) for name, value in scores.items()}


def judged(scores: dict[str, float], lucks: dict[str, Luck] | None = None, *, disclosure: str = "") -> Board:
    ranked = rank([row(name, value, system_id=name) for name, value in scores.items()], ACCURACY)
    known = replicates(scores)
    return with_corrected(with_chance(board(*ranked, disclosure=disclosure), known), known, lucks or {})


def named(made: Board, name: str) -> BoardRow:
    return next(one for one in made.rows if one.system == name)


def test_the_first_of_equals_reaches_further_down_than_a_clear_leader():
    equals = judged({f"System {number}": 0.8 for number in range(20)} | {"Ash": 0.81})
    leader = judged({f"System {number}": 0.5 for number in range(20)} | {"Ash": 0.81})

    low, other = (named(made, "Ash").corrected_low for made in (equals, leader))
    assert low is not None
    assert other is not None
    assert low < other - 0.01
    assert named(leader, "Ash").expected_luck == 0.0


def test_a_range_of_numbers_with_noise_is_not_corrected():
    made = judged({"Ash": 0.8, "Birch": 0.79}, disclosure="protected")

    assert named(made, "Ash").corrected_low is None


def test_what_was_chosen_is_kept_with_the_board():
    made = judged({"Ash": 0.8, "Birch": 0.79}, {"Birch": Luck(5, np.abs(replicates({"B": 0.0})["B"]), 0.012)})

    birch = named(made, "Birch")
    assert (birch.tries, birch.expected_luck) == (5, 0.012)
    assert from_dict(json.loads(json.dumps(to_dict(made)))) == made


def test_where_less_is_better_the_range_reaches_up():
    scores = {"Ash": 0.3, "Birch": 0.31, "Cedar": 0.31}
    made = board(*rank([row(n, v, system_id=n) for n, v in scores.items()], ERROR), columns=(ERROR,))
    known = replicates(scores)

    ash = named(with_corrected(made, known, {}), "Ash")

    assert ash.corrected_low is not None
    assert ash.corrected_high is not None
    assert ash.corrected_high - 0.3 > 0.3 - ash.corrected_low + 0.003
