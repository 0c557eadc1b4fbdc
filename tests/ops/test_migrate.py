"""Machines that start together bring one database up to date."""

import subprocess
import sys
from urllib.parse import urlencode

import psycopg
import pytest
from django.db import connection

from tests.ops.demos import ROOT, plain_environment

pytestmark = [pytest.mark.postgres, pytest.mark.thorough]


@pytest.mark.skipif(connection.vendor != "postgresql", reason="a SQLite file has one writer anyway")
def test_two_migrations_of_an_empty_database_at_once_both_succeed(transactional_db, tmp_path):
    where = connection.get_connection_params()
    where = {name: where[name] for name in ("user", "host") if name in where}
    with psycopg.connect(dbname="postgres", autocommit=True, **where) as server:
        server.execute("CREATE DATABASE two_at_once")
        for limit in ("lock_timeout", "statement_timeout"):  # of the server of tests; commands have none
            server.execute(f"ALTER DATABASE two_at_once SET {limit} = 0")
        url = f"postgres://{where['user']}@/two_at_once?{urlencode({'host': where['host']})}"
        environment = plain_environment() | {
            "HELDOUT_MODE": "test",
            "HELDOUT_DATA": str(tmp_path),
            "HELDOUT_DATABASE_URL": url,
        }
        command = [sys.executable, "manage.py", "migrate", "--noinput", "--verbosity", "0"]
        both = [
            subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True)
            for _ in range(2)
        ]
        said = [one.communicate()[1] for one in both]
        assert [one.returncode for one in both] == [0, 0], said
        left = [sys.executable, "manage.py", "migrate", "--check"]
        assert subprocess.run(left, cwd=ROOT, env=environment, check=False).returncode == 0
        server.execute("DROP DATABASE two_at_once WITH (FORCE)")
