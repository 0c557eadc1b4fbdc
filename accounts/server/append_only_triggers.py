"""Triggers that keep history: rows that may be added but never changed or removed."""

import datetime as dt

from django.db.backends.base.schema import BaseDatabaseSchemaEditor

# Tables whose rows are free again once so much time has passed since the instant in their column `at`.
KEPT_FOR = {"accounts_accountevent": dt.timedelta(days=365)}

_POSTGRES_FUNCTION = """
CREATE OR REPLACE FUNCTION heldout_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END $$
"""


def create_statements(vendor: str, table: str) -> list[str]:
    """SQL that makes `table` append-only on a database of that vendor.

    Raises
    ------
    ValueError
        For a vendor other than postgresql and sqlite.
    """
    if vendor == "postgresql":
        return [
            _POSTGRES_FUNCTION,
            f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE ON {table} FOR EACH ROW "
            f"{_while_kept(vendor, table)}EXECUTE FUNCTION heldout_append_only()",
        ]
    if vendor == "sqlite":
        return [
            f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} "
            f"{_while_kept(vendor, table)}BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
            for verb in ("UPDATE", "DELETE")
        ]
    raise ValueError(f"no triggers are written for {vendor}; use PostgreSQL or SQLite")


def _while_kept(vendor: str, table: str) -> str:
    """The condition under which the trigger of a table works; empty where it always does."""
    kept = KEPT_FOR.get(table)
    if kept is None:
        return ""
    if vendor == "postgresql":
        return f"WHEN (OLD.at > now() - interval '{kept.days} days') "
    return f"WHEN OLD.at > datetime('now', '-{kept.days} days') "


def drop_statements(vendor: str, table: str) -> list[str]:
    """SQL that takes the triggers away again."""
    if vendor == "postgresql":
        return [f"DROP TRIGGER IF EXISTS {table}_append_only ON {table}"]
    return [f"DROP TRIGGER IF EXISTS {table}_no_{verb}" for verb in ("update", "delete")]


def protect(schema_editor: BaseDatabaseSchemaEditor, table: str) -> None:
    for statement in create_statements(schema_editor.connection.vendor, table):
        schema_editor.execute(statement, params=None)  # no placeholders: `%` is plain text in a trigger


def unprotect(schema_editor: BaseDatabaseSchemaEditor, table: str) -> None:
    for statement in drop_statements(schema_editor.connection.vendor, table):
        schema_editor.execute(statement, params=None)  # no placeholders: `%` is plain text in a trigger
