from typing import Any

from django.db import migrations

import benchmarks.fields
from accounts.server.append_only_triggers import protect, unprotect
from benchmarks.spec import OVERALL
from leaderboard.board.model.serialization import ranking_of

RELEASE = "leaderboard_release"


def pack(apps: Any, schema_editor: Any) -> None:
    """Keep the boards of each release compressed."""
    model = apps.get_model("leaderboard", "Release")
    for key in list(model.objects.values_list("pk", flat=True)):
        boards = model.objects.values_list("boards", flat=True).get(pk=key)
        overall = boards.pop(OVERALL)
        model.objects.filter(pk=key).update(overall=overall, others=boards, ranking=ranking_of(overall))


def free(apps: Any, schema_editor: Any) -> None:
    unprotect(schema_editor, RELEASE)


def keep(apps: Any, schema_editor: Any) -> None:
    protect(schema_editor, RELEASE)


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0009_pages_name_their_bodies")]

    operations = [
        migrations.RunPython(free, keep),
        *(
            migrations.AddField("release", name, benchmarks.fields.PackedJSONField(help_text=said, null=True))
            for name, said in (
                ("overall", "The overall board."),
                ("others", "Every other board under its id."),
                ("ranking", "Of the overall board, the column that ranks it: later releases read no more."),
            )
        ),
        migrations.RunPython(pack, migrations.RunPython.noop),
        migrations.RunPython(keep, free),
    ]
