import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("benchmarks", "0020_annotators_label"),
        ("leaderboard", "0006_rehearsals"),
    ]

    operations = [
        migrations.CreateModel(
            name="Press",
            fields=[
                (
                    "benchmark",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        serialize=False,
                        to="benchmarks.benchmark",
                    ),
                ),
            ],
            options={"verbose_name_plural": "presses"},
        ),
    ]
