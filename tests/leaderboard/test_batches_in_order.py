"""A batch that waits for its organiser is published as it stood, whatever later batches have scored."""

import datetime as dt

import pytest

from benchmarks.models import Phase
from leaderboard.publication.batch_watch import watch_batches
from leaderboard.publication.services import publish
from scoring.models import Batch
from scoring.queue.batches import close_due, finish_batches
from scoring.queue.runs import score_all_due
from submissions.services import PredictionUpload, submit_predictions
from tests.conftest import NOW
from tests.uploads import toy_zip

pytestmark = pytest.mark.django_db

WEEK = dt.timedelta(days=7)
CUT_OFF = dt.datetime(2026, 11, 23, tzinfo=dt.UTC)
HALF_RIGHT = "good good bad good bad bad"


def test_a_waiting_batch_is_published_without_what_came_after_it(system, phase, owner):
    Phase.objects.update(publish_automatically=False)
    for week, mood in enumerate([HALF_RIGHT, "good good bad bad good bad"]):
        submit_predictions(
            PredictionUpload(
                system=system,
                phase=phase,
                user=owner,
                data=toy_zip(mood=mood),
                file_name="larch.zip",
                received_at=NOW + week * WEEK,
            )
        )
        close_due(CUT_OFF + week * WEEK)
        score_all_due(CUT_OFF + week * WEEK)
        finish_batches(CUT_OFF + week * WEEK)
        watch_batches(CUT_OFF + week * WEEK)

    first, second = (
        publish(batch=batch, now=CUT_OFF + 2 * WEEK) for batch in Batch.objects.order_by("cut_off_at")
    )

    def mood_of(release):
        (row,) = [row for row in release.boards["overall"]["rows"] if row["system"] == "Larch"]
        return row["cells"]["mood"]["value"]

    assert mood_of(first) < mood_of(second) == 1.0
