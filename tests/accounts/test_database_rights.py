"""The role of the service adds to history and can do nothing else to it; everything else works with it."""

import datetime as dt

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction

from accounts.events.log import forget_clients, forget_old_events
from accounts.models import AccountEvent, EventKind, User
from accounts.server.append_only_triggers import KEPT_FOR
from accounts.server.clock import database_now
from accounts.server.database_rights import Writer, changeable_history, writers_of_tables
from benchmarks.models import Benchmark
from leaderboard.models import Release, ReleaseCell
from leaderboard.personal_data.retention import UNCONFIRMED, forget_unconfirmed
from leaderboard.publication.removal import CannotRemove, remove_benchmark
from scoring.models import Score
from tests.conftest import GUARDED
from tests.database_roles import role_of
from tests.weeks import CUT_OFF, run_batch, upload

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no roles"),
]

WRITERS = writers_of_tables()
KEYS = {model._meta.db_table: model._meta.pk.column for model in apps.get_models()}  # as documented


def execute(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


@pytest.fixture
def as_web(db):
    """Everything is done with the role of web servers."""
    execute(f"SET ROLE {role_of(Writer.WEB)}")
    yield
    execute("RESET ROLE")


@pytest.fixture
def as_worker(db):
    """Everything is done with the role of workers."""
    execute(f"SET ROLE {role_of(Writer.WORKER)}")
    yield
    execute("RESET ROLE")


@pytest.fixture(params=list(Writer))
def as_service(request, db):
    """Everything is done with one role of the service after the other."""
    execute(f"SET ROLE {role_of(request.param)}")
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


def test_owner_may_change_history(db):
    assert set(changeable_history()) == set(GUARDED)


def test_service_may_not_change_history(as_service):
    assert changeable_history() == []


@pytest.mark.parametrize("table", [table for table, writer in WRITERS.items() if writer == Writer.WORKER])
def test_web_server_cannot_write_what_workers_find_out(table, as_web):
    assert refused(f"INSERT INTO {table} DEFAULT VALUES")
    assert refused(f"UPDATE {table} SET {KEYS[table]} = {KEYS[table]}")  # noqa: S608  # names of ours
    assert refused(f"DELETE FROM {table}")  # noqa: S608  # a name of ours


@pytest.mark.parametrize("table", [table for table, writer in WRITERS.items() if writer == Writer.WEB])
def test_worker_cannot_write_who_people_are_and_what_they_sent(table, as_worker):
    assert refused(f"INSERT INTO {table} DEFAULT VALUES")
    assert refused(f"UPDATE {table} SET {KEYS[table]} = {KEYS[table]}")  # noqa: S608  # names of ours


def test_web_server_takes_and_a_worker_scores_and_publishes(system, phase, gold_keys, db):
    execute(f"SET ROLE {role_of(Writer.WEB)}")
    upload(system, phase)
    execute(f"SET ROLE {role_of(Writer.WORKER)}")
    run_batch(CUT_OFF)
    execute("RESET ROLE")
    assert Release.objects.count() == 1
    assert Score.objects.exists()


def test_benchmark_with_gold_labels_is_deleted_by_the_owner_alone(toy, gold_keys, as_web):
    with pytest.raises(CannotRemove, match=r"manage\.py remove_benchmark toy"):
        remove_benchmark(toy)
    assert Benchmark.objects.filter(pk="toy").exists()
    execute("RESET ROLE")
    call_command("remove_benchmark", "toy", verbosity=0)
    assert not Benchmark.objects.filter(pk="toy").exists()


def test_worker_deletes_events_that_are_old_enough_alone(owner, as_worker):
    now = database_now()
    for days in (1, 400):
        AccountEvent.objects.create(user=owner, kind="sign_in", at=now - dt.timedelta(days=days))
    assert forget_old_events(now) == 1
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        AccountEvent.objects.all().delete()


def test_worker_makes_the_clients_of_old_events_empty_and_changes_nothing_else(owner, as_worker):
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


@pytest.mark.parametrize("something_happened", [False, True])
def test_worker_forgets_whoever_never_confirmed_an_address(something_happened, db):
    now = database_now()
    user = User.objects.create_user("nobody@example.org", date_joined=now - 2 * UNCONFIRMED)
    if something_happened:
        AccountEvent.objects.create(user=user, kind=EventKind.SIGN_IN_FAILED, at=now)
    execute(f"SET ROLE {role_of(Writer.WORKER)}")
    assert forget_unconfirmed(now) == 1
    execute("RESET ROLE")
    assert not User.objects.filter(email=user.email).exists()


@pytest.mark.parametrize(("role", "said"), [("nobody_here", "There is no role"), ("heldout", "may do less")])
def test_rights_are_given_to_a_lesser_role_alone(role, said, db):
    with pytest.raises(CommandError, match=said):
        call_command("grant_rights", role, of="web")


@pytest.mark.parametrize("kind", list(Writer))
def test_service_ends_a_released_cell_and_changes_nothing_else_of_it(kind, system, phase, gold_keys):
    upload(system, phase)
    run_batch(CUT_OFF)
    execute(f"SET ROLE {role_of(kind)}")
    assert refused("UPDATE leaderboard_releasecell SET seed = 2")
    assert refused("UPDATE leaderboard_releasecell SET until = 2, seed = 2")
    ReleaseCell.objects.update(until=2)
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
        ReleaseCell.objects.update(until=3)
    execute("RESET ROLE")
