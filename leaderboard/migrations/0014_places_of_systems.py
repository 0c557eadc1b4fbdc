from typing import Any

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import F

import benchmarks.fields
from accounts.server.append_only_triggers import protect, unprotect
from leaderboard.board.model.serialization import from_dict, head_of
from leaderboard.board.tables.system_lines import places

KEPT = ("score", "rank", "rank_low", "rank_high", "instead")
TABLES = ("leaderboard_releasehead", "leaderboard_releaseplace")


def take_places(apps: Any, schema_editor: Any) -> None:
    """Read the places of systems from the frozen rankings of all releases."""
    releases, heads, rows = (
        apps.get_model("leaderboard", name).objects for name in ("Release", "ReleaseHead", "ReleasePlace")
    )
    systems = apps.get_model("submissions", "System").objects
    for key in list(releases.values_list("pk", flat=True)):
        ranking, reports = releases.values_list("ranking", "reports").get(pk=key)
        board = from_dict(ranking)
        found, measured = places(board), reports.get("ranked_on")
        heads.create(release_id=key, board=head_of(ranking), ranked_on=measured, ranked=len(board.ranked))
        known = systems.filter(pk__in=found).values_list("pk", flat=True)
        rows.bulk_create(
            rows.model(
                release_id=key, system_id=system, **{name: getattr(found[str(system)], name) for name in KEPT}
            )
            for system in known
        )


def draw_again(apps: Any, schema_editor: Any) -> None:
    """Pages of systems are published no more: the next drawing takes them away, and tells the log."""
    apps.get_model("benchmarks", "Benchmark").objects.update(pages_wanted=F("pages_wanted") + 1)


def keep(apps: Any, schema_editor: Any) -> None:
    for table in TABLES:
        protect(schema_editor, table)


def free(apps: Any, schema_editor: Any) -> None:
    for table in TABLES:
        unprotect(schema_editor, table)


class Migration(migrations.Migration):
    dependencies = [
        ("benchmarks", "0020_annotators_label"),
        ("leaderboard", "0013_fewer_indexes_of_cells"),
        ("submissions", "0017_board_names"),
    ]

    operations = [
        migrations.CreateModel(
            "ReleaseHead",
            [
                (
                    "release",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="head",
                        serialize=False,
                        to="leaderboard.release",
                    ),
                ),
                ("board", benchmarks.fields.PackedJSONField(help_text="The overall board without rows.")),
                (
                    "ranked_on",
                    benchmarks.fields.PackedJSONField(
                        help_text="The report of that name; empty: from before there was one.", null=True
                    ),
                ),
                ("ranked", models.PositiveIntegerField(help_text="How many systems have a rank.")),
            ],
        ),
        migrations.CreateModel(
            "ReleasePlace",
            [
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "system", "release", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "system",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="places",
                        to="submissions.system",
                    ),
                ),
                (
                    "release",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="places",
                        to="leaderboard.release",
                    ),
                ),
                ("score", models.FloatField(null=True)),
                ("rank", models.PositiveIntegerField(null=True)),
                ("rank_low", models.PositiveIntegerField(null=True)),
                ("rank_high", models.PositiveIntegerField(null=True)),
                (
                    "instead",
                    models.TextField(blank=True, help_text="What stands in place of a rank."),
                ),
            ],
        ),
        migrations.RunPython(keep, free),
        migrations.RunPython(take_places, migrations.RunPython.noop),
        migrations.RunPython(draw_again, migrations.RunPython.noop),
    ]
