"""A benchmark that nobody has submitted to can be deleted; one with anything of others in it says why not."""

import pytest
from django.db import DatabaseError, connection, transaction
from django.urls import reverse

from accounts.models import AuditEntry
from benchmarks.models import Benchmark, Phase, Split, Task
from benchmarks.notices.services import accept_terms, write_terms
from benchmarks.people.models import Role
from leaderboard.models import Page
from leaderboard.publication.services import refresh_stale
from scoring.models import Batch, GoldVersion
from scoring.queue.batches import close_due
from tests.conftest import NOW, TOY_DEFINITION
from tests.pages import browser_of
from tests.people import appoint
from tests.weeks import CUT_OFF, upload

pytestmark = pytest.mark.postgres
where_one_role_does_all = pytest.mark.skipif(
    connection.vendor == "postgresql",
    reason="a web server may delete no history; the owner does, see tests/accounts/test_database_rights.py",
)


@pytest.fixture
def bare(toy, clerk):
    """The toy benchmark with gold labels, terms and a batch that nothing was submitted to; clerk runs it."""
    appoint(toy, clerk, Role.OWNER)
    write_terms(benchmark=toy, text="Be fair.", by=clerk, now=NOW)
    close_due(CUT_OFF)
    refresh_stale()
    return toy


@pytest.fixture
def remove(client, clerk):
    client.force_login(clerk)
    page = reverse("admin:benchmarks_benchmark_remove", args=["toy"])
    return lambda **sent: client.post(page, sent, follow=True)


@where_one_role_does_all
def test_it_goes_with_all_that_belongs_to_it(bare, remove, sync):
    other = sync(TOY_DEFINITION.replace("id: toy", "id: other"))
    answer = remove(confirmed="yes", reason="Made by mistake.")

    assert [str(message) for message in answer.context["messages"]] == ["Toy was deleted."]
    assert list(Benchmark.objects.all()) == [other]
    assert not Split.objects.exists()
    assert not GoldVersion.objects.exists()
    assert not Batch.objects.exists()
    assert {task.benchmark_id for task in Task.objects.all()} == {"other"}
    assert not Page.objects.filter(path__startswith="/benchmarks/toy").exists()
    assert b"/benchmarks/toy/" not in bytes(Page.objects.get(path="/").body)


@where_one_role_does_all
def test_the_audit_log_keeps_its_entries_and_says_who_deleted_it(bare, remove, clerk):
    before = AuditEntry.objects.count()
    remove(confirmed="yes", reason="Made by mistake.")
    assert AuditEntry.objects.count() == before + 1
    entry = AuditEntry.objects.get(what__startswith="Deleted")
    assert (entry.actor, entry.benchmark, entry.reason) == (clerk, "toy", "Made by mistake.")


def test_looking_at_the_question_deletes_nothing(bare, remove):
    assert "this cannot be undone" in remove().content.decode()
    assert Benchmark.objects.exists()


def test_gold_labels_are_guarded_afterwards_as_before(bare, remove, sync):
    from scoring.gold.versions import load_gold
    from tests.conftest import TOY_GOLD

    remove(confirmed="yes")
    again = sync(TOY_DEFINITION)
    load_gold(task=again.tasks.get(slug="mood"), data=TOY_GOLD["mood"], file_name="gold", now=NOW)
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        GoldVersion.objects.all().delete()


def test_one_with_a_submission_says_why_it_stays(bare, remove, system, phase, owner):
    accept_terms(user=owner, benchmark=bare, version=1, now=NOW)
    upload(system, phase, at=CUT_OFF)
    (problem,) = remove(confirmed="yes").context["question"].problems
    assert "Toy cannot be deleted, because others have left something in it" in problem
    assert "submissions: 1; people who accepted its terms: 1" in problem
    assert Phase.objects.exists()


def test_somebody_else_s_is_not_found(bare, outsider, client):
    outsider.is_staff = True
    outsider.save()
    answer = browser_of(outsider).post(
        reverse("admin:benchmarks_benchmark_remove", args=["toy"]), {"confirmed": "yes"}
    )
    assert answer.status_code in (403, 404)
    assert Benchmark.objects.exists()
