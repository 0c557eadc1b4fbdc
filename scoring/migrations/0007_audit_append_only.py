from django.db import migrations

from scoring.append_only_triggers import protect, unprotect

TABLE = "accounts_auditentry"


def create(apps, schema_editor):
    protect(schema_editor, TABLE)


def drop(apps, schema_editor):
    unprotect(schema_editor, TABLE)


class Migration(migrations.Migration):
    dependencies = [("scoring", "0006_terms_append_only"), ("accounts", "0003_audit")]
    operations = [migrations.RunPython(create, drop)]
