"""Gold labels of any benchmark become public when its organiser says so, and pages say which are."""

import re
from hashlib import sha256
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import AuditEntry, User
from accounts.server.clock import database_now
from benchmarks.models import Benchmark, Split
from breaking.jobs import do_what_is_due
from leaderboard.publication.services import refresh_stale
from scoring.gold.opening import CannotOpen, may_be_opened, order_opening
from scoring.gold.versions import load_gold
from scoring.models import OpenedGold, OpeningOrder
from submissions.exceptions import PhaseClosed
from tests.conftest import TOY_DEFINITION, TOY_GOLD
from tests.pages import text_of
from tests.weeks import CUT_OFF, WEEK, run_batch, upload

pytestmark = [pytest.mark.thorough, pytest.mark.django_db]

LATER = CUT_OFF + 3 * WEEK
REASON = "The challenge is over."
PUBLIC = TOY_DEFINITION.replace("task_defaults:\n", "task_defaults:\n  gold: public\n")


@pytest.fixture
def over(toy: Benchmark, phase: Any, system: Any) -> Benchmark:
    """The toy benchmark with one release, its phase closed."""
    upload(system, phase)
    run_batch(CUT_OFF)
    phase.closes_at = CUT_OFF + WEEK
    phase.next_cut_off_at = CUT_OFF + 2 * WEEK
    phase.save()
    return toy


def opened(benchmark: Benchmark, staff: User) -> None:
    order_opening(benchmark=benchmark, by=staff, reason=REASON, now=LATER)
    do_what_is_due(LATER)
    refresh_stale()


def get(path: str) -> str:
    return Client().get(path).content.decode()


def tagged(page: str) -> bool:
    """Whether a page's title says that gold is public."""
    return bool(re.search(r"<h1>(?:(?!</h1>).)*labels public</a></span></h1>", page, re.DOTALL))


# An organiser's order


def test_labels_and_salt_are_there_for_everybody_and_prove_the_commitment(over, staff):
    commitment = Split.objects.get(task__slug="mood").gold_versions.get().commitment
    assert commitment in get("/benchmarks/toy/tasks/mood/")
    opened(over, staff)

    page = get("/benchmarks/toy/tasks/mood/")
    (salt,) = re.findall(r"--salt ([0-9a-f]{64})", page)
    labels = Client().get("/benchmarks/toy/gold/mood/test/1.csv").content
    assert labels == TOY_GOLD["mood"].replace(b"ID,Label", b"id,label")
    assert sha256(bytes.fromhex(salt) + labels).hexdigest() == commitment
    assert f"--commitment {commitment}" in page
    assert REASON in page


def test_board_task_and_home_say_that_gold_is_public_afterwards_alone(over, staff):
    pages = ("/benchmarks/toy/", "/benchmarks/toy/tasks/mood/")
    refresh_stale()
    assert not any(tagged(get(path)) for path in pages)
    assert ">labels public<" not in get("/")
    opened(over, staff)
    assert all(tagged(get(path)) for path in pages)
    assert re.search(r'Toy</a>\s+<span class="tag"><a [^>]+>labels public</a></span></h2>', get("/"))


def test_the_release_of_before_does_not_say_so(over, staff):
    opened(over, staff)
    assert not tagged(get("/benchmarks/toy/releases/1/"))


def test_nothing_is_opened_as_long_as_a_phase_is_open(toy, phase, system, staff):
    upload(system, phase)
    run_batch(CUT_OFF)
    with pytest.raises(CannotOpen, match="before every phase is over"):
        order_opening(benchmark=toy, by=staff, reason=REASON, now=LATER)


def test_nothing_is_opened_while_a_submission_that_came_in_time_is_not_scored(toy, phase, system, staff):
    upload(system, phase)
    phase.closes_at, phase.next_cut_off_at = CUT_OFF, CUT_OFF + WEEK
    phase.save()
    assert may_be_opened(toy, LATER) == []


