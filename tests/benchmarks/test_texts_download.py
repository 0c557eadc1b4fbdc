"""The public texts of a split, for everybody to download."""

import pytest

from benchmarks.models import Task, Texts
from leaderboard.publication.services import refresh_stale
from scoring.item_sets.attacks import make_attack
from scoring.item_sets.texts import load_texts
from tests.attacks import TEXTS, load_attacked
from tests.conftest import NOW

ADDRESS = "/benchmarks/debates/texts/claims/{}.csv"


@pytest.fixture
def task(sync, gold_keys):
    return load_attacked(sync)


def body(answer):
    return b"".join(answer.streaming_content)


def test_anybody_may_download_what_was_loaded(client, task):
    answer = client.get(ADDRESS.format("test"))
    assert body(answer).decode() == TEXTS.decode()
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert answer["Content-Disposition"] == 'attachment; filename="debates-claims-test.csv"'


def test_an_attack_set_is_a_file_of_its_own(client, task):
    made = make_attack(task=task, attack="spelling", seed=7, now=NOW)
    assert body(client.get(ADDRESS.format("spelling"))) == made.texts.csv()


def test_a_long_file_arrives_as_a_whole(client, task):
    test = task.splits.get(slug="test")
    data = TEXTS.replace(b"No!", b"No. " * 20_000)
    load_texts(split=test, data=data, file_name="texts.csv", now=NOW)
    assert body(client.get(ADDRESS.format("test"))) == Texts.objects.get().csv() == data


def test_the_same_texts_are_not_sent_twice(client, task):
    etag = client.get(ADDRESS.format("test"))["ETag"]
    assert client.get(ADDRESS.format("test"), headers={"If-None-Match": etag}).status_code == 304


def test_systems_are_given_texts_to_the_letter_and_spreadsheets_no_formulas(client, task):
    data = TEXTS.replace(b"No!", b"=cmd|'/c calc'!A1").replace(b"id,", b"id,", 1)
    load_texts(split=task.splits.get(slug="test"), data=data, file_name="texts.csv", now=NOW)
    address = ADDRESS.format("test")
    plain, guarded = client.get(address), client.get(address, {"form": "spreadsheet"})
    assert body(plain) == Texts.objects.get().csv()
    lines = body(guarded).decode()
    assert "'=cmd|'/c calc'!A1" in lines
    assert lines.replace("'=cmd", "=cmd") == data.decode()
    assert plain["ETag"] != guarded["ETag"]


@pytest.mark.parametrize("split", ["spelling", "reworded", "nothing"])
def test_what_is_not_loaded_is_not_found(client, task, split):
    assert client.get(ADDRESS.format(split)).status_code == 404


def test_texts_of_a_retired_task_are_not_found(client, task):
    Task.objects.filter(pk=task.pk).update(is_retired=True)
    assert client.get(ADDRESS.format("test")).status_code == 404


def test_the_tasks_page_links_to_its_texts_and_to_no_other_tasks(client, task):
    make_attack(task=task, attack="spelling", seed=7, now=NOW)
    refresh_stale()
    page = client.get("/benchmarks/debates/tasks/claims/").content.decode()
    links = [page.index(f'href="{ADDRESS.format(split)}"') for split in ("test", "spelling")]
    assert links == sorted(links)
    assert "4 items, CSV with id, claim, text" in page
    assert "/texts/" not in client.get("/benchmarks/debates/tasks/posts/").content.decode()
