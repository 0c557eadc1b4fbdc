from django.db import migrations

from accounts.server.append_only_triggers import protect, unprotect

TABLE = "accounts_accountevent"


def guard_anew(apps, schema_editor):
    """With what may be made empty later; the triggers of before knew nothing of it."""
    unprotect(schema_editor, TABLE)
    protect(schema_editor, TABLE)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0006_round_seconds"),
    ]

    operations = [migrations.RunPython(guard_anew, migrations.RunPython.noop)]
