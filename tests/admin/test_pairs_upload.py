"""Pairs go in through the admin, or are refused with their line."""

import pytest
from django.contrib.admin.models import LogEntry
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from scoring.item_sets.equity import assess_due
from scoring.models import PairSet
from tests.conftest import NOW, person
from tests.feelings import DEFINITION, MIXED, PAIRS, load_all_gold, load_gender, submit_joy
from tests.people import appoint


@pytest.fixture
def feelings(sync, gold_keys):
    benchmark = sync(DEFINITION)
    load_all_gold(benchmark)
    return benchmark


@pytest.fixture
def organiser(feelings):
    user = person("feeler", is_staff=True)
    appoint(feelings, user)
    return user


@pytest.fixture
def client(client, organiser):
    client.force_login(organiser)
    return client


def upload(client, benchmark, data=PAIRS, task="joy", **fields):
    address = reverse("admin:benchmarks_task_load_pairs", args=[benchmark.tasks.get(slug=task).pk])
    form = {"split": "equity", "comparison": "gender", "file": SimpleUploadedFile("gender.csv", data)}
    return client.post(address, form | fields | {"confirmed": "yes"}, follow=True)


def test_a_file_becomes_the_current_pairs(client, feelings, organiser):
    page = upload(client, feelings, title="Gender of the person").content.decode()
    pairs = PairSet.objects.get()
    assert (pairs.number, pairs.uploaded_by, pairs.split.task.slug) == (1, organiser, "joy")
    assert "Gender of the person: 4 pairs, she minus he, for joy." in page
    assert LogEntry.objects.get().change_message == "Loaded pairs gender 1."


def test_the_page_offers_the_splits_and_says_what_pairs_are(client, feelings):
    address = reverse("admin:benchmarks_task_load_pairs", args=[feelings.tasks.get(slug="joy").pk])
    page = client.get(address).content.decode()
    assert page.index("equity (8 items)") < page.index("test (4 items)")
    assert "averaged" in page


def test_groups_may_be_named_in_the_other_order(client, feelings):
    upload(client, feelings, first="he", second="she")
    assert (PairSet.objects.get().first, PairSet.objects.get().second) == ("he", "she")


def test_one_file_for_every_task_that_it_fits(client, feelings):
    upload(client, feelings, everywhere="on")
    assert sorted(PairSet.objects.values_list("split__task__slug", flat=True)) == ["joy", "level"]


def test_a_malformed_file_is_refused_with_line_and_column(client, feelings):
    answer = upload(client, feelings, PAIRS.replace(b"b,he,", b"b,they,"))
    (third, one_sided) = answer.context["question"].problems
    assert third.startswith("gender.csv, line 5, column group: “they” is a third group")
    assert one_sided.startswith(
        "gender.csv, line 4, column group: The pair “b” has no item of the group “he”"
    )
    assert not PairSet.objects.exists()


@pytest.mark.parametrize("data", [b"", b"\x00\x01\x02", b"PK\x03\x04", b"\xff\xfea\x00", b"pair,group,id\n"])
def test_no_bytes_make_an_error_page(client, feelings, data):
    answer = upload(client, feelings, data)
    assert answer.status_code == 200
    assert answer.context["question"].problems


@pytest.mark.parametrize(
    "fields", [{"split": "nowhere"}, {"comparison": "a b"}, {"comparison": ""}, {"title": "x" * 200}]
)
def test_a_form_filled_in_wrongly_is_asked_again(client, feelings, fields):
    answer = upload(client, feelings, **fields)
    assert answer.status_code == 200
    assert not PairSet.objects.exists()


def test_answers_without_an_order_are_refused_at_upload(client, feelings):
    (problem,) = upload(client, feelings, task="words").context["question"].problems
    assert "neither numbers nor ordered classes" in problem


def test_the_list_shows_how_much_was_tested(client, feelings, system, owner):
    load_gender(feelings)
    submit_joy(system, owner, MIXED)
    assess_due(NOW)
    (row,) = client.get(reverse("admin:scoring_pairset_changelist")).context["cl"].result_list
    assert row.tested == 1
    page = client.get(reverse("admin:scoring_pairset_change", args=[row.pk])).content.decode()
    assert "she minus he" in page


def test_the_submissions_page_leads_to_its_report(client, feelings, system, owner):
    load_gender(feelings)
    submission = submit_joy(system, owner, MIXED)
    page = client.get(reverse("admin:submissions_submission_change", args=[submission.pk])).content.decode()
    assert f"/submissions/{submission.pk}/equity/" in page


def test_another_organiser_finds_neither_task_nor_pairs(client, feelings, staff, sync):
    pairs = load_gender(feelings)
    other = person("other", is_staff=True)
    appoint(sync(DEFINITION.replace("id: feelings", "id: other")), other)
    client.force_login(other)
    assert upload(client, feelings).status_code == 404
    assert client.get(reverse("admin:scoring_pairset_change", args=[pairs.pk])).status_code == 404
