"""Clients of the API, and a submission on its way."""

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from accounts.models import ApiToken, User
from leaderboard.publication.services import publish_ready
from scoring.queue.batches import close_due, finish_batches
from scoring.queue.runs import score_all_due
from submissions.models import Submission
from submissions.services import PredictionUpload, submit_predictions
from tests.conftest import NOW
from tests.uploads import toy_zip

CUT_OFF = dt.datetime(2026, 11, 23, tzinfo=dt.UTC)
UPLOADS = "/api/v1/submissions/"


def client_of(user: User | None) -> APIClient:
    """A client with the person's token; without one for None. A 500 is answered, not raised."""
    client = APIClient(raise_request_exception=False)
    if user is not None:
        _, token = ApiToken.objects.create(user)
        client.credentials(HTTP_AUTHORIZATION=f"Token {token}")
    return client


@pytest.fixture
def api(owner: User) -> APIClient:
    """The owner's client."""
    return client_of(owner)


@pytest.fixture
def anyone(db: None) -> APIClient:
    """A client without a token."""
    return client_of(None)


@pytest.fixture
def submission(system: Any, phase: Any, owner: User) -> Submission:
    """An accepted upload of the owner's."""
    receipt = submit_predictions(
        PredictionUpload(
            system=system, phase=phase, user=owner, data=toy_zip(), file_name="larch.zip", received_at=NOW
        )
    )
    return receipt.submission


@pytest.fixture
def score_all() -> Callable[[], None]:
    """Close the cut-off after NOW and score what it took in; nothing is published."""

    def _score_all() -> None:
        close_due(CUT_OFF)
        score_all_due(CUT_OFF)
        finish_batches(CUT_OFF)

    return _score_all


@pytest.fixture
def publish(score_all: Callable[[], None]) -> Callable[[], None]:
    """As `score_all`, and publish the release."""

    def _publish() -> None:
        score_all()
        publish_ready(CUT_OFF)

    return _publish


def upload_form(of: Any, /, data: Any = None, name: Any = "larch.zip", **fields: Any) -> dict[str, Any]:
    """The fields of an upload of a system to toy/main; a field given as None is left out."""
    file = SimpleUploadedFile(name, toy_zip() if data is None else data)
    form = {"phase": "toy/main", "system": str(of.pk), "file": file, **fields}
    return {key: value for key, value in form.items() if value is not None}


def content(answer: Any) -> bytes:
    """The whole body; a file is read to its end, which closes it."""
    return b"".join(answer.streaming_content) if answer.streaming else bytes(answer.content)
