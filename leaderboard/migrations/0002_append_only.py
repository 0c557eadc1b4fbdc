from django.db import migrations

from scoring.append_only_triggers import protect, unprotect

TABLES = ("leaderboard_release", "leaderboard_releasecell")


def create(apps, schema_editor):
    for table in TABLES:
        protect(schema_editor, table)


def drop(apps, schema_editor):
    for table in TABLES:
        unprotect(schema_editor, table)


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0001_initial"), ("scoring", "0002_append_only")]
    operations = [migrations.RunPython(create, drop)]
