"""Uploads that are under way while a phase closes, over HTTP: they count by the instant their request began."""

import datetime as dt
import http.client
import time
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.test import Client

from accounts.models import ApiToken, User
from accounts.server import clock
from benchmarks.models import Phase
from leaderboard.models import Release
from scoring.queue.batches import close_due
from submissions.models import Submission, System
from tests.api.conftest import client_of, upload_form
from tests.conftest import NOW
from tests.pages import browser_of, text_of
from tests.uploads import toy_zip
from tests.weeks import board, row_of, run_batch, status_of

pytestmark = pytest.mark.postgres

CLOSE = NOW + dt.timedelta(hours=1)
SECOND = dt.timedelta(seconds=1)
WAYS = ["form", "api"]


@pytest.fixture
def closing(phase: Phase) -> Phase:
    """A phase without a weekday: its one cut-off is its close."""
    phase.weekday, phase.closes_at, phase.next_cut_off_at = None, CLOSE, CLOSE
    phase.save()
    return phase


def send(way: str, owner: User, system: System) -> Any:
    form = upload_form(system)
    return browser_of(owner).post("/submit/", form) if way == "form" else client_of(owner).post(
        "/api/v1/submissions/", form
    )  # fmt: skip


def at(monkeypatch: pytest.MonkeyPatch, begun: dt.datetime, later: dt.datetime) -> None:
    """The database's clock: a request begins at one instant, and all else in it happens at another."""
    instants = iter([begun])
    monkeypatch.setattr("accounts.server.clock.database_now", lambda: next(instants, later))


@pytest.mark.parametrize("way", WAYS)
def test_upload_begun_before_the_close_and_ended_after_it_counts(way, owner, system, closing, monkeypatch):
    at(monkeypatch, CLOSE - SECOND, CLOSE + dt.timedelta(minutes=30))
    answer = send(way, owner, system)
    submission = Submission.objects.get()
    assert answer.status_code in (201, 302)
    assert (submission.received_at, submission.cut_off_at) == (CLOSE - SECOND, CLOSE)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("after", [dt.timedelta(0), SECOND])
def test_upload_begun_at_the_close_or_later_is_refused(way, after, owner, system, closing, monkeypatch):
    at(monkeypatch, CLOSE + after, CLOSE + after)
    answer = send(way, owner, system)
    assert answer.status_code == 403
    assert "closed on Wed 18 Nov 2026 at 13:00 UTC" in text_of(answer)
    assert not Submission.objects.exists()


@pytest.mark.parametrize("way", WAYS)
def test_upload_that_ends_after_the_batch_was_closed_is_still_published(
    way, owner, system, closing, monkeypatch
):
    close_due(CLOSE)
    at(monkeypatch, CLOSE - SECOND, CLOSE + SECOND)
    send(way, owner, system)

    run_batch(CLOSE + 10 * SECOND)

    assert status_of(Submission.objects.get()) == "published"
    assert row_of(board(), "Larch")["cells"]["overall"]["value"] == 1.0
    assert Release.objects.count() == 1


def test_nothing_is_closed_again_while_nothing_comes_late(system, closing):
    close_due(CLOSE)
    assert close_due(CLOSE + SECOND) == []


class SlowUpload:
    """A POST of which the body arrives in two halves."""

    def __init__(self, url: str, path: str, form: dict[str, str], headers: dict[str, str]) -> None:
        self._body = self._multipart(form)
        self._connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=30)
        self._connection.putrequest("POST", path)
        sizes = {"Content-Length": str(len(self._body)), "Content-Type": "multipart/form-data; boundary=part"}
        for name, value in (headers | sizes).items():
            self._connection.putheader(name, value)
        self._connection.endheaders(self._body[: len(self._body) // 2])

    def finish(self) -> int:
        """Send the rest; the answer's status."""
        self._connection.send(self._body[len(self._body) // 2 :])
        try:
            return self._connection.getresponse().status
        finally:
            self._connection.close()

    @staticmethod
    def _multipart(form: dict[str, str]) -> bytes:
        fields = [
            f'--part\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{form[name]}\r\n'
            for name in form
        ]
        head = '--part\r\nContent-Disposition: form-data; name="file"; filename="larch.zip"\r\n\r\n'
        return "".join(fields).encode() + head.encode() + toy_zip() + b"\r\n--part--\r\n"


def credentials(way: str, owner: User) -> dict[str, str]:
    if way == "api":
        return {"Authorization": f"Token {ApiToken.objects.create(owner)[1]}"}
    browser = Client()
    browser.force_login(owner)
    browser.get("/submit/")
    cookies = "; ".join(f"{name}={cookie.value}" for name, cookie in browser.cookies.items())
    return {"Cookie": cookies, "X-CSRFToken": browser.cookies[settings.CSRF_COOKIE_NAME].value}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("way", WAYS)
def test_upload_whose_body_is_still_coming_at_the_close_counts(
    way, live_server, owner, system, phase, monkeypatch
):
    begun: list[dt.datetime] = []
    database_now = clock.database_now

    def noted() -> dt.datetime:
        begun.append(database_now())
        return begun[-1]

    monkeypatch.setattr("accounts.server.clock.database_now", noted)
    path = "/submit/" if way == "form" else "/api/v1/submissions/"
    form = {"phase": "toy/main", "system": str(system.pk)}
    headers = credentials(way, owner)
    begun.clear()
    upload = SlowUpload(live_server.url, path, form, headers)
    while not begun:  # until the server has begun with the request
        time.sleep(0.01)
    closes_at = database_now()
    Phase.objects.update(closes_at=closes_at)

    assert upload.finish() in (201, 302)
    assert Submission.objects.get().received_at == begun[0] < closes_at
