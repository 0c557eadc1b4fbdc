"""Breakers' pairs and sets, and what they start from, in the admin."""

import re
from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from accounts.models import User
from benchmarks.admin import asks
from benchmarks.models import Benchmark
from breaking.models import BreakerSet, Contest, Pair, PairFile, StarterData
from breaking.sets.phase_close import make_sets
from leaderboard.admin import dashboard
from tests.breakers import HEAD, LONG, LONG_AND_SHORT, breaker, hand_in, load_starters, sets
from tests.conftest import person
from tests.games import BREAK_CLOSES, IN_BREAK, TONE_STARTER
from tests.people import appoint

PAIRS = "/admin/breaking/pair/"
SETS = "/admin/breaking/breakerset/"
STARTER = "/admin/breaking/starterdata/"


@pytest.fixture(autouse=True)
def _present(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is the second day of the break phase."""
    for module in (asks, dashboard):
        monkeypatch.setattr(module, "database_now", lambda: IN_BREAK)


@pytest.fixture
def organiser(games: Benchmark) -> User:
    user = person("gamer", is_staff=True)
    appoint(games, user)
    return user


@pytest.fixture
def client(client: Client, organiser: User) -> Client:
    client.force_login(organiser)
    return client


@pytest.fixture
def waiting(games: Benchmark) -> list[Pair]:
    """Pairs of two teams that exceed the rule."""
    load_starters(games)
    hand_in(games, breaker("North"), LONG_AND_SHORT)
    hand_in(games, breaker("South"), LONG)
    return list(Pair.objects.waiting())


def choose(client: Client, action: str, pairs: list[Pair], **fields: str) -> Any:
    """What the list sends; with `confirmed`, what its question sends."""
    form = {"action": action, "_selected_action": [one.pk for one in pairs], **fields}
    return client.post(PAIRS, form, follow=True)


def press(client: Client, row: Any, button: str, **fields: str) -> Any:
    """What the question behind a button sends."""
    address = reverse(f"admin:breaking_{row._meta.model_name}_{button}", args=[row.pk])
    return client.post(address, {"confirmed": "yes", **fields}, follow=True)


def text(answer: Any) -> str:
    assert answer.status_code == 200
    return str(answer.content.decode())


def load(client: Client, address: str, data: bytes, name: str = "set.csv", **fields: Any) -> str:
    form = {"file": SimpleUploadedFile(name, data), "confirmed": "yes", **fields}
    return text(client.post(f"{address}add/", form, follow=True))


def test_the_list_shows_what_waits_first_with_its_change_size_and_breaker(client, waiting):
    page = text(client.get(PAIRS))
    places = [found.start() for found in re.finditer(">14_b<", page)]
    assert len(places) == 2
    assert max(places) < page.index(">11_b<")
    assert ">loathe</ins>" in page
    assert "North" in page
    assert "1 of 6 (17 %)" in page


def test_the_first_page_says_that_pairs_wait(client, waiting):
    page = text(client.get("/admin/", follow=True))
    assert "2 breakers&#x27; pairs wait</a> for your word; no set of their task is made before." in page


def test_several_pairs_are_left_out_at_once_with_a_reason(client, waiting, organiser):
    question = text(choose(client, "leave_out_selected", waiting))
    assert "They go into no set" in question
    assert Pair.objects.waiting().count() == 2
    choose(client, "leave_out_selected", waiting, confirmed="yes", reason="Another sentence.")
    decided = Pair.objects.filter(decision="left_out")
    assert set(decided.values_list("decision_reason", "decided_by")) == {("Another sentence.", organiser.pk)}
    assert LogEntry.objects.filter(change_message="Leave out. Another sentence.").count() == 2


def test_no_pair_is_left_out_without_a_reason(client, waiting):
    page = text(choose(client, "leave_out_selected", waiting, confirmed="yes", reason=""))
    assert "This field is required." in page
    assert Pair.objects.waiting().count() == 2


def test_pair_is_admitted_on_its_own_page_and_that_is_taken_back(client, waiting):
    pair = waiting[0]
    assert "admitted by the organiser" in text(press(client, pair, "admit", reason="Fine."))
    assert "waits for the organiser" in text(press(client, pair, "undo"))
    assert Pair.objects.waiting().count() == 2


def test_what_cannot_be_decided_is_said_and_changes_nothing(client, waiting):
    fine = Pair.objects.get(changed_item="11_b")
    page = text(choose(client, "admit_selected", [*waiting, fine], confirmed="yes", reason=""))
    assert "is within the rule" in page
    assert Pair.objects.waiting().count() == 2


def test_sentences_are_shown_escaped(client, games):
    load_starters(games)
    hand_in(games, breaker("North"), HEAD + "11_b,11,I <b>like</b> this \u202eold song.,1,<i>\n".encode())
    pair = Pair.objects.get()
    for page in (
        text(client.get(PAIRS)),
        text(client.get(f"{PAIRS}{pair.pk}/change/")),
        text(client.get(f"/admin/breaking/pairfile/{pair.pair_file_id}/change/")),
    ):
        assert "&lt;b&gt;" in page
        assert "<b>like" not in page
        assert "\u202e" not in page


def test_file_is_withdrawn_before_the_close(client, waiting):
    file = PairFile.objects.get(breaker="South")
    assert "withdrawn" in text(press(client, file, "withdraw", reason="Copied."))
    file.refresh_from_db()
    assert (file.status, file.status_reason) == ("withdrawn", "Copied.")


def test_withdrawing_a_set_says_what_it_does_and_does_it(client, games, organiser):
    load_starters(games)
    hand_in(games, breaker("North"))
    make_sets(BREAK_CLOSES)
    made = BreakerSet.objects.get()
    question = text(client.get(reverse("admin:breaking_breakerset_withdraw", args=[made.pk])))
    assert "counts in no score" in question
    assert "files of predictions that hold the set are taken as before" in question
    page = text(press(client, made, "withdraw", reason="Copied."))
    assert "Copied." in page
    made.refresh_from_db()
    assert (made.withdrawn_at, made.withdrawn_by) == (IN_BREAK, organiser)
    press(client, made, "restore")
    made.refresh_from_db()
    assert made.withdrawn_at is None


def test_set_is_imported(client, games, organiser):
    task = games.tasks.get(slug="tone")
    data = b"id,label\n1_a,1\n1_b,-1\n1_b,1\n"
    page = load(client, SETS, data, task=task.pk, breaker="Elder", contest_repeats="on")
    assert "2 items were imported." in page
    assert "Please decide about what stands in several rows: 1." in page
    assert sets() == {"tone/elder": "Elder"}
    assert (PairFile.objects.get().submitted_by, Contest.objects.get().raised_by) == (organiser, organiser)


def test_malformed_set_is_refused_with_its_line_and_no_label(client, games):
    task = games.tasks.get(slug="tone")
    page = load(client, SETS, b"id,label\n1_a,secret\n1_b,1\n", task=task.pk, breaker="Elder")
    assert "set.csv, line 2, column label: Every label must be one of the task" in page
    assert "secret" not in page
    assert not BreakerSet.objects.exists()


def test_unforeseen_error_of_an_import_says_nothing_of_the_file(client, games, monkeypatch, caplog):
    def fails(*_: object, **__: object) -> None:
        raise RuntimeError("1_a secret")

    monkeypatch.setattr("breaking.sets.creation.read_finished_pairs", fails)
    page = load(client, SETS, b"id,label\n", task=games.tasks.get(slug="tone").pk, breaker="Elder")
    assert "unforeseen RuntimeError" in page
    assert "secret" not in page + caplog.text


def test_starter_data_is_loaded(client, games, organiser):
    page = load(client, STARTER, TONE_STARTER, task=games.tasks.get(slug="tone").pk)
    assert "4 sentences" in page
    assert StarterData.objects.get().loaded_by == organiser


def test_malformed_starter_data_is_refused_with_its_line(client, games):
    data = TONE_STARTER + b"15,,1\n"
    page = load(client, STARTER, data, name="starter.csv", task=games.tasks.get(slug="tone").pk)
    assert "starter.csv, line 6, column text" in page
    assert not StarterData.objects.exists()


@pytest.mark.parametrize("address", [SETS, STARTER])
def test_organisers_of_other_benchmarks_can_load_nothing_here(games, sync, address):
    from tests.conftest import TOY_DEFINITION

    stranger = person("stranger", is_staff=True)
    appoint(sync(TOY_DEFINITION), stranger)
    browser = Client()
    browser.force_login(stranger)
    page = load(browser, address, TONE_STARTER, task=games.tasks.get(slug="tone").pk, breaker="Elder")
    assert "Select a valid choice" in page
    assert not BreakerSet.objects.exists()
    assert not StarterData.objects.exists()
