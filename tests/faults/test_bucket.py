"""Uploads in a bucket: whatever its store does, what was accepted is there once and whole; the rest is told."""

import datetime as dt
from collections.abc import Iterator
from typing import Any

import pytest
from botocore.config import Config
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import call_command
from django.core.management.base import CommandError

from accounts.server.clock import database_now
from config.uploads import upload_storages
from operations.backups.uploads import copy_in, copy_out
from operations.checking import check
from operations.models import Alert
from operations.scrubbing import remove_orphans, scrub, scrub_and_tell
from operations.stored_files import kept_files
from operations.watching.readiness import problems_of_storage
from operations.watching.troubles import watch_and_tell
from submissions.models import Submission
from submissions.uploads import bucket as module
from submissions.uploads.storage import StorageAway
from tests.api.conftest import UPLOADS, client_of, content, upload_form
from tests.faults.store import BUCKET, Between, Fault, Store, address
from tests.uploads import toy_zip
from tests.weeks import run_batch

pytestmark = [pytest.mark.faults, pytest.mark.django_db]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    running = Store(tmp_path_factory.mktemp("s3") / "store")
    yield running
    running.stop()


@pytest.fixture
def between(store: Store, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Between]:
    """This server's uploads are in an empty bucket, and there is somebody on the way to it."""
    store.empty()
    way = Between(store.port)
    quick = module._PATIENCE.merge(Config(connect_timeout=1, read_timeout=1))
    monkeypatch.setattr(module, "_PATIENCE", quick)
    settings.STORAGES = settings.STORAGES | upload_storages(address(way.server_port))
    yield way
    way.stop()


@pytest.fixture
def api(between: Between, owner: Any) -> Any:
    return client_of(owner)


def zips(count: int) -> list[bytes]:
    labels = [" ".join("good" if number >> bit & 1 else "bad" for bit in range(6)) for number in range(count)]
    return [toy_zip(mood=mood) for mood in labels]


def test_upload_is_an_object_that_is_given_back_scored_and_published(api, between, store, system, phase):
    sent = toy_zip()
    answer = api.post(UPLOADS, upload_form(system, sent))
    assert answer.status_code == 201
    submission = Submission.objects.get()
    assert store.names() == [f"{submission.pk}.zip"]
    assert store.read(f"{submission.pk}.zip") == sent
    assert content(api.get(f"{answer['Location']}file/")) == sent
    run_batch(submission.cut_off_at)
    assert api.get(answer["Location"]).json()["status"] == "published"
    assert not [found for _, found in check(database_now(), thoroughly=True) if found]


def test_it_is_never_stored_over_another(between, store):
    default_storage.save("one.zip", ContentFile(b"PK one"))
    assert default_storage.save("one.zip", ContentFile(b"PK one")) == "one.zip"  # as when an answer was lost
    with pytest.raises(StorageAway, match=r"holds other bytes as one\.zip"):
        default_storage.save("one.zip", ContentFile(b"PK two"))
    assert store.read("one.zip") == b"PK one"


ACCEPTED = [
    {"PUT": [Fault.SLOW], "GET": [Fault.SLOW]},
    {"PUT": [Fault.CUT_BEFORE]},
    {"PUT": [Fault.CUT_AFTER]},
    {"PUT": [Fault.UNAVAILABLE]},
    {"PUT": [Fault.HANGS]},
    {"GET": [Fault.CUT_AFTER]},
    {"GET": [Fault.UNAVAILABLE]},
]
REFUSED = [
    {"PUT": [Fault.CUT_BEFORE] * 2},
    {"PUT": [Fault.CUT_AFTER, Fault.CUT_BEFORE]},  # it is stored, and nobody is told so
    {"PUT": [Fault.UNAVAILABLE] * 2},
    {"PUT": [Fault.HANGS] * 2},
    {"PUT": [Fault.WRONG_SENT]},
    {"GET": [Fault.WRONG_ANSWERED]},
    {"GET": [Fault.UNAVAILABLE] * 2},
    {"PUT": [Fault.UNNAMED]},
    {"GET": [Fault.UNNAMED]},
    {"GET": [Fault.PAGE]},
    {"GET": [Fault.MISSING]},
]


