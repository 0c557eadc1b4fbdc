"""An organiser has everything put into one file by a worker, downloads it for a day, and the audit log knows."""

import io
import zipfile

import pytest
from django.core.files.storage import default_storage
from django.urls import reverse

from accounts.models import AuditEntry
from leaderboard.jobs import make_archives
from leaderboard.models import ArchiveOrder
from leaderboard.take_home import made_archives
from leaderboard.take_home.archive_contents import write_archive
from leaderboard.take_home.made_archives import AGAIN, KEPT, delete_old, make_ordered, order_archive
from tests.conftest import TOY_DEFINITION, synced
from tests.pages import text_of
from tests.people import appoint
from tests.weeks import CUT_OFF, ONE_WRONG, run_batch, upload

pytestmark = pytest.mark.django_db


def url(name: str) -> str:
    return reverse(f"admin:benchmarks_benchmark_{name}", args=["toy"])


def test_an_organiser_orders_downloads_and_the_file_goes_after_a_day(toy, phase, system, organiser, client):
    upload(system, phase, mood=ONE_WRONG)
    run_batch(CUT_OFF)
    client.force_login(organiser)
    assert "Download the archive" not in client.get(url("change")).content.decode()
    asked = client.get(url("take_home")).content.decode()
    assert "sealed gold labels, and what is made of them, stay out" in asked
    client.post(url("take_home"), {"confirmed": "yes", "reason": "For the paper."})
    assert not ArchiveOrder.objects.get().stored_file
    assert make_ordered(CUT_OFF) == 1
    assert make_ordered(CUT_OFF) == 0

    assert "Download the archive" in client.get(url("change")).content.decode()
    given = client.post(url("fetch_home"), {"confirmed": "yes", "reason": "For the paper."})
    names = zipfile.ZipFile(io.BytesIO(b"".join(given.streaming_content))).namelist()
    assert any(name.endswith("/scores.csv") for name in names)
    assert {"take home", "fetch home"} <= set(AuditEntry.objects.values_list("kind", flat=True))

    stored = ArchiveOrder.objects.get().stored_file.name
    assert delete_old(CUT_OFF + KEPT / 2) == 0
    assert delete_old(CUT_OFF + KEPT) == 1
    assert not default_storage.exists(str(stored))
    assert "Download the archive" not in client.get(url("change")).content.decode()


def test_an_archive_that_cannot_be_made_says_so_and_holds_up_no_other(
    toy, organiser, gold_keys, monkeypatch, client
):
    other = synced(TOY_DEFINITION.replace("id: toy", "id: other"))
    appoint(other, organiser)
    for benchmark in (toy, other):
        order_archive(benchmark=benchmark, by=organiser, now=CUT_OFF)
    first = ArchiveOrder.objects.all()[0].benchmark

    def fail_for_first(benchmark, target, now):
        if benchmark == first:
            raise OSError("No space left on device")
        return write_archive(benchmark, target, now)

    monkeypatch.setattr(made_archives, "write_archive", fail_for_first)
    client.force_login(organiser)
    home = reverse("admin:benchmarks_benchmark_home", args=[first.pk])
    assert "a worker has yet to make it" in text_of(client.get(home))
    make_archives()
    assert list(ArchiveOrder.objects.filter(made_at=None)) == [first.archive_order]
    assert "could not be made so far" in text_of(client.get(home))
    monkeypatch.undo()
    due_at = ArchiveOrder.objects.get(made_at=None).due_at
    assert due_at
    assert make_ordered(due_at - AGAIN / 2) == 0
    assert make_ordered(due_at) == 1
    assert "Download" in text_of(client.get(home))
    assert not ArchiveOrder.objects.filter(made_at=None).exists()


def test_an_archive_is_made_by_one_process_and_one_ordered_anew_is_begun_at_once(
    toy, organiser, gold_keys, monkeypatch
):
    order_archive(benchmark=toy, by=organiser, now=CUT_OFF)
    meanwhile: list[int] = []

    def take_long(benchmark, target, now):
        meanwhile.append(make_ordered(now))  # as another process does that is asked meanwhile
        raise OSError("No space left on device")

    monkeypatch.setattr(made_archives, "write_archive", take_long)
    assert make_ordered(CUT_OFF) == 0
    assert meanwhile == [0]
    monkeypatch.undo()
    order_archive(benchmark=toy, by=organiser, now=CUT_OFF)
    assert make_ordered(CUT_OFF) == 1


def test_an_archive_that_is_lost_is_told_so_with_what_to_do(toy, organiser, gold_keys, client):
    order_archive(benchmark=toy, by=organiser, now=CUT_OFF)
    make_ordered(CUT_OFF)
    default_storage.delete(str(ArchiveOrder.objects.get().stored_file.name))
    client.force_login(organiser)
    asked = client.post(url("fetch_home"), {"confirmed": "yes", "reason": "For the paper."}, follow=True)
    assert "Order it anew" in text_of(asked)
    answer = client.get("/api/v1/benchmarks/toy/archives/newest.zip")
    assert (answer.status_code, answer.json()["code"]) == (410, "file_lost")
    assert not AuditEntry.objects.filter(kind="fetch home").exists()


def test_who_does_not_organise_gets_nothing_and_a_worker_without_the_key_leaves_it(
    toy, organiser, stranger, client, settings
):
    client.force_login(stranger)
    assert client.post(url("take_home"), {"confirmed": "yes"}).status_code == 404
    assert client.post(url("fetch_home"), {"confirmed": "yes"}).status_code == 404
    client.force_login(organiser)
    client.post(url("take_home"), {"confirmed": "yes", "reason": "For the paper."})
    settings.GOLD_PRIVATE_KEY_FILE = ""
    make_archives()
    assert ArchiveOrder.objects.get().made_at is None
