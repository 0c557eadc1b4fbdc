"""Gold labels go in through the admin, and none comes out of it again."""

import logging
import re
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from benchmarks.models import Task
from scoring.admin import gold
from scoring.models import GoldVersion
from tests.conftest import TOY_GOLD
from tests.pairs import BOTH, answer_file, load_twins
from tests.people import appoint

pytestmark = pytest.mark.thorough

CANARIES = ("kanarie-7f3", "zanger-91c", "goud-55e")
RAW = "\n".join(["ID,Label", *(f"c{number},{canary}" for number, canary in enumerate(CANARIES, 1))])


@pytest.fixture
def client(client, organiser):
    client.force_login(organiser)
    return client


@pytest.fixture
def colour(toy):
    return toy.tasks.get(slug="colour")


def upload(client: Client, task: Task, data: bytes, **fields: str) -> Any:
    address = reverse("admin:benchmarks_task_load_gold", args=[task.pk])
    file = SimpleUploadedFile("colour.csv", data)
    return client.post(address, {"file": file, "confirmed": "yes", **fields}, follow=True)


def test_a_gold_file_becomes_the_next_version(client, colour, organiser):
    upload(client, colour, TOY_GOLD["colour"], note="A typing error in c2.")
    version = newest(colour)
    assert (version.number, version.loaded_by, version.note) == (2, organiser, "A typing error in c2.")


def test_success_names_version_items_and_commitment(client, colour):
    page = upload(client, colour, TOY_GOLD["colour"]).content.decode()
    version = newest(colour)
    assert f"Gold version 2 was sealed: 4 items, commitment {version.commitment}." in page


def test_class_counts_are_kept_only_if_asked_for(client, colour):
    upload(client, colour, TOY_GOLD["colour"])
    upload(client, colour, TOY_GOLD["colour"], show_class_counts="on")
    shown, hidden = GoldVersion.objects.filter(split__task=colour)[:2]
    assert (hidden.class_counts, shown.class_counts) == (None, {"red": 2, "green": 1, "dark blue": 1})


def test_class_counts_stand_on_the_versions_page(client, colour):
    upload(client, colour, TOY_GOLD["colour"], show_class_counts="on")
    page = client.get(reverse("admin:scoring_goldversion_change", args=[newest(colour).pk]))
    assert "red: 2, green: 1, dark blue: 1" in page.content.decode()


def test_of_two_who_load_gold_labels_the_second_is_asked_again(client, colour):
    opened = client.get(reverse("admin:benchmarks_task_load_gold", args=[colour.pk])).content.decode()
    (as_opened,) = re.findall(r'name="as_opened" value="(\w+)"', opened)
    upload(client, colour, TOY_GOLD["colour"], as_opened=as_opened)

    page = upload(client, colour, TOY_GOLD["colour"], as_opened=as_opened).content.decode()
    assert "were loaded since you opened the page, so nothing was loaded" in page
    assert newest(colour).number == 2

    (again,) = re.findall(r'name="as_opened" value="(\w+)"', page)
    upload(client, colour, TOY_GOLD["colour"], as_opened=again)
    assert newest(colour).number == 3


def test_a_smaller_file_than_stated_is_taken_with_a_warning(client, colour):
    page = upload(client, colour, b"ID,Label\nc1,red\nc2,green\n").content.decode()
    assert "The definition states 4 test items and this file has 2." in page


def test_problems_come_as_sentences_with_line_numbers(client, colour):
    answer = upload(client, colour, b"ID,Label\nc1,red\nc2,pink\nc1,green\n")
    problems = answer.context["question"].problems
    assert [problem.split(":")[0] for problem in problems] == ["colour.csv, line 3", "colour.csv, line 4"]
    assert GoldVersion.objects.filter(split__task=colour).count() == 1


def test_no_file_is_asked_for_again(client, colour):
    address = reverse("admin:benchmarks_task_load_gold", args=[colour.pk])
    assert (
        "This field is required." in client.post(address, {"note": "x", "confirmed": "yes"}).content.decode()
    )


