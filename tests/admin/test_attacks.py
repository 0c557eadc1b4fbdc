"""Texts and attack sets in the admin: all that the commands do, and how correct an attack's samples are."""

from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from benchmarks.models import Attack, Task, Texts
from tests.attacks import ATTACKED, REWORDED, TEXTS, load_attacked
from tests.conftest import person
from tests.people import appoint

pytestmark = pytest.mark.thorough


@pytest.fixture
def task(sync, gold_keys):
    return load_attacked(sync, with_texts=False)


@pytest.fixture
def client(client, task):
    user = person("debater", is_staff=True)
    appoint(task.benchmark, user)
    client.force_login(user)
    return client


def press(client: Client, row: Task | Attack, button: str, file: bytes | None = None, **fields: str) -> Any:
    """Press a button on the row's page; the page that comes next."""
    address = reverse(f"admin:benchmarks_{type(row).__name__.lower()}_{button}", args=[row.pk])
    data: dict[str, Any] = {"confirmed": "yes", **fields}
    if file is not None:
        data["file"] = SimpleUploadedFile("sent.csv", file)
    return client.post(address, data, follow=True)


def problems(answer: Any) -> tuple[str, ...]:
    found: tuple[str, ...] = answer.context["question"].problems
    return found


def paraphrase() -> Attack:
    return Attack.objects.get(slug="paraphrase")


@pytest.fixture
def reworded(client, task):
    press(client, task, "load_texts", TEXTS, split="test")
    press(client, task, "load_texts", REWORDED, split="reworded")


def test_texts_an_attack_set_and_a_paraphrase(client, task):
    page = press(client, task, "load_texts", TEXTS, split="test").content.decode()
    assert "test: texts of 4 items." in page
    page = press(client, task, "make_attack", attack="spelling", seed="7").content.decode()
    assert "spelling: texts of 4 items." in page
    assert "1 of 8 texts stay as they are" in page
    page = press(client, task, "load_texts", REWORDED, split="reworded").content.decode()
    assert set(Texts.objects.values_list("split__slug", "seed")) == {
        ("test", None), ("spelling", 7), ("reworded", None),
    }  # fmt: skip
    assert 'href="/benchmarks/debates/texts/claims/reworded.csv"' in page


def test_only_attacks_that_are_made_here_are_offered(client, task):
    page = client.get(reverse("admin:benchmarks_task_make_attack", args=[task.pk]))
    assert page.context["question"].form.fields["attack"].choices == [
        ("spelling", "Spelling"),
        ("negation", "Negation"),
    ]


def test_problems_of_a_file_come_with_line_and_column(client, task):
    answer = press(client, task, "load_texts", TEXTS.replace(b"d1,", b"x1,"), split="test")
    assert problems(answer)[0].startswith("sent.csv, line 3, column id: “x1” is not an id")
    assert not Texts.objects.exists()


def test_gold_labels_sent_as_texts_are_refused(client, task):
    answer = press(client, task, "load_texts", b"id,stance\nd0,con\nd1,pro\nd2,con\nd3,pro\n", split="test")
    assert "holds answers of this task" in problems(answer)[0]
    assert not Texts.objects.exists()


def test_no_set_is_made_without_texts(client, task):
    answer = press(client, task, "make_attack", attack="spelling", seed="7")
    assert problems(answer) == ("The test split of debates/claims has no texts yet. Upload them first.",)


@pytest.mark.parametrize(
    "fields", [{"attack": "paraphrase", "seed": "7"}, {"attack": "spelling", "seed": "-1"}]
)
def test_a_forged_attack_or_seed_is_a_fault_of_the_form(client, task, fields):
    assert press(client, task, "make_attack", **fields).context["question"].form.errors


def test_who_loaded_which_texts_is_kept(client, task):
    press(client, task, "load_texts", TEXTS, split="test")
    entry = LogEntry.objects.get()
    assert entry.change_message == f"Texts of test, SHA-256 {Texts.objects.get().sha256}."


def test_a_retired_task_can_be_looked_at_and_takes_nothing(client, task, sync):
    sync(ATTACKED.replace("{id: claims,", "{id: assertions,"))
    assert client.get(reverse("admin:benchmarks_task_change", args=[task.pk])).status_code == 200
    assert press(client, task, "load_texts", TEXTS, split="test").status_code == 404
    assert press(client, task, "load_gold", b"id,label\n").status_code == 404


def test_a_share_is_entered_with_its_source(client, reworded):
    page = press(client, paraphrase(), "enter_share", share="0.484", note="As published.").content.decode()
    assert "The share of correct Paraphrase samples is 0.484." in page
    assert (paraphrase().correct_share, paraphrase().note) == (0.484, "As published.")


def test_an_empty_share_is_not_known(client, reworded):
    assert "samples is not known" in press(client, paraphrase(), "enter_share", share="").content.decode()
    assert paraphrase().correct_share is None


@pytest.mark.parametrize("share", ["1.5", "-1", "nan", "inf", "much"])
def test_what_is_no_share_is_a_fault_of_the_form(client, reworded, share):
    assert press(client, paraphrase(), "enter_share", share=share).context["question"].form.errors


def test_readability_is_measured(client, reworded):
    press(client, paraphrase(), "measure_share", note="")
    assert (paraphrase().method, paraphrase().sample_count) == ("readability", 8)


def test_annotators_answers_give_share_and_kappa(client, reworded):
    data = b"id,annotator_1,annotator_2\nd0,y,y\nd1,y,n\nd2,n,n\nd3,n,n\n"
    page = press(client, paraphrase(), "take_annotations", data).content.decode()
    assert "samples is 0.375" in page
    assert paraphrase().kappa == 0.5


def test_annotators_problems_come_with_line_and_column(client, reworded):
    answer = press(client, paraphrase(), "take_annotations", b"id,annotator_1,annotator_2\nd0,y,yes\n")
    assert problems(answer) == ("sent.csv, line 2, column annotator_2: “yes” is neither y nor n.",)


def test_an_attack_shows_its_sets(client, reworded):
    page = client.get(reverse("admin:benchmarks_attack_change", args=[paraphrase().pk])).content.decode()
    assert "reworded" in page
