from typing import Any

from django.db import migrations

import benchmarks.fields
from accounts.server.append_only_triggers import protect, unprotect
from leaderboard.board.model.leading_rows import leading_rows

HEADS = "leaderboard_releasehead"


def free(apps: Any, schema_editor: Any) -> None:
    unprotect(schema_editor, HEADS)


def keep(apps: Any, schema_editor: Any) -> None:
    protect(schema_editor, HEADS)


def take_rows(apps: Any, schema_editor: Any) -> None:
    """Read them from the frozen ranking of each release."""
    releases, heads = (apps.get_model("leaderboard", name).objects for name in ("Release", "ReleaseHead"))
    for key in list(heads.values_list("pk", flat=True)):
        ranking = releases.values_list("ranking", flat=True).get(pk=key)
        heads.filter(pk=key).update(leading=leading_rows(ranking))


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0016_packed_reports")]

    operations = [
        migrations.RunPython(free, keep),
        migrations.AddField(
            "releasehead",
            "leading",
            benchmarks.fields.PackedJSONField(
                help_text="The leading rows of that board, and counts; empty: kept by code of before.",
                null=True,
            ),
        ),
        migrations.RunPython(take_rows, migrations.RunPython.noop),
        migrations.RunPython(keep, free),
    ]