def test_an_empty_file_is_a_problem_and_no_error(client, colour):
    assert upload(client, colour, b"").context["question"].problems


def newest(task: Task) -> GoldVersion:
    return GoldVersion.objects.get(
        split__task=task, number=GoldVersion.objects.filter(split__task=task).count()
    )


def everything_said(answer: Any, caplog: pytest.LogCaptureFixture) -> str:
    said = [answer.content.decode(), *map(str, answer.context.get("messages", ()))]
    said += [f"{entry.object_repr} {entry.change_message}" for entry in LogEntry.objects.all()]
    said += [f"{record.getMessage()} {record.exc_info} {record.exc_text}" for record in caplog.records]
    return "\n".join(said)


def test_wrong_labels_are_repeated_nowhere(client, colour, caplog):
    caplog.set_level(logging.DEBUG)
    answer = upload(client, colour, RAW.encode(), note="First try")
    assert answer.context["question"].problems
    said = everything_said(answer, caplog)
    assert not [canary for canary in CANARIES if canary in said]


def test_no_row_of_a_good_file_is_repeated(client, colour, caplog):
    caplog.set_level(logging.DEBUG)
    answer = upload(client, colour, TOY_GOLD["colour"])
    said = everything_said(answer, caplog)
    assert not [row for row in TOY_GOLD["colour"].decode().splitlines()[1:] if row in said]


@pytest.mark.parametrize("canary", CANARIES)
def test_an_unforeseen_fault_is_told_without_its_message(client, colour, caplog, monkeypatch, canary):
    def burst(**_):
        raise KeyError(canary)

    monkeypatch.setattr(gold, "load_gold", burst)
    caplog.set_level(logging.DEBUG)
    answer = upload(client, colour, RAW.encode())
    assert answer.status_code == 200
    assert "unforeseen KeyError" in answer.content.decode()
    assert canary not in everything_said(answer, caplog)


def test_a_page_after_the_upload_shows_no_label(client, colour):
    upload(client, colour, TOY_GOLD["colour"])
    version = newest(colour)
    page = client.get(reverse("admin:scoring_goldversion_change", args=[version.pk])).content.decode()
    assert "dark blue" not in page
    assert bytes(version.sealed.ciphertext).hex() not in page


# Tasks with several sets of items


def test_gold_labels_of_a_set_are_loaded_where_a_task_has_several(client, organiser, sync, gold_keys):
    task = load_twins(sync).benchmark.tasks.get()
    appoint(task.benchmark, organiser)
    data = answer_file("one", (BOTH, BOTH)).encode()
    page = upload(client, task, data, split="one").content.decode()
    assert "Gold version 2 was sealed: 4 items" in page
    assert [one.number for one in GoldVersion.objects.filter(split__slug="one")] == [2, 1]


def test_without_a_test_split_the_set_has_to_be_named(client, organiser, sync, gold_keys):
    task = load_twins(sync).benchmark.tasks.get()
    appoint(task.benchmark, organiser)
    page = upload(client, task, answer_file("one", (BOTH, BOTH)).encode()).content.decode()
    assert "This field is required." in page
    assert GoldVersion.objects.filter(split__task=task).count() == 3


NUMBERED = b"ID,Label\n" + b"".join(b"c%d,%s\n" % (at, (b"red", b"green")[at // 50]) for at in range(100))


def test_labels_that_ids_tell_of_are_loaded_once_that_is_ticked(client, colour):
    refused = upload(client, colour, NUMBERED)

    assert "Who knows only the number in an item" in "".join(refused.context["question"].problems)
    assert newest(colour).number == 1
    upload(client, colour, NUMBERED, confirm_clues="on")
    assert newest(colour).number == 2
    assert "Confirmed clues: " in LogEntry.objects.latest("pk").get_change_message()


def test_the_log_holds_no_figure_of_what_was_confirmed(client, colour):
    upload(client, colour, NUMBERED, confirm_clues="on")
    told = LogEntry.objects.latest("pk").get_change_message().partition("Confirmed clues: ")[2]
    assert "id_number" in told
    assert not any(character.isdigit() for character in told)
