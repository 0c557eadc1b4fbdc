import django.db.models.deletion
from django.db import migrations, models

from scoring.append_only_triggers import protect, unprotect

TABLE = "scoring_disclosed"


def create(apps, schema_editor):
    protect(schema_editor, TABLE)


def drop(apps, schema_editor):
    unprotect(schema_editor, TABLE)


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0010_paired_tests"),
    ]

    operations = [
        migrations.AddField(
            model_name="batch",
            name="disclosure",
            field=models.JSONField(
                default=dict, help_text="How much of its scores is shown, as the phase had it at the cut-off."
            ),
        ),
        migrations.CreateModel(
            name="Disclosed",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("rule", models.CharField(help_text="The rule with its settings.", max_length=64)),
                ("row", models.CharField(max_length=64)),
                ("shown", models.FloatField(null=True)),
                ("undefined", models.CharField(blank=True, max_length=32)),
                (
                    "leads",
                    models.BooleanField(
                        help_text="Whether the row's number stands for this answer from now on."
                    ),
                ),
                (
                    "leader",
                    models.FloatField(help_text="The exact score behind the row's number.", null=True),
                ),
                ("behind", models.FloatField(default=0.0, help_text="Gains that are still to be shown.")),
                ("spent", models.FloatField(default=0.0, help_text="What misses have cost the phase.")),
                (
                    "mark",
                    models.FloatField(help_text="The number beyond which there is progress.", null=True),
                ),
                ("created_at", models.DateTimeField()),
                (
                    "batch",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="disclosed",
                        to="scoring.batch",
                    ),
                ),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="disclosed",
                        to="scoring.scoringrun",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "disclosed scores",
                "constraints": [
                    models.UniqueConstraint(fields=("run", "rule"), name="disclosed_once_per_rule"),
                    models.CheckConstraint(
                        condition=models.Q(("shown__isnull", True), ("undefined", ""), _connector="XOR"),
                        name="disclosed_value_or_reason",
                    ),
                ],
            },
        ),
        migrations.RunPython(create, drop),
    ]
