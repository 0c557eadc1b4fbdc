"""While a server is brought up to date, the code of before serves beside the tables of after; migrations let it."""

import pytest
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.models import NOT_PROVIDED

NEVER_UPGRADED = {
    "accounts": 8,
    "benchmarks": 20,
    "breaking": 3,
    "labelling": 6,
    "leaderboard": 11,
    "operations": 3,
    "scoring": 5,
    "submissions": 17,
    "transparency": 3,
}
"""The number of the newest migration of each app that was never brought to a running server beside older code."""


def breaks(operation: migrations.operations.base.Operation) -> str:
    """Why code that does not know of the operation yet would fail; empty where it would not."""
    match operation:
        case migrations.AddField():
            field = operation.field
            if not (field.null or field.many_to_many or field.db_default is not NOT_PROVIDED):
                return f"rows without {operation.name} are refused: give it a db_default, or let it be null"
        case migrations.AlterField():
            if not operation.field.null and operation.field.db_default is NOT_PROVIDED:
                return f"{operation.name} may become NOT NULL: give it a db_default, or change it a version later"
        case migrations.RemoveField() | migrations.DeleteModel():
            return f"{operation.name} is still read: take it away a version later"
        case migrations.RenameField() | migrations.RenameModel() | migrations.AlterModelTable():
            return "what is renamed is not found: add the new one, and take the old one away a version later"
    return ""


BREAKING = (
    migrations.AddField("team", "motto", models.TextField()),
    migrations.AlterField("team", "motto", models.TextField()),
    migrations.RemoveField("team", "motto"),
    migrations.RenameField("team", "motto", "saying"),
    migrations.DeleteModel("team"),
)
HARMLESS = (
    migrations.AddField("team", "motto", models.TextField(db_default="")),
    migrations.AddField("team", "motto", models.TextField(null=True)),
    migrations.CreateModel("choir", []),
    migrations.AddIndex("team", models.Index(fields=["motto"], name="of_motto")),
)


@pytest.mark.parametrize("operation", BREAKING)
def test_what_older_code_trips_over_is_named(operation):
    assert breaks(operation)


@pytest.mark.parametrize("operation", HARMLESS)
def test_what_older_code_does_not_notice_is_allowed(operation):
    assert not breaks(operation)


def test_code_of_before_can_serve_beside_each_newer_migration():
    loader = MigrationLoader(None, ignore_no_migrations=True)
    broken = {
        f"{app}.{name}": why
        for (app, name), migration in loader.disk_migrations.items()
        if app in NEVER_UPGRADED and int(name[:4]) > NEVER_UPGRADED[app]
        # It may say since which version nothing reads what it takes away.
        if not getattr(migration, "unused_since", "")
        for operation in migration.operations
        if (why := breaks(operation))
    }
    assert broken == {}
