"""The role of the service adds to history and can do nothing else to it; everything else works with it."""

import datetime as dt

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction

from accounts.events.log import forget_clients, forget_old_events
from accounts.models import AccountEvent
from accounts.server.append_only_triggers import KEPT_FOR
from accounts.server.clock import database_now
from accounts.server.database_rights import changeable_history
from benchmarks.models import Benchmark
from leaderboard.models import Release
from leaderboard.publication.removal import CannotRemove, remove_benchmark
from scoring.models import Score
from tests.conftest import GUARDED
from tests.weeks import CUT_OFF, run_batch, upload

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no roles"),
]
ROLE = "service_of_a_test"


def execute(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


@pytest.fixture
def as_service(db):
    """Everything is done with the role of the service."""
    execute(f"CREATE ROLE {ROLE}")
    call_command("grant_rights", ROLE, verbosity=0)
    execute(f"SET ROLE {ROLE}")
    yield
    execute("RESET ROLE")


def refused(statement: str) -> bool:
    try:
        with transaction.atomic():
            execute(statement)
    except DatabaseError as error:
        return getattr(error.__cause__, "sqlstate", "") == "42501"  # insufficient privilege
    return False


@pytest.mark.parametrize("table", GUARDED)
def test_service_cannot_change_empty_or_unguard_history(table, as_service):
    assert refused(f"TRUNCATE {table} CASCADE")
    assert refused(f"DELETE FROM {table}") or table in KEPT_FOR  # noqa: S608  # a name of ours
    assert refused(f"ALTER TABLE {table} DISABLE TRIGGER ALL")
    assert refused(f"DROP TRIGGER {table}_append_only ON {table}")
    assert refused(f"DROP TABLE {table} CASCADE")


def test_service_makes_and_drops_nothing(as_service):
    assert refused("CREATE TABLE of_the_service (number integer)")
    assert refused("DROP FUNCTION heldout_append_only() CASCADE")
    assert refused("UPDATE django_migrations SET name = ''")
    assert refused("TRUNCATE submissions_submission CASCADE")


def test_owner_may_change_history_and_the_service_may_not(db, settings):
    assert set(changeable_history()) == set(GUARDED)
    execute(f"CREATE ROLE {ROLE}")
    call_command("grant_rights", ROLE, verbosity=0)
    execute(f"SET ROLE {ROLE}")
    assert changeable_history() == []
    execute("RESET ROLE")


def test_service_takes_scores_and_publishes(system, phase, gold_keys, as_service):
    upload(system, phase)
    run_batch(CUT_OFF)
    assert Release.objects.count() == 1
    assert Score.objects.exists()


def test_benchmark_with_gold_labels_is_deleted_by_the_owner_alone(toy, gold_keys, as_service):
    with pytest.raises(CannotRemove, match=r"manage\.py remove_benchmark toy"):
        remove_benchmark(toy)
    assert Benchmark.objects.filter(pk="toy").exists()
    execute("RESET ROLE")
    call_command("remove_benchmark", "toy", verbosity=0)
    assert not Benchmark.objects.filter(pk="toy").exists()


def test_service_deletes_events_that_are_old_enough_alone(owner, as_service):
    now = database_now()
    for days in (1, 400):
        AccountEvent.objects.create(user=owner, kind="sign_in", at=now - dt.timedelta(days=days))
    assert forget_old_events(now) == 1
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        AccountEvent.objects.all().delete()


def test_service_makes_the_clients_of_old_events_empty_and_changes_nothing_else(owner, as_service):
    now = database_now()
    for days in (80, 100):
        AccountEvent.objects.create(
            user=owner, kind="sign_in", client="192.0.2.7", at=now - dt.timedelta(days=days)
        )
    assert forget_clients(now) == 1
    assert [one.client for one in AccountEvent.objects.order_by("at")] == [None, "192.0.2.7"]
    assert refused("UPDATE accounts_accountevent SET detail = 'x'")
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        AccountEvent.objects.update(client=None)


@pytest.mark.parametrize(("role", "said"), [("nobody_here", "There is no role"), ("heldout", "may do less")])
def test_rights_are_given_to_a_lesser_role_alone(role, said, db):
    with pytest.raises(CommandError, match=said):
        call_command("grant_rights", role)
