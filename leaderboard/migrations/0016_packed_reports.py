from typing import Any

from django.db import migrations

import benchmarks.fields
from accounts.server.append_only_triggers import protect, unprotect

RELEASE = "leaderboard_release"


def free(apps: Any, schema_editor: Any) -> None:
    unprotect(schema_editor, RELEASE)


def keep(apps: Any, schema_editor: Any) -> None:
    protect(schema_editor, RELEASE)


def unpack(apps: Any, schema_editor: Any) -> None:
    """What code of before reads: all reports in one column."""
    model = apps.get_model("leaderboard", "Release")
    for key in list(model.objects.filter(packed_reports__isnull=False).values_list("pk", flat=True)):
        reports = model.objects.values_list("packed_reports", flat=True).get(pk=key)
        model.objects.filter(pk=key).update(reports_for_later=reports)


class Migration(migrations.Migration):
    """What releases of before have frozen stays where it is, for code of before reads it."""

    dependencies = [("leaderboard", "0015_cells_of_several_releases")]

    operations = [
        migrations.RunPython(free, keep),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameField("release", "reports", "reports_for_later"),
                migrations.AlterField(
                    "release",
                    "reports_for_later",
                    benchmarks.fields.OrderedJSONField(
                        blank=True,
                        db_column="reports",
                        default=dict,
                        help_text=(
                            "The reports that later releases read; of a release from before the others were packed, all."
                        ),
                    ),
                ),
            ]
        ),
        migrations.AddField(
            "release",
            "packed_reports",
            benchmarks.fields.PackedJSONField(
                null=True, help_text="What is frozen beside the boards: fact sheets, equity, attacks."
            ),
        ),
        migrations.RunPython(migrations.RunPython.noop, unpack),
        migrations.RunPython(keep, free),
    ]
