"""What the service's role may do in PostgreSQL: use the tables, and add to history; never change, empty or drop it.

Of history that is kept for a time it may delete rows, and make a column empty; the trigger lets it do so with old ones
alone.

The tables belong to another role, with which `migrate` alone connects. Triggers say what is history, see
`accounts.server.append_only_triggers`; whoever owns a table could take them away, so the service must not.
"""

from collections.abc import Iterator

from django.db import connection

from accounts.server.append_only_triggers import BLANKED, KEPT_FOR

_TABLES = """
SELECT relname, EXISTS (
    SELECT FROM pg_trigger WHERE tgrelid = pg_class.oid AND tgname = relname || '_append_only'
)
FROM pg_class WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace ORDER BY relname
"""
_CHANGEABLE = """
SELECT relname FROM pg_class JOIN pg_trigger ON tgrelid = pg_class.oid AND tgname = relname || '_append_only'
WHERE has_table_privilege(pg_class.oid, 'UPDATE, TRUNCATE')
    OR (has_table_privilege(pg_class.oid, 'DELETE') AND NOT relname = ANY(%s))
ORDER BY relname
"""
MIGRATIONS = "django_migrations"


def grant(role: str) -> Iterator[str]:
    """Give a role of the service what it needs, and nothing more; run by the owner after each migration.

    Yields each table that is history.
    """
    quoted = connection.ops.quote_name(role)
    with connection.cursor() as cursor:
        cursor.execute("REVOKE CREATE ON SCHEMA public FROM PUBLIC")
        cursor.execute(f"GRANT USAGE ON SCHEMA public TO {quoted}")
        cursor.execute(f"GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {quoted}")
        cursor.execute(_TABLES)
        for table, is_history in cursor.fetchall():
            name = connection.ops.quote_name(table)
            cursor.execute(f"REVOKE ALL ON {name} FROM {quoted}")
            cursor.execute(f"GRANT {_rights(table, is_history)} ON {name} TO {quoted}")
            if is_history:
                yield table


def _rights(table: str, is_history: bool) -> str:
    if table == MIGRATIONS:
        return "SELECT"
    if is_history:
        deletes = ", DELETE" if table in KEPT_FOR else ""
        blanks = f", UPDATE ({BLANKED[table].column})" if table in BLANKED else ""
        return f"SELECT, INSERT{deletes}{blanks}"
    return "SELECT, INSERT, UPDATE, DELETE"


def changeable_history() -> list[str]:
    """The append-only tables that this process's role may change; none on SQLite, which has no roles."""
    if connection.vendor != "postgresql":
        return []
    with connection.cursor() as cursor:
        cursor.execute(_CHANGEABLE, [list(KEPT_FOR)])
        return [table for (table,) in cursor.fetchall()]
