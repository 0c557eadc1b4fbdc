"""Two walks through a protected phase as outsiders take them: an attacker's week, and a month of honest teams.

Everything is sent to the address for uploads, and read off public pages and the published board's JSON.
"""

import datetime as dt
import re
from collections.abc import Mapping

import numpy as np
import pytest
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from benchmarks.models import Phase
from catalogue.disclosure.rule import DISPLAYED, REMAINDER
from leaderboard.publication.services import refresh_stale
from perf.attacks.bench import Labels, Mask
from scoring.gold.alignment import opened_version
from scoring.gold.holdout_split import items_of_part
from scoring.models import GoldVersion, JudgedAnswer
from submissions.models import System
from tests.api.conftest import client_of
from tests.pages import text_of
from tests.quiz import GOLD, ITEMS, as_file, end_now, make_quiz, new_system
from tests.weeks import CUT_OFF, WEEK, run_batch

pytestmark = [pytest.mark.redteam, pytest.mark.django_db]

HOUR = dt.timedelta(hours=1)
ACCOUNTS, CUT_OFFS, ATTACKED = 24, 3, 400
RIGHT = np.array([label == "yes" for label in GOLD]).astype(np.intp)
PRINTED = re.compile(
    r"At most (\d+) answers are judged in the whole phase, (\d+) at a cut-off, .* a chance above (\d+) %"
)


@pytest.fixture
def phase(sync, gold_keys, monkeypatch) -> Phase:
    """With the same halves and noise in every run of the tests."""
    monkeypatch.setattr("submissions.intake.sealing.random_bytes", lambda size: bytes([7] * size))
    return make_quiz(sync, "protected")


def hand_in(answers: Mapping[System, Labels], at: dt.datetime) -> None:
    """Each system's answer, sent by its team's member."""
    for system, answer in answers.items():
        data = as_file("yes" if label else "no" for label in answer)
        fields = {
            "system": str(system.pk),
            "phase": "quiz/main",
            "file": SimpleUploadedFile("quiz.csv", data),
        }
        with time_machine.travel(at, tick=False):
            client = client_of(system.team.members.get())
            taken = client.post("/api/v1/submissions/", fields, format="multipart")
        assert taken.status_code == 201, taken.content


def board_at(cut_off: dt.datetime) -> dict[str, float]:
    """What anybody reads of the board after a cut-off, by system."""
    with time_machine.travel(cut_off, tick=False):
        run_batch(cut_off)
        rows = Client().get("/benchmarks/quiz/tasks/quiz.json").json()["rows"]
    return {row["system"]: row["cells"]["quiz"]["value"] for row in rows}


def items(part: str) -> Mask:
    """Whether each question belongs to a part, by its number."""
    version = GoldVersion.objects.get()
    found = items_of_part(part, version.pk)
    assert found is not None
    by_number = np.zeros(ITEMS, dtype=np.bool_)
    by_number[[int(item.removeprefix("q")) for item in opened_version(version.pk)[1].ids]] = found
    return by_number


def test_what_an_attackers_accounts_are_told_stays_within_what_the_page_prints(phase, client):
    refresh_stale()
    printed = PRINTED.search(text_of(client.get("/benchmarks/quiz/tasks/quiz/")))
    assert printed
    budget, at_a_cut_off, bound = map(int, printed.groups())
    random = np.random.default_rng(24)
    targets = random.permutation(ITEMS)[:ATTACKED]
    sent = {}
    for at in range(ACCOUNTS):
        sent[new_system(f"Tree{at}")] = answer = RIGHT.copy()
        answer[targets] = random.integers(2, size=ATTACKED)
    hand_in(sent, CUT_OFF - HOUR)

    shown: dict[str, float] = {}
    for week in range(CUT_OFFS):
        shown = board_at(CUT_OFF + week * WEEK)
        assert len(shown) == JudgedAnswer.objects.count() == min(ACCOUNTS, (week + 1) * at_a_cut_off)

    asked = {system.name: np.where(answer[targets] > 0, 1.0, -1.0) for system, answer in sent.items()}
    worth = np.array([*shown.values()]) - np.mean([*shown.values()])
    is_right = (worth @ np.array([asked[name] for name in shown]) > 0) == RIGHT[targets]
    displayed, kept = items(DISPLAYED)[targets], items(REMAINDER)[targets]
    assert len(shown) < budget
    assert 0.5 < is_right[displayed].mean() <= bound / 100
    assert is_right[kept].mean() == pytest.approx(0.5, abs=3 * 0.5 / kept.sum() ** 0.5)


def test_a_month_of_honest_teams_climbs_and_ends_with_the_order_of_their_scores(phase):
    """Six teams, four and a half points apart, gain a point a week, and answer five items in a hundred anew."""
    random = np.random.default_rng(30)
    teams = [new_system(name) for name in ("Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir")]
    luck = {team: random.random(ITEMS) for team in teams}
    boards: list[dict[str, float]] = []
    weeks: list[dict[System, Labels]] = []
    for week in range(4):
        answers: dict[System, Labels] = {}
        for at, team in enumerate(teams):
            fresh = random.random(ITEMS) < 0.05
            luck[team][fresh] = random.random(int(fresh.sum()))
            answers[team] = np.where(luck[team] < 0.60 + 0.045 * at + 0.01 * week, RIGHT, 1 - RIGHT)
        weeks.append(answers)
        hand_in(answers, CUT_OFF + week * WEEK - HOUR)
        boards.append(board_at(CUT_OFF + week * WEEK))

    displayed, kept = items(DISPLAYED), items(REMAINDER)
    names = [team.name for team in teams]
    for team, answer in weeks[-1].items():
        numbers = [board[team.name] for board in boards]
        assert numbers == sorted(numbers)
        assert numbers[-1] == pytest.approx((answer == RIGHT)[displayed].mean(), abs=0.035)
    assert sorted(names, key=lambda name: boards[-1][name]) == names
    # A team gains three points in the month; a row shows that unless its first number was lucky.
    assert sum(boards[-1][name] > boards[0][name] for name in names) >= 5

    end_now(CUT_OFF + 4 * WEEK)
    final = board_at(CUT_OFF + 4 * WEEK)
    assert sorted(names, key=lambda name: final[name]) == names
    for team in teams:
        exact = [float((answers[team] == RIGHT)[kept].mean()) for answers in weeks]
        assert min(abs(final[team.name] - score) for score in exact) < 1e-4
