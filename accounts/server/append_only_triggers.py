"""Triggers that keep history: rows that may be added but never changed or removed."""

import datetime as dt
from dataclasses import dataclass

from django.db.backends.base.schema import BaseDatabaseSchemaEditor

# Tables whose rows are free again once so much time has passed since the instant in their column `at`.
KEPT_FOR = {"accounts_accountevent": dt.timedelta(days=365)}


@dataclass(frozen=True, slots=True)
class Blanked:
    """A column that may be made empty once so much time has passed, while the other columns stay as they are."""

    column: str
    after: dt.timedelta
    others: tuple[str, ...]


BLANKED = {
    "accounts_accountevent": Blanked(
        "client", dt.timedelta(days=90), ("id", "at", "user_id", "kind", "detail", "by_id")
    )
}


@dataclass(frozen=True, slots=True)
class FilledOnce:
    """A column that is empty at first and may be filled once, for good, while the other columns stay as they are."""

    column: str
    others: tuple[str, ...]


FILLED_ONCE = {
    "leaderboard_releasecell": FilledOnce(
        "until",
        (
            "id",
            "release_id",
            "place",
            "system_id",
            "task_id",
            "split_id",
            "track",
            "seed",
            "submission_id",
            "score_id",
            "disclosed_id",
        ),
    )
}

_POSTGRES_FUNCTION = """
CREATE OR REPLACE FUNCTION heldout_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END $$
"""


def create_statements(vendor: str, table: str, *, wholly: bool = False) -> list[str]:
    """SQL that makes `table` append-only on a database of that vendor.

    `wholly`: without the column that may be filled once, as before the table had one.

    Raises
    ------
    ValueError
        For a vendor other than postgresql and sqlite.
    """
    filled = None if wholly else FILLED_ONCE.get(table)
    if vendor == "postgresql":
        does = "FOR EACH ROW {when}EXECUTE FUNCTION heldout_append_only()"
        if table not in BLANKED and not filled:
            when = _while_kept(vendor, table, "UPDATE")
            return [
                _POSTGRES_FUNCTION,
                f"CREATE TRIGGER {table}_append_only BEFORE UPDATE OR DELETE ON {table} {does.format(when=when)}",
            ]
        return [
            _POSTGRES_FUNCTION,
            *(
                f"CREATE TRIGGER {table}_{name} BEFORE {verb} ON {table} "
                f"{does.format(when=_while_kept(vendor, table, verb, filled))}"
                for name, verb in (("append_only", "DELETE"), ("append_only_update", "UPDATE"))
            ),
        ]
    if vendor == "sqlite":
        return [
            f"CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table} "
            f"{_while_kept(vendor, table, verb, filled)}BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END"
            for verb in ("UPDATE", "DELETE")
        ]
    raise ValueError(f"no triggers are written for {vendor}; use PostgreSQL or SQLite")


def _while_kept(vendor: str, table: str, verb: str, filled: FilledOnce | None = None) -> str:
    """The condition under which the trigger of a table works; empty where it always does."""
    if verb == "UPDATE" and filled:
        is_filling = f"OLD.{filled.column} IS NULL AND NEW.{filled.column} IS NOT NULL"
        return f"WHEN (NOT ({is_filling} AND {_unchanged(vendor, filled.others)})) "
    kept = KEPT_FOR.get(table)
    if kept is None:
        return ""
    condition = _is_younger(vendor, kept)
    if verb == "UPDATE" and (blanked := BLANKED.get(table)):
        is_blanking = f"NEW.{blanked.column} IS NULL AND {_unchanged(vendor, blanked.others)}"
        condition += f" AND ({_is_younger(vendor, blanked.after)} OR NOT ({is_blanking}))"
    return f"WHEN ({condition}) "


def _unchanged(vendor: str, columns: tuple[str, ...]) -> str:
    same = "IS NOT DISTINCT FROM" if vendor == "postgresql" else "IS"
    return " AND ".join(f"NEW.{name} {same} OLD.{name}" for name in columns)


def _is_younger(vendor: str, time: dt.timedelta) -> str:
    if vendor == "postgresql":
        return f"OLD.at > now() - interval '{time.days} days'"
    return f"OLD.at > datetime('now', '-{time.days} days')"


def drop_statements(vendor: str, table: str) -> list[str]:
    """SQL that takes the triggers away again."""
    if vendor == "postgresql":
        names = ("append_only", "append_only_update")
        return [f"DROP TRIGGER IF EXISTS {table}_{name} ON {table}" for name in names]
    return [f"DROP TRIGGER IF EXISTS {table}_no_{verb}" for verb in ("update", "delete")]


def protect(schema_editor: BaseDatabaseSchemaEditor, table: str, *, wholly: bool = False) -> None:
    for statement in create_statements(schema_editor.connection.vendor, table, wholly=wholly):
        schema_editor.execute(statement, params=None)  # no placeholders: `%` is plain text in a trigger


def unprotect(schema_editor: BaseDatabaseSchemaEditor, table: str) -> None:
    for statement in drop_statements(schema_editor.connection.vendor, table):
        schema_editor.execute(statement, params=None)  # no placeholders: `%` is plain text in a trigger
