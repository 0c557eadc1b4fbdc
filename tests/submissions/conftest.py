"""Browsers of participants, and submissions on their way."""

import datetime as dt
from collections.abc import Callable

import pytest
from django.test import Client

from accounts.models import User
from benchmarks.models import Phase
from leaderboard.publication.services import publish_ready
from scoring.queue.batches import close_due, finish_batches
from scoring.queue.runs import score_all_due
from submissions.models import Submission, System
from submissions.services import PredictionUpload, submit_predictions
from tests.conftest import NOW
from tests.pages import browser_of
from tests.uploads import toy_zip

CUT_OFF = dt.datetime(2026, 11, 23, tzinfo=dt.UTC)


@pytest.fixture(autouse=True)
def set_clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[dt.datetime], None]:
    """Sets the database's clock; every test begins at NOW."""

    def _set(instant: dt.datetime) -> None:
        monkeypatch.setattr("accounts.server.clock.database_now", lambda: instant)

    _set(NOW)
    return _set


@pytest.fixture
def browser(owner: User) -> Client:
    """The owner's browser."""
    return browser_of(owner)


@pytest.fixture
def submission(system: System, phase: Phase, owner: User) -> Submission:
    """An accepted upload of the owner's."""
    receipt = submit_predictions(
        PredictionUpload(
            system=system, phase=phase, user=owner, data=toy_zip(), file_name="larch.zip", received_at=NOW
        )
    )
    return receipt.submission


@pytest.fixture
def score(set_clock: Callable[[dt.datetime], None]) -> Callable[[], None]:
    """Close the cut-off after NOW and score what it took in; nothing is published."""

    def _score() -> None:
        close_due(CUT_OFF)
        score_all_due(CUT_OFF)
        finish_batches(CUT_OFF)
        set_clock(CUT_OFF)

    return _score


@pytest.fixture
def publish(score: Callable[[], None]) -> Callable[[], None]:
    """As `score`, and publish the release."""

    def _publish() -> None:
        score()
        publish_ready(CUT_OFF)

    return _publish
