"""The API says which rule a phase has, and gives nothing beside what the rule shows."""

import datetime as dt

import pytest
from rest_framework.test import APIClient

from catalogue.disclosure import RULES
from tests.quiz import ITEMS, make_quiz, new_system, send
from tests.weeks import CUT_OFF, run_batch

pytestmark = pytest.mark.thorough

HOUR = dt.timedelta(hours=1)


@pytest.mark.parametrize("rule", [rule.key for rule in RULES])
def test_a_phase_names_its_rule(sync, gold_keys, anyone, rule):
    make_quiz(sync, rule)
    (phase,) = anyone.get("/api/v1/benchmarks/quiz/").json()["phases"]
    assert phase["disclosure"] == rule
    assert "remainder" not in phase


def test_a_phase_without_a_rule_is_exact(anyone, toy):
    (phase,) = anyone.get("/api/v1/benchmarks/toy/").json()["phases"]
    assert phase["disclosure"] == "exact"


@pytest.fixture
def scores_under(sync, gold_keys):
    """What the API tells whoever sent an answer, after the first cut-off under a rule."""

    def _scores(rule: str) -> list[dict]:
        submission = send(new_system("Larch"), make_quiz(sync, rule), range(626), at=CUT_OFF - HOUR)
        run_batch(CUT_OFF)
        api = APIClient()
        api.force_authenticate(submission.submitted_by)
        found: list[dict] = api.get(f"/api/v1/submissions/{submission.pk}/").json()["scores"]
        return found

    return _scores


def test_an_exact_score_is_the_score_over_all_items(scores_under):
    (score,) = scores_under("exact")
    assert (score["disclosure"], score["value"]) == ("", (ITEMS - 626) / ITEMS)
    assert score["ci_low"] < score["value"] < score["ci_high"]


def test_an_open_score_is_exact_over_half_of_the_items(scores_under):
    (score,) = scores_under("open")
    assert score["disclosure"] == ""
    assert score["value"] == pytest.approx(0.687, abs=0.05)
    assert score["value"] == round(score["value"], 4)
    assert score["ci_low"] < score["value"] < score["ci_high"]


def test_a_protected_score_says_that_it_is_none_and_has_no_interval(scores_under):
    (score,) = scores_under("protected")
    assert (score["disclosure"], score["ci_low"], score["ci_high"]) == ("protected", None, None)
    assert score["value"] == pytest.approx(0.687, abs=0.1)


def test_a_sealed_phase_tells_nothing(scores_under):
    assert scores_under("sealed") == []
