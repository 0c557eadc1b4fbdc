"""What is known by team is kept once for each task, as the newest release in the ledger has it."""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Max


def _newest(apps: Any) -> Any:
    """The ledger's entries of the newest release of each benchmark that is in it."""
    entries = apps.get_model("leaderboard", "LedgerEntry").objects
    numbers = entries.order_by().values_list("release__benchmark").annotate(newest=Max("release__number"))
    for benchmark, number in numbers:
        yield from entries.filter(release__benchmark=benchmark, release__number=number)


def take(apps: Any, schema_editor: Any) -> None:
    kept = apps.get_model("leaderboard", "TeamBits")
    for entry in _newest(apps):
        kept.objects.create(task_id=entry.task_id, by_team=entry.by_team)


def give_back(apps: Any, schema_editor: Any) -> None:
    kept = dict(apps.get_model("leaderboard", "TeamBits").objects.values_list("task", "by_team"))
    for entry in _newest(apps):
        entry.by_team = kept.get(entry.task_id, {})
        entry.save()


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0017_leading_rows")]

    operations = [
        migrations.CreateModel(
            name="TeamBits",
            fields=[
                (
                    "task",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="team_bits",
                        serialize=False,
                        to="benchmarks.task",
                    ),
                ),
                ("by_team", models.JSONField(default=dict, help_text="Bits by the id of a team.")),
            ],
            options={"verbose_name_plural": "bits by team"},
        ),
        migrations.RunPython(take, give_back),
    ]