def named(faults: dict[str, list[Fault]]) -> str:
    return "-".join(f"{method}-{'-'.join(one.name for one in line)}" for method, line in faults.items())


@pytest.mark.parametrize("faults", ACCEPTED, ids=named)
def test_fault_that_passes_costs_no_upload_and_makes_none_twice(faults, api, between, store, system, phase):
    wanted = sum(map(len, faults.values()))
    between.faults = {method: list(line) for method, line in faults.items()}
    assert api.post(UPLOADS, upload_form(system)).status_code == 201
    assert len(between.met) == wanted
    assert store.read(str(Submission.objects.get().stored_file.name)) == toy_zip()
    assert len(store.names()) == 1


@pytest.mark.parametrize("faults", REFUSED, ids=named)
def test_fault_that_stays_is_told_and_the_same_file_is_taken_afterwards(
    faults, api, between, store, system, phase
):
    between.faults = {method: list(line) for method, line in faults.items()}
    answer = api.post(UPLOADS, upload_form(system))
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
    assert int(answer["Retry-After"]) > 0
    assert "keeps uploads" in answer.json()["detail"]
    assert not Submission.objects.exists()
    assert not any(between.faults.values())
    assert api.post(UPLOADS, upload_form(system)).status_code == 201
    assert store.read(str(Submission.objects.get().stored_file.name)) == toy_zip()
    # What was stored of the refused one belongs to nobody, and goes once it is a day old.
    remove_orphans(database_now() + dt.timedelta(days=2))
    assert store.names() == [Submission.objects.get().stored_file.name]


def test_file_that_is_read_comes_whole_or_is_refused(api, between, system, phase):
    where = api.post(UPLOADS, upload_form(system)).headers["Location"]
    between.faults = {"GET": [Fault.CUT_AFTER] * 2}
    assert content(api.get(f"{where}file/")) == toy_zip()
    between.faults = {"GET": [Fault.CUT_AFTER] * 20}
    assert api.get(f"{where}file/").status_code == 503
    between.faults = {}
    assert content(api.get(f"{where}file/")) == toy_zip()


def test_scrub_and_invariants_tell_of_a_changed_object_and_not_of_a_store_that_is_away(
    api, between, store, system, phase, staff
):
    api.post(UPLOADS, upload_form(system))
    (name,) = store.names()
    assert scrub(slices=None) == (1, [])
    between.faults = {"HEAD": [Fault.UNAVAILABLE] * 9}
    with pytest.raises(StorageAway):
        scrub_and_tell(database_now())
    assert not Alert.objects.exists()
    ((_, (away,)),) = check(database_now(), keys=["I1"])
    assert "could not be looked at" in away.what
    between.faults = {}
    store.client.put_object(Bucket=BUCKET, Key=name, Body=toy_zip()[:-1] + b"!")
    _, (fault,) = scrub(slices=None)
    assert "has the SHA-256" in fault
    store.client.delete_object(Bucket=BUCKET, Key=name)
    ((_, (gone,)),) = check(database_now(), keys=["I1"])
    assert f"{name} is not there" in gone.what


def test_store_that_is_away_makes_a_server_unready_and_operators_hear_of_it(between, db, staff):
    assert problems_of_storage() == ()
    between.faults = {"HEAD": [Fault.UNAVAILABLE] * 4}
    (said,) = problems_of_storage()
    assert "the bucket uploads at 127.0.0.1" in said
    assert "503" in said
    watch_and_tell(database_now())
    assert "No upload can be stored" in Alert.objects.get(key="server:storage").said
    watch_and_tell(database_now())
    assert not Alert.objects.filter(key="server:storage").exists()


