import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("scoring", "0008_provenance")]
    operations = [
        migrations.CreateModel(
            name="RunReplicates",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("metrics", models.JSONField(help_text="Names, in the order of the packed rows.")),
                ("packed", models.BinaryField(help_text="A row of 16-bit steps per metric.")),
                ("count", models.PositiveIntegerField(help_text="Resamples.")),
                ("method", models.CharField(max_length=32)),
                (
                    "seed_id",
                    models.CharField(help_text="The same for runs that were resampled alike.", max_length=16),
                ),
                (
                    "run",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="replicates",
                        to="scoring.scoringrun",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "replicates of runs",
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("count__gte", 1)), name="replicates_at_least_one"
                    )
                ],
            },
        )
    ]
