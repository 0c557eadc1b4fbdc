"""Organisers set the lists of the fact sheet; what would falsify a sheet is refused with a sentence."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from benchmarks.models import Benchmark, FactList
from submissions.models import FactSheet
from tests.conftest import person
from tests.pages import all_rendered, text_of

pytestmark = pytest.mark.thorough

ADD = "/admin/benchmarks/factlist/add/"


@pytest.fixture
def client(client, organiser):
    client.force_login(organiser)
    return client


@pytest.fixture
def algorithms(world) -> FactList:
    return FactList.objects.get(slug="algorithms")


def save(client: Client, fact_list: FactList, *options: str, title: str = "Algorithms") -> Any:
    address = reverse("admin:benchmarks_factlist_change", args=[fact_list.pk])
    return client.post(address, {"title": title, "options": "\r\n".join(options)})


def add(client: Client, **changes: str) -> Any:
    form = {"benchmark": "toy", "slug": "features", "title": "Features", "options": "Word n-grams\nEmoji"}
    return client.post(ADD, form | changes)


def errors(answer: Any) -> str:
    assert answer.status_code == 200
    return str(answer.context["adminform"].form.errors)


def test_options_are_entered_one_a_line(client, algorithms):
    assert save(client, algorithms, "LSTM", " GRU ", "", title="Learners").status_code == 302
    algorithms.refresh_from_db()
    assert (algorithms.title, algorithms.options) == ("Learners", ["LSTM", "GRU"])


def test_form_shows_the_options_one_a_line(client, algorithms):
    address = reverse("admin:benchmarks_factlist_change", args=[algorithms.pk])
    assert b"SVM/SVR\nLSTM\nBi-LSTM</textarea>" in client.get(address).content


def test_option_that_a_sheet_names_cannot_go(client, algorithms):
    assert "1 fact sheet names it" in errors(save(client, algorithms, "SVM/SVR", "Bi-LSTM"))
    algorithms.refresh_from_db()
    assert algorithms.options == ["SVM/SVR", "LSTM", "Bi-LSTM"]


BAD_OPTIONS = {
    "none": ([" "], "This field is required"),
    "twice": (["LSTM", "lstm"], "stands twice"),
    "too long": (["LSTM", "x" * 81], "at most 80 characters"),
    "too many": (["LSTM", *map(str, range(100))], "at most 100 options"),
    "control character": (["LSTM", "a\x02b"], "control character"),
}


@pytest.mark.parametrize("kind", BAD_OPTIONS)
def test_unusable_options_are_refused_in_words(client, algorithms, kind):
    options, sentence = BAD_OPTIONS[kind]
    assert sentence in errors(save(client, algorithms, *options))


def test_new_list_is_asked_at_once(client, world, owner):
    assert add(client).status_code == 302
    participant = Client()
    participant.force_login(owner)
    assert "Word n-grams" in text_of(participant.get("/submit/"))


def test_id_in_use_is_refused(client, world):
    assert "a list of this id already" in errors(add(client, slug="algorithms"))


def test_id_is_a_plain_word(client, world):
    assert "Expected letters" in errors(add(client, slug="my features"))


def test_list_cannot_be_added_to_a_benchmark_of_others(world, stranger):
    client = Client()
    client.force_login(stranger)
    assert "Select a valid choice" in errors(add(client))
    assert not FactList.objects.filter(slug="features").exists()


def test_change_has_the_published_pages_rendered_anew(client, algorithms):
    all_rendered()
    save(client, algorithms, "LSTM")
    assert Benchmark.objects.stale().exists()


def test_page_of_a_list_says_how_many_sheets_name_each_option(client, algorithms):
    page = client.get(reverse("admin:benchmarks_factlist_change", args=[algorithms.pk]))
    (table,) = page.context["tables"]
    assert list(table.rows) == [("SVM/SVR", 0), ("LSTM", 1), ("Bi-LSTM", 0)]


def test_filled_sheet_can_be_read(client, world):
    sheet = FactSheet.objects.get()
    page = client.get(reverse("admin:submissions_factsheet_change", args=[sheet.pk]))
    (table,) = page.context["tables"]
    assert list(table.rows) == [("Algorithms", "LSTM"), ("Lexicons", "none of these")]
    assert sheet.changed_by.email in text_of(page)


def test_staff_without_a_benchmark_adds_nothing(world, clerk):
    client = Client()
    client.force_login(clerk)
    assert add(client).status_code == 403
    client.force_login(person("passer"))
    assert add(client).status_code == 302
    assert not FactList.objects.filter(slug="features").exists()
