"""What a team reads of a submission while a rule is in force: whether it moved a number, and never why it did not."""

import datetime as dt
import re

import pytest
from rest_framework.test import APIClient

from benchmarks.models import Phase
from catalogue.disclosure import OpenHalf, Protected
from submissions.models import Submission
from tests.pages import browser_of, text_of
from tests.post import sent
from tests.quiz import end_now, make_quiz, new_system, send
from tests.weeks import CUT_OFF, WEEK, run_batch

pytestmark = pytest.mark.thorough

HOUR = dt.timedelta(hours=1)
NOT_MOVED = (
    "It did not move your number under the rule of the phase: it is no better, or not clearly enough, or it was not "
    "drawn yet and takes part in the next lot."
)
BY_RULE = "Its number is published as the rule of the phase shows it: it is no exact score."


@pytest.fixture
def protected(sync, gold_keys) -> Phase:
    return make_quiz(sync, "protected")


@pytest.fixture
def larch(protected):
    system = new_system("Larch")
    send(system, protected, range(600), at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)
    return system


def page(submission: Submission) -> str:
    return text_of(browser_of(submission.submitted_by).get(f"/submissions/{submission.pk}/"))


def told(submission: Submission) -> dict:
    api = APIClient()
    api.force_authenticate(submission.submitted_by)
    found: dict = api.get(f"/api/v1/submissions/{submission.pk}/").json()
    return found


def of_week(larch, protected, wrong, week: int = 1) -> Submission:
    """A submission of that week, once its release is out."""
    submission = send(larch, protected, wrong, at=CUT_OFF + (week - 1) * WEEK + HOUR)
    run_batch(CUT_OFF + week * WEEK)
    return submission


def test_a_number_that_is_shown_is_said_to_be_shown_by_the_rule(larch):
    first = Submission.objects.get()
    assert BY_RULE in page(first)
    assert "they are no exact scores. Exact scores follow when the phase closes." in page(first)
    assert told(first)["status_sentence"] == BY_RULE


def test_answers_that_are_worse_and_much_worse_read_the_same(larch, protected):
    worse = of_week(larch, protected, range(800))
    much_worse = of_week(larch, protected, range(1_000), week=2)

    assert NOT_MOVED in page(worse)
    assert told(worse)["scores"] == []
    own = re.compile(r"[0-9a-f]{64}|[0-9a-f-]{36}|csrf\S+ value=\S+|<time.*?</time>|[Rr]eleases?(/| )\d")
    texts = [own.sub("", page(one)) for one in (worse, much_worse)]
    assert texts[0] == texts[1]
    for key in ("status", "status_sentence", "next_step", "scores"):
        assert told(worse)[key] == told(much_worse)[key]


def test_a_clear_gain_moves_the_number(larch, protected):
    assert BY_RULE in page(of_week(larch, protected, range(100)))


def test_an_answer_that_was_not_drawn_is_not_called_scored(larch, protected):
    """Each week a few answers are judged, and other teams come first."""
    for at in range(8):
        send(new_system(f"Tree{at}"), protected, range(at, 600), at=CUT_OFF + HOUR)
    undrawn = [send(larch, protected, range(at, 500), at=CUT_OFF + HOUR) for at in range(3)]
    run_batch(CUT_OFF + WEEK)

    unscored = [one for one in undrawn if not one.runs.exists()]
    assert unscored
    for submission in unscored:
        assert NOT_MOVED in page(submission)


def test_after_the_end_of_the_phase_scores_are_exact(larch, protected):
    worse = of_week(larch, protected, range(1_000))
    end_now(CUT_OFF + 2 * WEEK)
    best = of_week(larch, protected, range(100), week=2)

    (score,) = told(best)["scores"]
    assert score["ci_low"] < score["value"] == pytest.approx(0.95, abs=0.03)
    assert "Its scores are published." in page(best)
    assert "Its release is out, and none of its scores counts there." in page(worse)
    assert "Its scores are published." not in page(worse)
    assert "another submission of this system counted in every task" in page(worse)
    assert "rule of the phase" not in page(best) + page(worse)


def test_lists_claim_nothing_that_they_do_not_know(larch):
    api = APIClient()
    api.force_authenticate(larch.team.members.get())
    (listed,) = api.get("/api/v1/submissions/").json()["results"]
    assert listed["status_sentence"] == "Its release is out."


def test_mail_says_that_numbers_are_provisional_and_carry_noise(larch):
    (mail,) = sent()
    assert Protected.texts.in_mail in " ".join(mail.body.split())


def test_mail_of_an_open_phase_says_that_its_scores_are_provisional(sync, gold_keys):
    send(new_system("Larch"), make_quiz(sync, "open"), range(626), at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)
    (mail,) = sent()
    assert OpenHalf.texts.in_mail in " ".join(mail.body.split())


def test_mail_of_exact_scores_says_nothing_of_rules(sync, gold_keys):
    send(new_system("Larch"), make_quiz(sync, "exact"), range(626), at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)
    (mail,) = sent()
    assert "provisional" not in mail.body
    assert ".687" in mail.body
