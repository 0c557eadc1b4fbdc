from typing import Any

from django.db import migrations

import benchmarks.fields
from accounts.server.append_only_triggers import protect, unprotect
from benchmarks.spec import OVERALL

RELEASE = "leaderboard_release"


def free(apps: Any, schema_editor: Any) -> None:
    """SQLite makes the table anew, and loses its triggers."""
    unprotect(schema_editor, RELEASE)


def keep(apps: Any, schema_editor: Any) -> None:
    protect(schema_editor, RELEASE)


def unpack(apps: Any, schema_editor: Any) -> None:
    """The boards as they stood before, for code of before."""
    model = apps.get_model("leaderboard", "Release")
    for key in list(model.objects.values_list("pk", flat=True)):
        overall, others = model.objects.values_list("overall", "others").get(pk=key)
        model.objects.filter(pk=key).update(boards={OVERALL: overall, **others})


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0010_packed_boards")]

    operations = [
        migrations.RunPython(free, keep),
        *(
            migrations.AlterField("release", name, benchmarks.fields.PackedJSONField(help_text=said))
            for name, said in (
                ("overall", "The overall board."),
                ("others", "Every other board under its id."),
                ("ranking", "Of the overall board, the column that ranks it: later releases read no more."),
            )
        ),
        migrations.AlterField("release", "boards", benchmarks.fields.OrderedJSONField(null=True)),
        migrations.RunPython(migrations.RunPython.noop, unpack),
        migrations.RemoveField("release", "boards"),
        migrations.RunPython(keep, free),
    ]
