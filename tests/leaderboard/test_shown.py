"""What a team reads of a submission while a rule is in force: whether it moved a number, and never why it did not."""

import datetime as dt
import re

import pytest
from rest_framework.test import APIClient

from benchmarks.models import Phase
from submissions.models import Submission
from tests.pages import browser_of, text_of
from tests.post import sent
from tests.quiz import make_quiz, new_system, send
from tests.weeks import CUT_OFF, WEEK, run_batch

HOUR = dt.timedelta(hours=1)
NOT_MOVED = (
    "It did not move your number under the rule of the phase: either it is no better, or not clearly enough."
)
BY_RULE = "Its number is published as the rule of the phase shows it: it is no exact score."


@pytest.fixture
def sparing(sync, gold_keys) -> Phase:
    return make_quiz(sync, "sparing")


@pytest.fixture
def larch(sparing):
    system = new_system("Larch")
    send(system, sparing, range(300), at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)
    return system


def page(submission: Submission) -> str:
    return text_of(browser_of(submission.submitted_by).get(f"/submissions/{submission.pk}/"))


def told(submission: Submission) -> dict:
    api = APIClient()
    api.force_authenticate(submission.submitted_by)
    found: dict = api.get(f"/api/v1/submissions/{submission.pk}/").json()
    return found


def of_week(larch, sparing, wrong, week: int = 1) -> Submission:
    """A submission of that week, once its release is out."""
    submission = send(larch, sparing, wrong, at=CUT_OFF + (week - 1) * WEEK + HOUR)
    run_batch(CUT_OFF + week * WEEK)
    return submission


def test_a_number_that_is_shown_is_said_to_be_shown_by_the_rule(larch):
    first = Submission.objects.get()
    assert BY_RULE in page(first)
    assert "they are no exact scores. Exact scores follow with the last release." in page(first)
    assert told(first)["status_sentence"] == BY_RULE


def test_an_answer_that_is_no_better_and_one_that_is_not_clearly_better_read_the_same(larch, sparing):
    worse = of_week(larch, sparing, range(350))
    better = of_week(larch, sparing, range(298), week=2)

    assert NOT_MOVED in page(worse)
    assert told(worse)["scores"] == []
    own = re.compile(r"[0-9a-f]{64}|[0-9a-f-]{36}|csrf\S+ value=\S+|<time.*?</time>|[Rr]eleases?(/| )\d")
    worse_text, better_text = (own.sub("", page(one)) for one in (worse, better))
    assert worse_text == better_text
    for key in ("status", "status_sentence", "next_step", "scores"):
        assert told(worse)[key] == told(better)[key]


def test_a_clear_gain_moves_the_number(larch, sparing):
    assert BY_RULE in page(of_week(larch, sparing, range(200)))


def test_after_the_end_of_the_phase_scores_are_exact(larch, sparing):
    worse = of_week(larch, sparing, range(350))
    Phase.objects.update(closes_at=CUT_OFF + 2 * WEEK)
    best = of_week(larch, sparing, range(298), week=2)

    assert "Its scores are published." in page(best)
    assert ".702" in page(best)
    assert "another submission of this system counted in every task" in page(worse)
    assert "rule of the phase" not in page(best) + page(worse)


def test_lists_claim_nothing_that_they_do_not_know(larch):
    api = APIClient()
    api.force_authenticate(larch.team.members.get())
    (listed,) = api.get("/api/v1/submissions/").json()["results"]
    assert listed["status_sentence"] == "Its release is out."


def test_mail_says_that_a_release_is_under_a_rule(larch, sparing):
    (mail,) = sent()
    assert "a number moves on clear gains alone, and is no exact score" in " ".join(mail.body.split())


def test_mail_of_rounded_scores_says_so(sync, gold_keys):
    send(new_system("Larch"), make_quiz(sync, "precision, digits: 1"), range(313), at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)
    (mail,) = sent()
    assert "Scores are rounded while the phase runs." in mail.body
    assert ".700" in mail.body


def test_mail_of_exact_scores_says_nothing_of_rules(sync, gold_keys):
    send(new_system("Larch"), make_quiz(sync, "exact"), range(313), at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)
    (mail,) = sent()
    assert "rule" not in mail.body
    assert ".687" in mail.body
