"""From upload to release through the services, on a toy benchmark."""

import datetime as dt
import json

import pytest

from leaderboard.models import Page, Release
from leaderboard.publication.services import publish_ready
from scoring.queue.batches import close_due, finish_batches
from scoring.queue.runs import score_all_due
from submissions.services import PredictionUpload, submit_predictions
from tests.conftest import NOW
from tests.uploads import toy_zip

pytestmark = pytest.mark.postgres

CUT_OFF = dt.datetime(2026, 11, 23, tzinfo=dt.UTC)


def run_batch(now: dt.datetime) -> None:
    close_due(now)
    score_all_due(now)
    finish_batches(now)
    publish_ready(now)


def test_upload_reaches_the_board_after_the_cut_off(system, phase, owner):
    submit_predictions(
        PredictionUpload(
            system=system, phase=phase, user=owner, data=toy_zip(), file_name="larch.zip", received_at=NOW
        )
    )

    run_batch(CUT_OFF)

    board = json.loads(bytes(Page.objects.get(pk="/benchmarks/toy.json").body))
    assert board["release"] == 1
    larch = next(row for row in board["rows"] if row["system"] == "Larch")
    assert larch["rank"] == 1
    assert larch["cells"]["overall"]["value"] == 1.0


def test_nothing_is_published_before_the_cut_off(system, phase, owner):
    submit_predictions(
        PredictionUpload(
            system=system, phase=phase, user=owner, data=toy_zip(), file_name="larch.zip", received_at=NOW
        )
    )

    run_batch(CUT_OFF - dt.timedelta(seconds=1))

    assert not Release.objects.exists()
