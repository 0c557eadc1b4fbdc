from django.db import migrations

from scoring.append_only_triggers import protect, unprotect

TABLES = ("benchmarks_terms", "benchmarks_acceptance")


def create(apps, schema_editor):
    for table in TABLES:
        protect(schema_editor, table)


def drop(apps, schema_editor):
    for table in TABLES:
        unprotect(schema_editor, table)


class Migration(migrations.Migration):
    dependencies = [("scoring", "0005_opened_gold"), ("benchmarks", "0007_notices")]
    operations = [migrations.RunPython(create, drop)]
