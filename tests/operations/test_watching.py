"""Whoever watches the server is told whether it lives, is ready, and how it stands; operators are written to once."""

import datetime as dt
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import call_command
from django.db import OperationalError, connection, transaction

from accounts.mail.outbox import Letter, put_in_post, send_due
from accounts.models import Mail, MailKind, Sweep
from accounts.server.clock import database_now
from accounts.server.worker_rounds import note_round
from operations import jobs
from operations.models import Alert
from operations.rounds import BACKUP, DRILL, LATE_AFTER
from operations.scrubbing import DAYS, due_slices, scrub_and_tell
from operations.watching import readiness
from operations.watching.figures import figures
from operations.watching.probes import Probes
from operations.watching.readiness import Readiness
from operations.watching.troubles import watch_and_tell
from scoring.models import Batch, ScoringRun
from submissions.models import Submission
from tests.conftest import the_owner, the_system, the_toy
from tests.weeks import CUT_OFF, ONE_WRONG, run_batch, upload

pytestmark = pytest.mark.postgres
HOUR = dt.timedelta(hours=1)


@pytest.fixture(scope="module")
def released(stage: None) -> None:
    upload(the_system(), the_toy().phases.get(), mood=ONE_WRONG)
    run_batch(CUT_OFF)


def asked(path: str, **environ: str) -> tuple[int, str]:
    """Status and text of an answer; asked from this machine unless told otherwise."""
    told: list[str] = []

    def behind(_environ: Any, _start: Any) -> list[bytes]:
        return [b"a page"]

    request = {"PATH_INFO": path, "REQUEST_METHOD": "GET", "REMOTE_ADDR": "127.0.0.1", **environ}
    body = b"".join(Probes(behind)(request, lambda status, headers: told.append(status)))
    return int(told[0][:3]) if told else 0, body.decode()


def test_it_lives_without_a_database(monkeypatch):
    # No fixture: the test may not touch a database.
    assert asked("/healthz") == (200, "alive\n")
    assert asked("/healthz", REQUEST_METHOD="HEAD") == (200, "")
    assert asked("/benchmarks/") == (0, "a page")
    assert asked("/healthz", REQUEST_METHOD="POST") == (0, "a page")


@pytest.fixture
def in_this_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test's database is seen by the thread of the test alone."""

    class Now:
        def __init__(self, call: Callable[[], tuple[str, ...]]) -> None:
            self._said = call()

        def result(self, _within: float) -> tuple[str, ...]:
            return self._said

    class InThisThread:
        def __init__(self, *_: Any, **__: Any) -> None: ...

        def submit(self, call: Callable[[], tuple[str, ...]]) -> Now:
            return Now(call)

    monkeypatch.setattr(readiness, "ThreadPoolExecutor", InThisThread)


def test_it_is_ready_where_all_is_well(db, in_this_thread):
    assert asked("/readyz") == (200, "ready\n")


def test_a_migration_that_is_not_applied_is_named(db, in_this_thread):
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'operations' AND name = '0001_initial'")
    status, said = asked("/readyz")
    assert status == 503
    assert (
        "migrations: 1 are not applied, the first is operations.0001_initial; run `manage.py migrate`."
        in said
    )


def test_a_database_that_is_away_is_named(db, in_this_thread, monkeypatch):
    def away() -> list[str]:
        raise OperationalError("secret host name")

    monkeypatch.setattr(readiness, "applied_migrations", away)
    status, said = asked("/readyz")
    assert (status, "database: OperationalError." in said, "secret" in said) == (503, True, False)


def test_a_database_that_hangs_is_not_waited_for(monkeypatch):
    asked_again = 0

    def hang() -> tuple[str, ...]:
        nonlocal asked_again
        asked_again += 1
        time.sleep(0.5)
        return ()

    monkeypatch.setattr(readiness, "problems_of_database", hang)
    monkeypatch.setattr(readiness, "WITHIN", 0.05)
    monkeypatch.setattr(readiness, "HELD", 0.0)
    ready = Readiness()
    said = [ready.problems() for _ in range(3)]
    assert said == [("database: no answer within 0 s.",)] * 3
    assert asked_again == 1


@pytest.mark.parametrize("kind", [ValueError, TimeoutError])
def test_a_question_that_fails_is_told_and_asked_anew(kind, monkeypatch):
    answers: list[Any] = [kind("secret host name"), ()]

    def ask() -> tuple[str, ...]:
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return tuple(answer)

    monkeypatch.setattr(readiness, "problems_of_database", tuple)
    monkeypatch.setattr(readiness, "problems_of_storage", ask)
    monkeypatch.setattr(readiness, "HELD", 0.0)
    ready = Readiness()
    assert ready.problems() == (f"storage: the question failed with {kind.__name__}; the log says more.",)
    assert ready.problems() == ()


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite is not told to take no writes")
def test_a_database_that_takes_no_writes_is_named(db, in_this_thread):
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET transaction_read_only = on")
        status, said = asked("/readyz")
        transaction.set_rollback(True)
    assert status == 503
    assert "database: it takes no writes" in said


