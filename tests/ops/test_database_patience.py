"""What each process lets the database wait for."""

import subprocess
import sys

import psycopg
import pytest
from django.db import connection

from config.database import PATIENCE, Process, postgres_options
from tests.ops.demos import ROOT, plain_environment

SHOW = "from config import settings; print(settings.DATABASES['default']['OPTIONS'].get('options', ''))"
URL = {"HELDOUT_MODE": "test", "HELDOUT_DATABASE_URL": "postgres://nobody@127.0.0.1:1/none"}


@pytest.mark.parametrize(
    ("entry", "process"),
    [
        ("import config.wsgi", Process.WEB),
        ("import sys; sys.argv[0] = '/usr/bin/celery'; import config.celery", Process.WORKER),
        ("import config", None),
    ],
)
def test_each_entry_point_sets_limits_of_its_own(entry, process, tmp_path):
    environment = plain_environment() | URL | {"HELDOUT_DATA": str(tmp_path)}
    environment["DJANGO_SETTINGS_MODULE"] = "config.settings"
    command = [sys.executable, "-c", f"{entry}; {SHOW}"]
    said = subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True)
    assert said.stdout.strip() == (PATIENCE[process].options if process else "")


@pytest.mark.postgres
@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no such limits")
def test_process_that_stops_within_a_transaction_lets_the_others_go(transactional_db):
    where = connection.get_connection_params()
    where = {name: where[name] for name in ("dbname", "user", "host") if name in where}
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE one_row AS SELECT 1 AS number")
    try:
        shorter = "-c idle_in_transaction_session_timeout=2s"
        stopped = psycopg.connect(**where, **(postgres_options(Process.WORKER) | {"options": shorter}))
        stopped.execute("SELECT * FROM one_row FOR UPDATE")
        options = postgres_options(Process.WEB)
        options["options"] = options["options"].replace("lock_timeout=5s", "lock_timeout=1s")
        with psycopg.connect(**where, **options) as other:
            with pytest.raises(psycopg.errors.LockNotAvailable):
                other.execute("UPDATE one_row SET number = 2")
            other.rollback()
            other.execute("SET lock_timeout = '10s'")
            other.execute("UPDATE one_row SET number = 2")  # the one that does nothing was ended
        with pytest.raises(psycopg.Error):
            stopped.execute("SELECT 1")
        stopped.close()
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DROP TABLE one_row")
