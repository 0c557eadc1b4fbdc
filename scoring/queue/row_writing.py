"""Many new rows of one table, column by column, without an object of the model for each.

The values are converted as the model's fields convert them, and the database refuses what it refuses of any row.
"""

from collections.abc import Iterable, Sequence
from typing import Any, cast

from django.db import connections, models, router, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Field


def insert_rows(
    model: type[models.Model],
    columns: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    ignore_conflicts: bool = False,
) -> None:
    """Insert rows with these fields of a model, in this order; of foreign keys the rows hold ids.

    Fields that are not named are left to the database, not to the model's defaults. With `ignore_conflicts` rows that
    are there already are left out. All rows are one transaction: outside of any, SQLite would wait for its disk after
    every row.
    """
    database = connections[router.db_for_write(model)]
    options = model._meta  # noqa: SLF001  # documented by Django under this name
    fields = [cast("Field[Any, Any]", options.get_field(name)) for name in columns]
    held = list(rows)
    if not held:
        return
    by_field = zip(fields, zip(*held, strict=True), strict=True)
    prepared = list(zip(*(_converted(field, values, database) for field, values in by_field), strict=True))
    names = ", ".join(database.ops.quote_name(field.column or field.name) for field in fields)
    places = ", ".join(["%s"] * len(fields))
    table = database.ops.quote_name(options.db_table)
    ending = " ON CONFLICT DO NOTHING" if ignore_conflicts else ""
    with transaction.atomic(using=database.alias, savepoint=False), database.cursor() as cursor:
        cursor.executemany(f"INSERT INTO {table} ({names}) VALUES ({places}){ending}", prepared)  # noqa: S608  # names of the model


def _converted(
    field: "Field[Any, Any]", values: Sequence[object], database: BaseDatabaseWrapper
) -> list[object]:
    """A column as the database takes it; each object is converted once, for most columns hold few of them.

    Floats in a column of floats stay as they are.
    """
    kept = float if isinstance(field, models.FloatField) else ()
    distinct = {id(value): value for value in values if not isinstance(value, kept)}
    converted = {key: field.get_db_prep_save(value, database) for key, value in distinct.items()}
    return [converted.get(id(value), value) for value in values]
