"""What the service's roles may do in PostgreSQL: use the tables and add to history; never change, empty or drop it.

Web servers and workers have a role each. A table that one kind alone writes (`sole_writer` of its model) is only read
by the other: a web server makes no score, a worker no session. Of history that is kept for a time a worker may delete
rows and make a column empty; the trigger lets it do so with old ones alone. A column that is filled once may be.

The tables belong to another role, with which `migrate` alone connects. Triggers say what is history, see
`accounts.server.append_only_triggers`; whoever owns a table could take them away, so the service must not.
"""

from collections.abc import Iterator
from enum import StrEnum

from django.apps import apps
from django.db import connection

from accounts.server.append_only_triggers import BLANKED, FILLED_ONCE, KEPT_FOR


class Writer(StrEnum):
    """A kind of process that has a database role of its own."""

    WEB = "web"
    WORKER = "worker"


# Tables of libraries. A worker deletes what is out of date, and makes none of them.
_WRITTEN_BY_WEB = (
    "django_session",
    "account_emailconfirmation",
    "mfa_authenticator",
    "socialaccount_socialaccount",
    "socialaccount_socialapp",
    "socialaccount_socialtoken",
    "django_admin_log",
)
_TABLES = """
SELECT relname, EXISTS (
    SELECT FROM pg_trigger WHERE tgrelid = pg_class.oid AND tgname = relname || '_append_only'
), ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = pg_class.oid AND attnum > 0)
FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace ORDER BY relname
"""
_CHANGEABLE = """
SELECT relname FROM pg_class JOIN pg_trigger ON tgrelid = pg_class.oid AND tgname = relname || '_append_only'
WHERE has_table_privilege(pg_class.oid, 'UPDATE, TRUNCATE')
    OR (has_table_privilege(pg_class.oid, 'DELETE') AND NOT relname = ANY(%s))
ORDER BY relname
"""
MIGRATIONS = "django_migrations"


def grant(role: str, kind: Writer) -> Iterator[str]:
    """Give the role of a kind of process what it needs, and nothing more; run by the owner after each migration.

    Yields each table that it may only read.
    """
    quoted = connection.ops.quote_name(role)
    writers = writers_of_tables()
    with connection.cursor() as cursor:
        cursor.execute("REVOKE CREATE ON SCHEMA public FROM PUBLIC")
        cursor.execute(f"GRANT USAGE ON SCHEMA public TO {quoted}")
        cursor.execute(f"GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {quoted}")
        cursor.execute(_TABLES)
        for table, is_history, columns in cursor.fetchall():
            name = connection.ops.quote_name(table)
            rights = _rights(table, is_history, kind, writers.get(table, kind))
            if rights[1:] and table in FILLED_ONCE and FILLED_ONCE[table].column in columns:
                rights.append(f"UPDATE ({FILLED_ONCE[table].column})")
            cursor.execute(f"REVOKE ALL ON {name} FROM {quoted}")
            cursor.execute(f"GRANT {', '.join(rights)} ON {name} TO {quoted}")
            if rights == ["SELECT"]:
                yield table


def _rights(table: str, is_history: bool, kind: Writer, writer: Writer) -> list[str]:
    """Workers also forget what web servers have written, once its time is over."""
    rights = ["SELECT"]
    if table == MIGRATIONS:
        return rights
    if kind == writer:
        rights += ["INSERT"] if is_history else ["INSERT", "UPDATE"]
    if kind in (writer, Writer.WORKER) and (not is_history or table in KEPT_FOR):
        rights.append("DELETE")
    if kind == Writer.WORKER and table in BLANKED:
        rights.append(f"UPDATE ({BLANKED[table].column})")
    return rights


def writers_of_tables() -> dict[str, Writer]:
    """The kind of process that alone writes a table, for tables that have one."""
    declared = {
        model._meta.db_table: model.sole_writer  # noqa: SLF001  # Django's documented way to the table
        for model in apps.get_models(include_auto_created=True)
        if hasattr(model, "sole_writer")
    }
    return dict.fromkeys(_WRITTEN_BY_WEB, Writer.WEB) | declared


def changeable_history() -> list[str]:
    """The append-only tables that this process's role may change; none on SQLite, which has no roles."""
    if connection.vendor != "postgresql":
        return []
    with connection.cursor() as cursor:
        cursor.execute(_CHANGEABLE, [list(KEPT_FOR)])
        return [table for (table,) in cursor.fetchall()]
