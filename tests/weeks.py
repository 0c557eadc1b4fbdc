"""What happens in a week: uploads, a cut-off, scoring, a release; each with its instant given."""

import datetime as dt
import json
from typing import Any

from benchmarks.models import Phase
from leaderboard.models import Page
from leaderboard.publication.services import publish_ready
from scoring.queue.batches import close_due, finish_batches
from scoring.queue.feedback import tell_feedback
from scoring.queue.runs import score_all_due
from submissions.models import Submission, System
from submissions.services import PredictionUpload, submit_predictions
from tests.conftest import NOW
from tests.uploads import toy_zip

WEEK = dt.timedelta(days=7)
CUT_OFF = dt.datetime(2026, 11, 23, tzinfo=dt.UTC)
ALL_RIGHT = "good good bad bad good bad"
ONE_WRONG = "good good bad bad good good"
HALF_WRONG = "bad bad good bad good bad"


def upload(
    system: System, phase: Phase, *, mood: str = ALL_RIGHT, at: dt.datetime = NOW, **more: Any
) -> Submission:
    """A submission of the toy benchmark by the first member of the system's team."""
    user = system.team.members.order_by("pk").first()
    assert user is not None
    data = toy_zip(mood=mood, **more)
    receipt = submit_predictions(
        PredictionUpload(
            system=system, phase=phase, user=user, data=data, file_name="upload.zip", received_at=at
        )
    )
    return receipt.submission


def run_batch(now: dt.datetime) -> None:
    """What beat and workers do once a cut-off has come."""
    close_due(now)
    for _ in range(2):  # what was kept back is scored once the final answers are chosen
        score_all_due(now)
        finish_batches(now)
        tell_feedback(now)
    publish_ready(now)


def board(path: str = "/benchmarks/toy.json") -> dict[str, Any]:
    """A published board's JSON."""
    found: dict[str, Any] = json.loads(bytes(Page.objects.get(pk=path).body))
    return found


def systems_on(published: dict[str, Any]) -> list[str]:
    """The names of its systems, from the top."""
    return [row["system"] for row in published["rows"] if row["kind"] == "system"]


def row_of(published: dict[str, Any], system: str) -> dict[str, Any]:
    """One system's row."""
    found: dict[str, Any] = next(row for row in published["rows"] if row["system"] == system)
    return found


def status_of(submission: Submission) -> str:
    """Its status as it is now."""
    submission.refresh_from_db()
    return submission.status
