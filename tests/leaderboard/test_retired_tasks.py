"""A task that the definition names no more holds up nothing else, and what was told of it is no error."""

import datetime as dt

import pytest

from benchmarks.models import Phase
from leaderboard.publication.paired_test_schedule import make_next_tests
from scoring.models import PairedTest, ScoringRun, ToldAnswer
from scoring.queue.batches import close_due
from scoring.queue.feedback import make_feedback_runs, tell_feedback
from scoring.queue.runs import score_all_due
from submissions.models import Submission
from tests.api.conftest import client_of
from tests.conftest import TOY_DEFINITION
from tests.pages import browser_of, text_of
from tests.quiz import new_system
from tests.weeks import CUT_OFF, ONE_WRONG, board, run_batch, status_of, systems_on, upload

pytestmark = pytest.mark.thorough

DAY = dt.timedelta(days=1)
SENT, MIDNIGHT = CUT_OFF - 2.5 * DAY, CUT_OFF - DAY
WITHOUT_COLOUR = "".join(
    line for line in TOY_DEFINITION.splitlines(keepends=True) if "id: colour" not in line
).replace(", colour: 0.7", "")


@pytest.fixture
def scored(system, phase) -> Submission:
    """Scored for daily feedback that is due, and not told yet."""
    Phase.objects.filter(pk=phase.pk).update(feedback=Phase.FeedbackMoment.DAILY)
    sent = upload(system, phase, at=SENT)
    make_feedback_runs(MIDNIGHT)
    score_all_due(MIDNIGHT)
    return sent


def test_feedback_is_told_of_what_the_definition_names(scored, sync):
    sync(WITHOUT_COLOUR)

    assert tell_feedback(MIDNIGHT) == 1
    assert ToldAnswer.objects.get().run.split.task.slug == "mood"


def test_who_was_told_of_it_reads_the_rest(scored, sync):
    assert tell_feedback(MIDNIGHT) == 2
    sync(WITHOUT_COLOUR)

    assert "Mood" in text_of(browser_of(scored.submitted_by).get(f"/submissions/{scored.pk}/"))
    answer = client_of(scored.submitted_by).get(f"/api/v1/submissions/{scored.pk}/").json()
    assert [one["task"] for one in answer["feedback"]] == ["mood"]


def test_a_batch_that_was_closed_before_is_scored_and_published(system, phase, sync):
    sent = upload(system, phase)
    close_due(CUT_OFF)
    sync(WITHOUT_COLOUR)

    run_batch(CUT_OFF)

    assert status_of(sent) == Submission.Status.PUBLISHED
    assert systems_on(board()) == ["Larch"]
    assert set(ScoringRun.objects.values_list("split__task__slug", "status")) == {
        ("mood", "done"),
        ("colour", "failed"),
    }


def test_systems_are_tested_on_the_others(system, phase, sync):
    upload(system, phase)
    upload(new_system("Oak"), phase, mood=ONE_WRONG, colour="red,red,red,red")
    run_batch(CUT_OFF)
    sync(WITHOUT_COLOUR)

    assert make_next_tests(CUT_OFF) == 1
    assert PairedTest.objects.get().first.split.task.slug == "mood"