@pytest.mark.parametrize(
    ("job", "work"), [(jobs.check_invariants, "check_and_tell"), (jobs.scrub, "scrub_and_tell")]
)
def test_a_long_round_takes_one_process_however_long_it_takes(job, work, db, monkeypatch):
    begun: list[object] = []

    def work_until_the_next_message(now: dt.datetime) -> None:
        begun.append(now)
        if len(begun) == 1:
            job()  # as another process does that is asked meanwhile

    monkeypatch.setattr(jobs, work, work_until_the_next_message)
    job()
    assert len(begun) == 1


def test_storage_that_cannot_be_written_is_named(db, in_this_thread, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "file"
    settings.MEDIA_ROOT.write_text("no folder")
    status, said = asked("/readyz")
    assert status == 503
    assert f"storage: {settings.MEDIA_ROOT} cannot be written" in said


def test_others_learn_of_which_part_it_is_and_no_path_or_host(db, in_this_thread, settings, tmp_path):
    settings.METRICS_TOKEN = "a-long-token"
    settings.MEDIA_ROOT = tmp_path / "file"
    settings.MEDIA_ROOT.write_text("no folder")
    assert asked("/readyz", HTTP_X_FORWARDED_FOR="192.0.2.7") == (503, "not ready\nstorage\n")
    assert asked("/readyz", REMOTE_ADDR="192.0.2.7") == (503, "not ready\nstorage\n")
    known = {"REMOTE_ADDR": "192.0.2.7", "HTTP_AUTHORIZATION": "Bearer a-long-token"}
    assert "cannot be written" in asked("/readyz", **known)[1]


def test_a_disk_that_is_almost_full_is_named(db, in_this_thread, monkeypatch):
    monkeypatch.setattr("submissions.uploads.storage.LEAST_FREE", 10**18)
    assert "GB are free where uploads are kept" in asked("/readyz")[1]


@pytest.mark.parametrize(
    ("environ", "status"),
    [
        ({}, 200),
        ({"REMOTE_ADDR": "::1"}, 200),
        ({"REMOTE_ADDR": "192.0.2.7"}, 403),
        ({"REMOTE_ADDR": ""}, 403),
        ({"HTTP_X_FORWARDED_FOR": "192.0.2.7"}, 403),
        ({"HTTP_FORWARDED": "for=192.0.2.7"}, 403),
        ({"REMOTE_ADDR": "192.0.2.7", "HTTP_AUTHORIZATION": "Bearer a-long-token"}, 200),
        ({"REMOTE_ADDR": "192.0.2.7", "HTTP_AUTHORIZATION": "Bearer another"}, 403),
        ({"REMOTE_ADDR": "192.0.2.7", "HTTP_AUTHORIZATION": "Bearer ä"}, 403),
    ],
)
def test_figures_are_told_to_this_machine_or_for_the_token(db, settings, environ, status):
    settings.METRICS_TOKEN = "a-long-token"
    assert asked("/metrics", **environ)[0] == status


def test_without_a_token_set_none_opens(db, settings):
    settings.METRICS_TOKEN = ""
    assert asked("/metrics", REMOTE_ADDR="192.0.2.7", HTTP_AUTHORIZATION="Bearer ")[0] == 403


def values(text: str) -> dict[str, float]:
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return {name: float(value) for name, _, value in (line.rpartition(" ") for line in lines)}


def test_figures_are_those_of_the_database(released, gold_keys, tmp_path, settings, staff):
    settings.BACKUPS = str(tmp_path)
    note_round(BACKUP, late_after=LATE_AFTER[BACKUP], took=2.5)
    Alert.objects.create(key="invariant:I4", said="", fingerprint="", count=3, since=CUT_OFF, told_at=CUT_OFF)
    letter = Letter(staff, "subject", "text")
    put_in_post(kind=MailKind.OPERATION, about="one", letters=[letter], now=CUT_OFF)
    found = values(asked("/metrics")[1])
    assert found['heldout_runs{state="done"}'] == 2
    assert found['heldout_runs{state="failed"}'] == 0
    assert found['heldout_invariant_violations{id="I4"}'] == 3
    assert found['heldout_invariant_violations{id="I1"}'] == 0
    assert found["heldout_mail_waiting"] == Mail.objects.filter(status="waiting").count() > 0
    assert 0 <= found["heldout_backup_age_seconds"] < 60
    assert found['heldout_sweep_duration_seconds{sweep="backup"}'] == 2.5
    assert "heldout_drill_age_seconds" not in found
    assert found['heldout_disk_free_bytes{volume="backups"}'] > 0
    assert any(name.startswith('heldout_build_info{commit="') for name in found)


@pytest.fixture
def mended(released: None, gold_keys: Any) -> dt.datetime:
    """An instant at which all is well."""
    return database_now()


def test_what_is_wrong_is_told_once_and_when_it_is_over(mended, staff, mailoutbox):
    send_due(mended)
    mailoutbox.clear()
    Batch.objects.update(status="scoring", closed_at=mended - HOUR)
    ScoringRun.objects.update(
        status="pending", created_at=mended - HOUR, lease_expires_at=None, deadline_at=mended + HOUR
    )
    for minute in range(3):
        assert watch_and_tell(mended + dt.timedelta(minutes=minute)) == 2
    ScoringRun.objects.update(status="done")
    Batch.objects.update(status="released")
    assert watch_and_tell(mended + HOUR) == 0
    send_due(mended + HOUR)
    assert [mail.subject.partition(": ")[2] for mail in mailoutbox] == [
        "server:scoring is wrong, and 1 more",
        "server:batch is over, and 1 more",
    ]
    for mail in mailoutbox:
        assert "more than ten minutes" in mail.body.replace("\n", " ")
        assert "more than half an hour" in mail.body.replace("\n", " ")


def late_round(now: dt.datetime) -> str:
    Sweep.objects.create(name="closing", seen_at=now - HOUR)
    return "round closing"


def late_backup(now: dt.datetime) -> str:
    Sweep.objects.create(name=BACKUP, seen_at=now - 27 * HOUR)
    Sweep.objects.create(name=DRILL, seen_at=now)
    return "backup"


def late_drill(now: dt.datetime) -> str:
    Sweep.objects.create(name=BACKUP, seen_at=now)
    Sweep.objects.create(name=DRILL, seen_at=now - dt.timedelta(days=9))
    return "drill"


def given_up(now: dt.datetime) -> str:
    put_in_post(kind=MailKind.FAILURE, about="x", letters=[Letter(the_owner(), "s", "t")], now=now)
    Mail.objects.update(status="failed")
    return "mail"


@pytest.mark.parametrize("harm", [late_round, late_backup, late_drill, given_up])
def test_each_trouble_is_named(mended, harm):
    name = harm(mended)
    watch_and_tell(mended)
    assert list(Alert.objects.values_list("key", flat=True)) == [f"server:{name}"]


def test_a_full_disk_is_told(mended, monkeypatch):
    monkeypatch.setattr("operations.watching.figures._disks", lambda: {"uploads": (10 * 10**9, 100 * 10**9)})
    watch_and_tell(mended)
    assert Alert.objects.get().said.startswith("Of the disk with uploads, 10.0 GB of 100.0 GB are free.")


def test_a_server_that_is_well_tells_nothing(mended):
    assert watch_and_tell(mended) == 0
    assert figures(mended).oldest_due is None


def test_the_first_page_of_the_admin_tells_superusers(mended, client, staff):
    client.force_login(staff)
    assert "No backup has been made yet" in client.get("/admin/").content.decode()
    note_round(BACKUP, late_after=LATE_AFTER[BACKUP])
    Alert.objects.create(
        key="server:x", said="It is <wrong>.", fingerprint="", since=CUT_OFF, told_at=CUT_OFF
    )
    page = client.get("/admin/").content.decode()
    assert "The last backup was made" in page
    assert "No backup has been restored yet to try it" in page
    assert "It is &lt;wrong&gt;." in page


def test_a_late_backup_is_no_late_worker(mended, client, staff):
    client.force_login(staff)
    Sweep.objects.create(name="closing", seen_at=database_now())
    late_backup(mended)
    assert client.get("/admin/").context["workers"].startswith("Workers were last seen at their rounds")


def test_scrub_finds_what_changed_and_removes_what_belongs_to_nobody(mended, settings, staff):
    name = str(Submission.objects.get().stored_file.name)
    for partial, is_old in (("killed.zip", True), ("young.zip", False)):
        default_storage.save(partial, ContentFile(b"PK"))
        if is_old:
            past = (mended - dt.timedelta(days=2)).timestamp()
            os.utime(default_storage.path(partial), (past, past))
    data = Path(default_storage.path(name)).read_bytes()
    os.unlink(default_storage.path(name))
    Path(default_storage.path(name)).write_bytes(data[:-1] + bytes([data[-1] ^ 1]))

    assert len(due_slices(mended)) == DAYS
    assert scrub_and_tell(mended) == 1
    assert not default_storage.exists("killed.zip")
    assert default_storage.exists("young.zip")
    assert "has the SHA-256" in Alert.objects.get(key="scrub:files").said

    note_round("scrub")
    assert len(due_slices(database_now())) == 0
    assert len(due_slices(database_now() + dt.timedelta(days=3))) == 3
    assert scrub_and_tell(mended) == 1  # as long as one is damaged, all are read
    Path(default_storage.path(name)).write_bytes(data)
    assert scrub_and_tell(mended) == 0
    assert not Alert.objects.filter(key="scrub:files").exists()
    call_command("scrub")