def test_bucket_that_is_not_there_is_called_so_and_no_file_of_it_lost(
    api, between, system, phase, staff, settings
):
    where = api.post(UPLOADS, upload_form(system)).headers["Location"]
    url = address(between.server_port).replace(f"/{BUCKET}?", "/upload?")
    settings.STORAGES = settings.STORAGES | upload_storages(url)

    (said,) = problems_of_storage()
    assert "the bucket upload at 127.0.0.1" in said
    assert "There is no such bucket: make it, or correct HELDOUT_UPLOADS_URL." in said
    assert api.post(UPLOADS, upload_form(system, toy_zip(mood="bad " * 5 + "bad"))).status_code == 503
    assert api.get(f"{where}file/").status_code == 503
    ((_, (away,)),) = check(database_now(), keys=["I1"])
    assert "could not be looked at" in away.what
    with pytest.raises(StorageAway):
        scrub_and_tell(database_now())
    with pytest.raises(StorageAway, match="no such bucket"):
        default_storage.delete("one.zip")


def test_other_bytes_than_were_received_are_given_to_nobody(api, between, system, phase):
    where = api.post(UPLOADS, upload_form(system)).headers["Location"]
    between.faults = {"GET": [Fault.PAGE]}
    assert api.get(f"{where}file/").status_code == 503
    assert content(api.get(f"{where}file/")) == toy_zip()


@pytest.mark.parametrize(
    ("fault", "said"),
    [(Fault.UNNAMED, "answers 520 unknown"), (Fault.MOVED, "Correct the scheme, host or region")],
)
def test_answers_of_a_proxy_in_front_are_told_in_words(fault, said, api, between, system, phase, staff):
    between.faults = {method: [fault] * 2_000 for method in ("HEAD", "PUT")}
    answer = api.post(UPLOADS, upload_form(system))
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
    (problem,) = problems_of_storage()
    assert said in problem
    between.faults = {}
    assert api.post(UPLOADS, upload_form(system)).status_code == 201


def test_wrong_key_is_told_to_operators_in_words(between, db, staff):
    between.faults = {"HEAD": [Fault.FORBIDDEN] * 2}
    (said,) = problems_of_storage()
    assert "answers 403 Forbidden. HELDOUT_UPLOADS_URL has a wrong key or secret" in said
    watch_and_tell(database_now())
    assert "wrong key or secret" in Alert.objects.get(key="server:storage").said


def test_backup_copies_the_bucket_and_files_it_again(api, between, store, system, phase, tmp_path):
    for data in zips(3):
        assert api.post(UPLOADS, upload_form(system, data)).status_code == 201
    default_storage.save("take-home/all.zip", ContentFile(b"PK all"))
    before = {name: store.read(name) for name in store.names()}
    copy = tmp_path / "copy"
    copy_out(copy, None, {})
    assert {str(path.relative_to(copy)): path.read_bytes() for path in copy.rglob("*.zip")} == before
    store.empty()
    assert copy_in(copy) == 4
    assert {name: store.read(name) for name in store.names()} == before
    assert sorted(kept_files()) == sorted(before)


def test_backup_and_restore_say_what_the_store_does(api, between, store, system, phase, tmp_path):
    api.post(UPLOADS, upload_form(system))
    made = tmp_path / "made"
    (made / "database").mkdir(parents=True)
    with pytest.raises(CommandError, match=r"bucket uploads .* is not empty"):
        call_command("restore", str(made))
    between.faults = {"GET": [Fault.UNAVAILABLE] * 9}
    with pytest.raises(CommandError, match="Uploads cannot be put back"):
        call_command("restore", str(made))


def test_repair_of_a_refused_upload_is_kept_beside_the_uploads_for_every_web_server(
    api, between, store, system, phase, tmp_path
):
    refused = api.post(UPLOADS, upload_form(system, toy_zip(mood="GOOD GOOD BAD BAD GOOD BAD"))).json()
    assert [name.partition("/")[0] for name in store.names()] == ["repairs"]
    assert content(api.get(f"/api/{refused['repair_url'].partition('/api/')[2]}"))[:2] == b"PK"
    assert list(kept_files()) == []  # no backup takes it, and no sweep for an orphan
    assert not (tmp_path / "repairs").exists()
