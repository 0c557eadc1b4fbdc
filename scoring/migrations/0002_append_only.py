from django.db import migrations

from scoring.append_only_triggers import protect, unprotect

TABLES = ("scoring_goldversion", "scoring_score")


def create(apps, schema_editor):
    for table in TABLES:
        protect(schema_editor, table)


def drop(apps, schema_editor):
    for table in TABLES:
        unprotect(schema_editor, table)


class Migration(migrations.Migration):
    dependencies = [("scoring", "0001_initial")]
    operations = [migrations.RunPython(create, drop)]
