"""Renewals of items are history: nobody changes or removes one."""

from typing import Any

from django.db import migrations

from accounts.server.append_only_triggers import protect, unprotect


def keep(apps: Any, schema_editor: Any) -> None:
    protect(schema_editor, "benchmarks_itemrenewal")


def free(apps: Any, schema_editor: Any) -> None:
    unprotect(schema_editor, "benchmarks_itemrenewal")


class Migration(migrations.Migration):
    dependencies = [("benchmarks", "0005_item_renewals")]

    operations = [migrations.RunPython(keep, free)]
