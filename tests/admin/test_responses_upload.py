"""Responses go in through the admin; counts stay to be read, answers do not."""

from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from accounts.models import User
from benchmarks.models import Task
from scoring.admin.item_sets import responses as page_of_responses
from scoring.models import GoldVersion, ResponseSet
from tests.conftest import person
from tests.people import appoint
from tests.responses import DEFINITION, responses_of

ROUND = responses_of(("i1", "ppppp"), ("i2", "nnnpp"), ("i3", "ooomp"), ("i4", "ppnno"))


@pytest.fixture
def task(sync: Any, gold_keys: Any) -> Task:
    found: Task = sync(DEFINITION).tasks.get(slug="round1")
    return found


@pytest.fixture
def organiser(task: Task) -> User:
    user = person("rounder", is_staff=True)
    appoint(task.benchmark, user)
    return user


@pytest.fixture
def client(client: Client, organiser: User) -> Client:
    client.force_login(organiser)
    return client


def upload(client: Client, task: Task, data: bytes = ROUND, split: str = "test") -> str:
    address = reverse("admin:benchmarks_task_load_responses", args=[task.pk])
    form = {"split": split, "file": SimpleUploadedFile("round.jsonl", data), "confirmed": "yes"}
    return client.post(address, form, follow=True).content.decode()


def test_a_file_becomes_gold_and_the_organiser_reads_what_it_says(client, task, organiser):
    page = upload(client, task)
    assert "gold labels of 3 items of 4 were inferred and sealed" in page
    assert "Items by the label of most workers" in page
    assert "no majority" in page
    assert ResponseSet.objects.get().loaded_by == organiser
    assert LogEntry.objects.get().change_message.startswith("Loaded")


def test_the_page_tells_who_is_beyond_the_rule_and_what_to_collect_again(client, task):
    page = upload(client, task, responses_of(*[(f"i{number}", "ppppn") for number in range(5)]))
    assert "Items to collect again: 5" in page
    assert "i0, i1, i2, i3, i4" in page


def test_the_page_lets_a_narrow_screen_break_the_commitment(client, task):
    page = upload(client, task)
    commitment = ResponseSet.objects.get().commitment
    assert "<wbr>".join(commitment[start : start + 16] for start in range(0, 64, 16)) in page


def test_a_split_can_be_chosen(client, task):
    upload(client, task, split="dev")
    assert GoldVersion.objects.get().split.slug == "dev"


def test_the_task_s_page_lists_what_was_loaded(client, task):
    upload(client, task)
    page = client.get(reverse("admin:benchmarks_task_change", args=[task.pk])).content.decode()
    assert reverse("admin:scoring_responseset_change", args=[ResponseSet.objects.get().pk]) in page


def test_a_faulty_file_is_refused_with_its_line(client, task):
    page = upload(client, task, ROUND + b'{"text_id": "i5"}\n')
    assert "round.jsonl, line 5, column sentence: The object has no key “sentence”. Add it." in page
    assert not ResponseSet.objects.exists()


def test_whatever_a_file_says_is_shown_as_text(client, task):
    script = "<script>alert(1)</script>"
    doubled = responses_of((script, "ppppp"), (script, "ppppp"))
    named = responses_of(("i1", "ppppn"), text=script).replace(b'"w1"', f'"{script}"'.encode())
    for data in (doubled, named):
        page = upload(client, task, data)
        assert "&lt;script&gt;alert(1)" in page
        assert script not in page


def test_a_task_without_labels_says_that_it_takes_none(client, task):
    page = upload(client, task.benchmark.tasks.get(slug="size"))
    assert "only where an answer is one label of a set" in page


def test_an_unforeseen_fault_tells_nothing_of_the_file(client, task, monkeypatch, caplog):
    def fail(**arguments: Any) -> None:
        raise ValueError(arguments["data"])

    monkeypatch.setattr(page_of_responses, "load_responses", fail)
    page = upload(client, task, responses_of(("i1", "ppppp"), text="kanarienvogel"))
    assert "unforeseen ValueError" in page
    assert "kanarienvogel" not in page + caplog.text


def test_a_page_of_responses_without_any_agreement_opens(client, task):
    page = upload(client, task, responses_of(("i1", "ppppp")))
    assert "Fleiss kappa is undefined" in page
