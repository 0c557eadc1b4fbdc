"""The first page says what goes on only when an organiser does something."""

from __future__ import annotations

import pytest
from django.utils.html import strip_tags

from benchmarks.models import Phase
from scoring.batches import close_now
from scoring.models import ScoringRun
from submissions.models import Submission
from tests.admin.conftest import PRESENT
from tests.conftest import TOY_DEFINITION


@pytest.fixture
def waiting(client, organiser, world):
    """What the page says, as text."""
    client.force_login(organiser)
    return lambda: [strip_tags(sentence) for sentence in client.get("/admin/").context["waiting"]]


def test_a_batch_that_waits_for_its_release_is_named(waiting):
    expected = "The batch of Mon 23 Nov 2026, 01:00 UTC in toy/main is scored and waits for your word to be published."
    assert waiting() == [expected]


def test_a_batch_that_is_published_by_itself_is_not(waiting):
    Phase.objects.update(publish_automatically=True)
    assert waiting() == []


def test_submissions_that_could_not_be_scored_are_counted(waiting, world):
    Submission.objects.filter(pk=world.waiting.pk).update(status="failed")
    assert "1 submission could not be scored; the next batch tries again." in waiting()


def test_a_batch_that_nobody_scores_is_named(waiting, world):
    close_now(phase=world.phase, now=PRESENT)
    assert ScoringRun.objects.open().exists()
    assert any("If this takes long, is a worker running?" in sentence for sentence in waiting())


def test_tasks_without_gold_are_named(waiting, sync, organiser):
    sync(TOY_DEFINITION.replace("id: toy", "id: bare")).organisers.add(organiser)
    assert "Toy has no gold labels yet for mood, colour; until then no file can be checked." in waiting()


def test_other_benchmarks_are_not_mentioned(client, world, stranger):
    client.force_login(stranger)
    page = client.get("/admin/").content.decode()
    assert "toy/" not in page


def test_phases_are_listed_with_what_waits(client, organiser, world):
    client.force_login(organiser)
    (table,) = client.get("/admin/").context["tables"]
    ((phase, uploads, _, count),) = table.rows
    assert (strip_tags(phase), uploads, strip_tags(count)) == ("Toy / Main", "open", "1")


def test_staff_without_a_benchmark_are_told_how_to_get_one(client, clerk):
    client.force_login(clerk)
    assert "You run no benchmark here yet." in client.get("/admin/").content.decode()
