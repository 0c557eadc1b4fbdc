"""Which migrations the database has, and which this code knows."""

import datetime as dt

from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Min


def applied_migrations() -> list[str]:
    """All that are applied, as `app.name`."""
    return sorted(f"{app}.{name}" for app, name in MigrationRecorder(connection).applied_migrations())


def known_migrations() -> list[str]:
    """All that this code has, as `app.name`. It reads every file of them."""
    return sorted(f"{app}.{name}" for app, name in MigrationLoader(None).graph.nodes)


def installed_at() -> dt.datetime:
    """When the first migration was applied here."""
    first: dt.datetime = MigrationRecorder.Migration.objects.aggregate(at=Min("applied"))["at"]
    return first
