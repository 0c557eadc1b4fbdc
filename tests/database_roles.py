"""On PostgreSQL each request is answered, and each task done, with the role that such a process is installed with."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import psycopg
from celery.app.task import Task
from django.core.handlers.base import BaseHandler
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from accounts.server.database_rights import Writer


def role_of(kind: Writer) -> str:
    """Its name; a server may have several databases of tests, each with roles of its own."""
    return f"{kind}_of_{connection.settings_dict['NAME']}"


def have_roles() -> None:
    """For the database of this process, which has just been made, and from now on."""
    with connection.cursor() as cursor:
        for kind in Writer:
            cursor.execute("SELECT FROM pg_roles WHERE rolname = %s", [role_of(kind)])
            if cursor.fetchone() is None:
                cursor.execute(f"CREATE ROLE {role_of(kind)}")
    _grant()
    setattr(MigrationExecutor, "migrate", _and_grant(MigrationExecutor.migrate))  # noqa: B010  # patched for the session
    for entry, name, kind in ((BaseHandler, "get_response", Writer.WEB), (Task, "__call__", Writer.WORKER)):
        setattr(entry, name, _with_role(kind, getattr(entry, name)))


def _grant() -> None:
    for kind in Writer:
        call_command("grant_rights", role_of(kind), of=kind, verbosity=0)


def _and_grant(migrate: Callable[..., Any]) -> Callable[..., Any]:
    """As an installation does: a table that is made anew has no rights before."""

    def do(*arguments: Any, **named: Any) -> Any:
        state = migrate(*arguments, **named)
        _grant()
        return state

    return do


def _with_role(kind: Writer, done: Callable[..., Any]) -> Callable[..., Any]:
    def do(*arguments: Any, **named: Any) -> Any:
        _say(f"SET ROLE {role_of(kind)}")
        try:
            return done(*arguments, **named)
        finally:
            _say("RESET ROLE")

    return do


def _say(statement: str) -> None:
    """Past Django, which would count it; a test without a database has no connection."""
    with suppress(RuntimeError, psycopg.Error):
        connection.ensure_connection()
        connection.connection.execute(statement)