def test_an_earlier_version_that_scored_something_is_opened_too(over, staff):
    corrected = TOY_GOLD["mood"].replace(b"m5,good", b"m5,bad")
    load_gold(task=over.tasks.get(slug="mood"), data=corrected, file_name="g.csv", now=CUT_OFF + WEEK)
    opened(over, staff)
    versions = OpenedGold.objects.filter(gold_version__split__task__slug="mood")
    assert sorted(versions.values_list("gold_version__number", flat=True)) == [1, 2]
    assert OpeningOrder.objects.get().done_at == LATER


def test_without_the_key_it_waits_for_a_process_that_has_it(over, staff, settings):
    key, settings.GOLD_PRIVATE_KEY_FILE = settings.GOLD_PRIVATE_KEY_FILE, ""
    opened(over, staff)
    assert not OpenedGold.objects.exists()
    settings.GOLD_PRIVATE_KEY_FILE = key
    do_what_is_due(LATER)
    assert OpenedGold.objects.count() == 2


def test_a_phase_that_is_opened_again_takes_no_copies(over, phase, system, staff):
    opened(over, staff)
    phase.refresh_from_db()
    phase.closes_at = None
    phase.save()
    with pytest.raises(PhaseClosed, match="have been public since"):
        upload(system, phase, mood="bad bad bad bad bad bad", at=LATER)


# Gold labels that have long been public


def test_a_definition_can_say_that_gold_has_long_been_public(sync, toy):
    sync(PUBLIC)
    refresh_stale()
    page = get("/benchmarks/toy/tasks/mood/")
    assert tagged(page)
    assert "were published elsewhere before" in text_of(Client().get("/benchmarks/toy/tasks/mood/"))
    assert ">labels public<" in get("/")


def test_a_new_word_about_gold_changes_no_number(sync, toy):
    before = list(toy.tasks.values_list("slug", "version"))
    sync(PUBLIC)
    assert list(toy.tasks.values_list("slug", "version")) == before


def test_one_task_of_two_is_tagged_in_the_list_and_not_the_board(sync, toy):
    sync(TOY_DEFINITION.replace("{id: mood,", "{id: mood, gold: public,"))
    refresh_stale()
    page = get("/benchmarks/toy/rules/")
    assert not tagged(page)
    assert page.count(">labels public<") == 1


def test_long_public_labels_can_be_opened_while_the_phase_goes_on_and_it_does(
    sync, toy, phase, system, staff
):
    benchmark = sync(PUBLIC)
    opened(benchmark, staff)
    assert OpenedGold.objects.count() == 2
    assert upload(system, benchmark.phases.get(), at=LATER).status == "accepted"


# The admin


def button(benchmark: Benchmark) -> str:
    return reverse("admin:benchmarks_benchmark_open_gold", args=[benchmark.pk])


@pytest.fixture
def past(over: Benchmark, phase: Any) -> Benchmark:
    """The same, by the clock of the database."""
    phase.closes_at = database_now() - WEEK
    phase.next_cut_off_at = database_now() - WEEK / 7
    phase.save()
    return over


@pytest.fixture
def admin(client: Client, staff: User) -> Client:
    client.force_login(staff)
    return client


def test_an_organiser_is_told_what_becomes_public_and_gives_a_reason(past, admin):
    page = text_of(admin.get(button(past)))
    assert "This cannot be undone." in page
    assert "toy/mood/test" in page
    assert admin.post(button(past), {"confirmed": "yes", "reason": ""}).status_code == 200
    assert not OpeningOrder.objects.exists()

    admin.post(button(past), {"confirmed": "yes", "reason": REASON})
    order = OpeningOrder.objects.get()
    assert (order.reason, order.done_at) == (REASON, None)
    assert AuditEntry.objects.latest("pk").reason == REASON


def test_the_button_is_there_only_where_something_may_be_opened(past, toy, phase, admin):
    page = reverse("admin:benchmarks_benchmark_change", args=[toy.pk])
    assert button(toy) in admin.get(page).content.decode()
    phase.closes_at = None
    phase.save()
    assert button(toy) not in admin.get(page).content.decode()
    answer = admin.post(button(toy), {"confirmed": "yes", "reason": REASON}, follow=True)
    assert "Main has no end" in answer.content.decode()
    assert not OpeningOrder.objects.exists()
