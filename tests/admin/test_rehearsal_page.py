"""A folder is uploaded in the admin, played apart by a worker, and what came out stands on a page for a day."""

import io
import json
import zipfile
from pathlib import Path

import pytest
from allauth.account.models import EmailAddress
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from demo.rehearsal.apart import PASSED_ON
from demo.rehearsal.event import FolderRefused, file_within, read_event
from demo.rehearsal.ordered import play_ordered
from leaderboard.models import Rehearsal
from leaderboard.rehearsals.orders import (
    KEPT,
    NO_WORKER,
    OVERDUE,
    CannotRehearse,
    begin_next,
    clear_old,
    end_rehearsal,
    order_rehearsal,
)
from tests.conftest import NOW
from tests.rehearsal.small_event import UPLOADS, write_event

pytestmark = [pytest.mark.thorough, pytest.mark.django_db]


def zipped(folder: Path) -> bytes:
    """The files of a folder below one folder of a zip, as file managers pack it."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for file in sorted(one for one in folder.rglob("*") if one.is_file()):
            archive.write(file, f"my-task/{file.relative_to(folder)}")
    return buffer.getvalue()


@pytest.fixture
def event(tmp_path):
    folder = tmp_path / "event"
    folder.mkdir()
    write_event(folder)
    return folder


def begun(now):
    """The rehearsal that is to be played next."""
    order = begin_next(now)
    assert order is not None
    return order


def text_of(client):
    return client.get(reverse("admin:benchmarks_benchmark_rehearsal")).content.decode()


def send(client, data, **more):
    file = SimpleUploadedFile("my-task.zip", data)
    return client.post(reverse("admin:benchmarks_benchmark_rehearsal"), {"file": file, **more}, follow=True)


@pytest.mark.sqlite
def test_an_uploaded_folder_is_played_and_its_outcome_and_pages_are_there_for_a_day(
    event, owner, client, gold_keys, settings
):
    expected = json.loads((event / "expected.json").read_text("utf-8"))
    expected["quota_left_at_the_close"]["Fir in evaluation-a"] = 5
    (event / "expected.json").write_text(json.dumps(expected), "utf-8")
    client.force_login(owner)
    assert "waits for a worker" in send(client, zipped(event)).content.decode()
    order = begun(NOW)
    assert b"f1_macro" not in bytes(order.sealed)

    play_ordered(order)

    page = text_of(client)
    assert "one thing came out otherwise than expected" in page
    assert "quota left of Fir in evaluation-a: expected 5, found 0" in page
    assert "belong to the phase Evaluation, subtask A" in page
    assert "release 1, of development" in page
    pages = client.get(reverse("admin:benchmarks_benchmark_rehearsed"))
    archive = zipfile.ZipFile(io.BytesIO(pages.content))
    assert "rehearsal/index.html" in archive.namelist()
    outcome = json.loads(archive.read("rehearsal/outcome.json"))
    assert len(outcome["uploads"]) == len(UPLOADS)
    kept = Rehearsal.objects.get()
    assert not kept.sealed
    assert list((settings.DATA_DIR / "rehearsals").glob("empty-*.sqlite3"))
    clear_old(kept.asked_at + KEPT)
    assert not Rehearsal.objects.exists()


@pytest.mark.sqlite
def test_what_is_wrong_with_a_folder_is_told_in_the_words_of_the_command(event, owner, gold_keys):
    (event / "gold" / "test" / "b.csv").unlink()
    order_rehearsal(person=owner, data=zipped(event), file_name="my-task.zip", now=NOW)

    play_ordered(begun(NOW))

    assert Rehearsal.objects.get().outcome == {"refused": ["gold/test: no gold file for b; looked for b.csv"]}


def test_a_zip_that_leaves_its_folder_or_has_no_definition_is_refused_at_once(owner, client, gold_keys):
    client.force_login(owner)
    for name, why in (
        ("../gold.csv", "leaves the folder"),
        ("gold/a.csv", "there is no benchmark.yaml in it"),
    ):
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            archive.writestr(name, "1,a")
        assert why in send(client, buffer.getvalue()).content.decode()
    assert "this is no zip file" in send(client, b"id,label\n").content.decode()
    assert not Rehearsal.objects.exists()


def test_an_organiser_rehearses_a_benchmark_as_it_stands_and_nobody_elses(
    toy, organiser, stranger, client, gold_keys
):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("uploads.json", "[]")
    client.force_login(stranger)
    send(client, buffer.getvalue(), benchmark="toy")
    assert not Rehearsal.objects.exists()

    client.force_login(organiser)
    home = client.get(reverse("admin:benchmarks_benchmark_home", args=["toy"])).content.decode()
    assert f"{reverse('admin:benchmarks_benchmark_rehearsal')}?benchmark=toy" in home
    send(client, buffer.getvalue(), benchmark="toy")

    assert "id: toy" in Rehearsal.objects.get().definition


def test_who_has_confirmed_no_address_rehearses_nothing_and_sees_nothing_of_others(
    event, owner, outsider, client, gold_keys
):
    order = order_rehearsal(person=owner, data=zipped(event), file_name="my-task.zip", now=NOW)
    end_rehearsal(order, {"failed": "Made up."}, b"pages", NOW)
    EmailAddress.objects.filter(user=outsider).delete()
    client.force_login(outsider)
    assert send(client, zipped(event)).status_code == 403
    assert client.get(reverse("admin:benchmarks_benchmark_rehearsed")).status_code == 403


def test_one_at_a_time_is_played_and_asked_for_and_a_dead_worker_is_told(event, owner, stranger, gold_keys):
    data = zipped(event)
    first = order_rehearsal(person=owner, data=data, file_name="my-task.zip", now=NOW)
    with pytest.raises(CannotRehearse, match="is not over yet"):
        order_rehearsal(person=owner, data=data, file_name="other.zip", now=NOW)
    order_rehearsal(person=stranger, data=data, file_name="my-task.zip", now=NOW)

    assert begun(NOW) == first
    assert begin_next(NOW) is None
    clear_old(NOW + OVERDUE)
    assert Rehearsal.objects.get(pk=owner.pk).outcome == {"failed": NO_WORKER}
    end_rehearsal(first, {"refused": []}, b"", NOW)  # by a worker that was slow and not dead
    assert Rehearsal.objects.get(pk=owner.pk).outcome == {"failed": NO_WORKER}
    assert begun(NOW + OVERDUE).pk == stranger.pk


def test_a_folder_names_no_file_outside_of_it(event, tmp_path):
    (tmp_path / "key").write_text("secret")
    uploads = json.loads((event / "uploads.json").read_text("utf-8"))
    uploads[0]["file"], uploads[1]["file"] = "../key", str(tmp_path / "key")
    (event / "uploads.json").write_text(json.dumps(uploads), "utf-8")

    with pytest.raises(FolderRefused) as caught:
        read_event(event)

    assert len(caught.value.mistakes) == 2
    assert all("there is no file" in one for one in caught.value.mistakes)
    assert file_within(event, "n" * 5000) is None


def test_nothing_of_the_servers_own_settings_is_passed_on():
    assert not [name for name in PASSED_ON if name.startswith(("HELDOUT", "DJANGO", "PG"))]
