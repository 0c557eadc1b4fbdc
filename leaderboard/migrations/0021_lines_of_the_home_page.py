"""Keep the line of each benchmark in the list of all, so that a release draws no other's."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("benchmarks", "0021_who_gave_roles_stays"),
        ("leaderboard", "0020_when_archives_are_due"),
    ]

    operations = [
        migrations.CreateModel(
            name="HomeLine",
            fields=[
                (
                    "benchmark",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="benchmarks.benchmark",
                    ),
                ),
                ("html", models.TextField()),
                ("next_cut_off_at", models.DateTimeField(null=True)),
                (
                    "published_at",
                    models.DateTimeField(help_text="When its newest release came out.", null=True),
                ),
                ("system_count", models.PositiveIntegerField(help_text="In that release.", null=True)),
            ],
        )
    ]
