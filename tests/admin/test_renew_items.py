"""The button that renews items: it tells first, and does it on a second word."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from accounts.models import AuditEntry
from benchmarks.models import ItemRenewal
from tests.pages import text_of
from tests.people import appoint
from tests.quiz import as_file, make_quiz

ANSWERS = as_file(["yes", "no"] * 1100)


@pytest.fixture
def page(sync, gold_keys, organiser, client) -> str:
    """The address of the button, on a task that nobody has answered."""
    phase = make_quiz(sync, "open")
    appoint(phase.benchmark, organiser)
    client.force_login(organiser)
    return reverse("admin:benchmarks_task_renew_items", args=[phase.benchmark.tasks.get().pk])


def press(client, page: str, **fields: str) -> str:
    file = SimpleUploadedFile("new.csv", ANSWERS)
    answer = client.post(
        page, {"confirmed": "yes", "file": file, "confirm_clues": "on", **fields}, follow=True
    )
    return text_of(answer)


def test_it_says_what_the_file_would_do_and_changes_nothing(client, page):
    said = press(client, page)

    assert "2,000 items stay as anchors, 0 are retired, and 200 are new." in said
    assert "Nothing was changed." in said
    assert not ItemRenewal.objects.exists()


def test_on_the_second_word_the_items_are_renewed_and_it_is_logged(client, page):
    said = press(client, page, is_known="on")

    assert "The items of Quiz were renewed." in said
    assert ItemRenewal.objects.get().new_count == 200
    assert AuditEntry.objects.filter(what__contains="200 are new").exists()
