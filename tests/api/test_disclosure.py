"""The API says which rule shows less than exact scores, and gives nothing beside what the rule shows."""

import datetime as dt

import pytest
from rest_framework.test import APIClient

from tests.quiz import make_quiz, new_system, send
from tests.weeks import CUT_OFF, run_batch

HOUR = dt.timedelta(hours=1)


def test_a_phase_names_its_rule(sync, gold_keys, anyone):
    make_quiz(sync, "precision, digits: 3, remainder: 0.3")
    (phase,) = anyone.get("/api/v1/benchmarks/quiz/").json()["phases"]
    assert (phase["disclosure"], phase["remainder"]) == ("precision 3", 0.3)


def test_a_phase_without_a_rule_is_exact(anyone, toy):
    (phase,) = anyone.get("/api/v1/benchmarks/toy/").json()["phases"]
    assert (phase["disclosure"], phase["remainder"]) == ("exact", 0.0)


@pytest.mark.parametrize(("rule", "told"), [("sparing", ("sparing", True)), ("exact", ("", False))])
def test_a_published_score_says_by_which_rule_it_is_shown(sync, gold_keys, rule, told):
    phase = make_quiz(sync, rule)
    larch = send(new_system("Larch"), phase, range(313), at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)
    api = APIClient()
    api.force_authenticate(larch.submitted_by)

    (score,) = api.get(f"/api/v1/submissions/{larch.pk}/").json()["scores"]

    assert (score["disclosure"], score["ci_low"] is None) == told
    assert (score["value"] == 0.687) is (rule == "exact")
