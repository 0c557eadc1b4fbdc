"""The first page says what goes on only when an organiser does something."""

import datetime as dt
import html
import re

import pytest
from django.db import connection
from django.db.models import Sum
from django.template.defaultfilters import filesizeformat
from django.test.utils import CaptureQueriesContext
from django.utils.html import strip_tags

from accounts.formats.instants import in_words
from accounts.jobs import send_mail
from accounts.models import Sweep
from benchmarks.models import Phase
from breaking.jobs import sweep as prepare_pairs
from leaderboard.jobs import enter_in_ledger, make_tests, publish_ready, refresh_stale, watch
from scoring.jobs import close_due, enqueue_due, finish_batches
from scoring.models import ScoringRun
from scoring.queue.batches import close_now
from submissions.models import Submission
from tests.admin.conftest import LATER, PRESENT
from tests.admin.test_queries import grow
from tests.conftest import TOY_DEFINITION
from tests.pages import text_of
from tests.people import appoint

pytestmark = pytest.mark.thorough


@pytest.fixture
def waiting(client, organiser, world):
    """What the home of the benchmark says, or the first page of all benchmarks where there are several, as text."""
    client.force_login(organiser)

    def sentences():
        shown = client.get("/admin/", follow=True).context
        places = [shown["home"]] if "home" in shown else shown["busy"]
        return [strip_tags(sentence) for place in places for sentence in place.waiting]

    return sentences


def test_a_batch_that_waits_for_its_release_is_named(waiting):
    expected = (
        "The batch of Mon 23 Nov 2026, 01:00 UTC in toy/main is scored and waits for your word to be published. "
        "Look at the coming release."
    )
    assert expected in waiting()


def test_a_batch_that_is_published_by_itself_is_not(waiting):
    Phase.objects.update(publish_automatically=True)
    assert not any("your word" in sentence for sentence in waiting())


def test_submissions_that_could_not_be_scored_are_counted(waiting, world):
    Submission.objects.filter(pk=world.waiting.pk).update(status="failed")
    assert "1 submission could not be scored; the next batch tries again." in waiting()


def test_a_batch_that_nobody_scores_is_named(waiting, world):
    close_now(phase=world.phase, now=PRESENT)
    assert ScoringRun.objects.open().exists()
    assert any("If this takes long, is a worker running?" in sentence for sentence in waiting())


def test_tasks_without_gold_are_named(waiting, sync, organiser):
    appoint(sync(TOY_DEFINITION.replace("id: toy", "id: bare")), organiser)
    assert "Toy has no gold labels yet for mood, colour; until then no file can be checked." in waiting()


def test_other_benchmarks_are_not_mentioned(client, world, stranger):
    client.force_login(stranger)
    page = client.get("/admin/").content.decode()
    assert "toy/" not in page


@pytest.fixture
def tables(client, staff, world):
    """The tables below, as text."""
    client.force_login(staff)
    return lambda: {
        str(table.title): [[strip_tags(str(cell)) for cell in row] for row in table.rows]
        for table in client.get("/admin/").context["tables"]
    }


def test_phases_are_listed_with_what_waits_and_how_much_quota_is_used(tables):
    ((phase, uploads, _, count, quota),) = tables()["Phases"]
    assert (phase, uploads, count, quota) == ("Toy / Main", "open", "1", "2 by 1 group of people")


def test_a_phase_in_which_nothing_waits_says_none(tables, client, world):
    Submission.objects.filter(pk=world.waiting.pk).update(status="withdrawn", ended_at=LATER)
    assert tables()["Phases"][0][3] == "0"
    said = strip_tags(client.get("/admin/benchmarks/phase/").content.decode())
    assert "status__exact=accepted" not in said


def test_groups_that_have_used_up_their_quota_are_counted(tables):
    Phase.objects.update(quota_limit=1)
    assert tables()["Phases"][0][-1] == "2 by 1 group of people; 1 with none left"


def test_the_coming_release_is_one_link_away(client, organiser, world):
    client.force_login(organiser)
    link = f"/admin/scoring/batch/{world.scored.pk}/publish/"
    assert link in client.get("/admin/", follow=True).content.decode()
    assert client.get(link).status_code == 200


