"""Where the database or the disk fails, people and programs are told so, and when to come again."""

import errno
from base64 import b64encode
from pathlib import Path

import psycopg
import pytest
from django.db import DatabaseError, InternalError, OperationalError, connection, transaction
from django.test import Client

from config.http.faults import fault_of
from submissions.models import Submission
from tests.api.conftest import UPLOADS, upload_form
from tests.settings import SHIPPED_COUNTS


@pytest.fixture
def read_only(api):
    """What a database answers that takes no more writes, as one that was taken over by another."""
    statement = "PRAGMA query_only = " if connection.vendor == "sqlite" else "SET transaction_read_only = "

    def switch(value: str) -> None:
        with connection.cursor() as cursor:
            cursor.execute(statement + value)

    with transaction.atomic():
        switch("on")
        yield
        if connection.vendor == "sqlite":
            switch("off")
        transaction.set_rollback(True)


@pytest.mark.postgres
def test_database_that_takes_no_writes_is_told_with_when_to_come_again(api, system, phase, read_only):
    answer = api.post(UPLOADS, upload_form(system))
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
    assert int(answer["Retry-After"]) > 0
    assert "one submission" in answer.json()["detail"]


@pytest.mark.postgres
@pytest.mark.parametrize("path", ["/accounts/login/", "/accounts/signup/", "/accounts/password/reset/"])
def test_nobody_is_told_of_too_many_attempts_because_none_can_be_counted(path, owner, settings, read_only):
    settings.CACHES = settings.CACHES | {"default": SHIPPED_COUNTS}
    client = Client(raise_request_exception=False)
    filled_in = {
        "login": owner.email,
        "email": "new@example.org",
        "password": "wrong",
        "password1": "long-enough-words",
    }
    answer = client.post(path, filled_in)
    assert answer.status_code == 503
    assert int(answer["Retry-After"]) > 0
    assert "does not take part at this moment" in answer.content.decode()


@pytest.mark.postgres
def test_a_program_that_signs_in_is_told_so_too(owner, settings, read_only):
    settings.CACHES = settings.CACHES | {"default": SHIPPED_COUNTS}
    words = b64encode(f"{owner.email}:wrong".encode()).decode()
    client = Client(raise_request_exception=False, headers={"Authorization": f"Basic {words}"})
    answer = client.post("/api/v1/auth/login/", {"name": "laptop"})
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")


def test_page_of_a_database_that_is_away_asks_nothing_of_it(db):
    client = Client(raise_request_exception=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(connection, "cursor", _broken)
        answer = client.get("/benchmarks/none/none/")
    assert answer.status_code == 503
    assert int(answer["Retry-After"]) > 0
    assert "does not take part at this moment" in answer.content.decode()


def _broken(*_: object, **__: object) -> None:
    raise OperationalError("connection refused")


@pytest.mark.parametrize(
    ("kind", "cause"),
    [
        (OperationalError, psycopg.errors.LockNotAvailable),
        (OperationalError, psycopg.errors.QueryCanceled),
        (InternalError, psycopg.errors.IdleInTransactionSessionTimeout),
    ],
)
def test_each_limit_of_postgresql_is_told_as_a_database_that_is_away(
    kind: type[DatabaseError], cause: type[psycopg.Error]
):
    error = kind("canary")
    error.__cause__ = cause("canary")
    fault = fault_of(error)
    assert fault is not None
    assert (fault.status, fault.code, fault.again > 0) == (503, "unavailable", True)


def test_disk_without_room_is_told_and_nothing_is_counted(api, system, phase, monkeypatch):
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("django.core.files.storage.FileSystemStorage._save", full)
    answer = api.post(UPLOADS, upload_form(system))
    assert (answer.status_code, answer.json()["code"]) == (507, "no_room")
    assert int(answer["Retry-After"]) > 0
    monkeypatch.undo()
    assert not Submission.objects.filter(status="accepted").exists()
    assert api.post(UPLOADS, upload_form(system)).status_code == 201


def test_database_without_room_is_told_and_leaves_no_file(api, system, phase, settings, monkeypatch):
    def full(*_: object) -> None:
        raise OperationalError("database or disk is full")

    monkeypatch.setattr("submissions.services._store_predictions", full)
    answer = api.post(UPLOADS, upload_form(system))
    assert (answer.status_code, answer.json()["code"]) == (507, "no_room")
    assert [path for path in Path(settings.MEDIA_ROOT).rglob("*") if path.is_file()] == []
    monkeypatch.undo()
    assert api.post(UPLOADS, upload_form(system)).status_code == 201


def test_fault_of_our_own_stays_one(api, system, phase, monkeypatch):
    def fail(**_: object) -> None:
        raise OSError(errno.ENOENT, "canary-7f3a")

    monkeypatch.setattr("submissions.api.views.submit_predictions", fail)
    answer = api.post(UPLOADS, upload_form(system))
    assert (answer.status_code, answer.json()["code"]) == (500, "server_error")