def test_what_failed_says_why_and_how_it_is_mended(tables, client, world):
    run = ScoringRun.objects.filter(submission=world.published)[0]
    ScoringRun.objects.filter(pk=run.pk).update(status="failed", error="gold_damaged")
    Submission.objects.filter(pk=world.published.pk).update(status="failed")
    ((task, count, why, mends),) = tables()["What failed"]
    assert (task, count) == (str(run.split.task), "1")
    assert why == "The sealed gold labels are damaged."
    assert mends == "Load the gold labels again. Failed runs"
    page = client.get("/admin/").content.decode()
    assert f"/admin/benchmarks/task/{run.split.task_id}/load_gold/" in page


def test_links_to_what_failed_lead_to_lists(client, staff, world):
    run = ScoringRun.objects.filter(submission=world.published)[0]
    ScoringRun.objects.filter(pk=run.pk).update(status="failed", error="internal")
    Submission.objects.filter(pk=world.published.pk).update(status="failed")
    client.force_login(staff)
    page = client.get("/admin/").content.decode()
    links = {html.unescape(one) for one in re.findall(r'href="(/admin/[^"]*[?][^"]*)"', page)}
    assert any("scoringrun" in one for one in links)
    assert {one: client.get(one).status_code for one in links} == dict.fromkeys(links, 200)


def test_each_benchmark_has_its_last_release_and_what_it_takes(tables, world):
    ((name, release, files, predictions, gold, _),) = tables()["Benchmarks and what they take"]
    assert name == "Toy"
    assert release.startswith("Release 1, Mon 23 Nov 2026, 00:00 UTC")
    sent = Submission.objects.aggregate(total=Sum("file_size"))["total"]
    assert files == filesizeformat(sent)
    assert "0\xa0bytes" not in (predictions, gold)


def test_it_says_when_workers_were_last_seen(client, staff, world):
    client.force_login(staff)
    seen = lambda: client.get("/admin/").context["workers"]  # noqa: E731  # asked thrice
    assert seen().startswith("No worker has been seen yet.")
    meanwhile = PRESENT + dt.timedelta(seconds=2)
    closing = Sweep.objects.create(name="closing", seen_at=meanwhile)
    assert seen() == "Workers were last seen at their rounds less than a minute ago."
    closing.seen_at = PRESENT - dt.timedelta(minutes=1)
    closing.save()
    assert seen() == "Workers were last seen at their rounds 1 minute ago."
    Sweep.objects.create(name="publishing", seen_at=PRESENT - dt.timedelta(hours=1))
    assert "Without workers nothing is closed" in seen()


def test_a_round_of_the_workers_is_noted(db):
    for each in (
        publish_ready,
        enter_in_ledger,
        refresh_stale,
        watch,
        make_tests,
        close_due,
        enqueue_due,
        finish_batches,
        send_mail,
        prepare_pairs,
    ):
        each()
    assert set(Sweep.objects.values_list("name", flat=True)) == {
        "publishing",
        "keeping the ledger",
        "rendering pages",
        "watching",
        "testing systems",
        "closing",
        "handing out scoring",
        "finishing batches",
        "sending mail",
        "preparing pairs",
    }


def test_it_costs_the_same_queries_however_much_there_is(client, staff, world):
    client.force_login(staff)
    few = count_queries(client)
    for number in range(20):
        grow(world, number)
    assert count_queries(client) == few


def count_queries(client):
    with CaptureQueriesContext(connection) as queries:
        assert client.get("/admin/").status_code == 200
    return len(queries)


def test_staff_without_a_benchmark_are_told_how_to_get_one(client, clerk):
    client.force_login(clerk)
    assert "You run no benchmark here yet." in text_of(client.get("/admin/"))


def test_a_phase_that_is_to_come_says_when_it_opens(client, organiser, world):
    opens = PRESENT + dt.timedelta(days=3)
    Phase.objects.filter(pk=world.phase.pk).update(opens_at=opens)
    client.force_login(organiser)
    assert in_words(opens) in text_of(client.get("/admin/", follow=True))
