from django.db import migrations, models
from django.db.models import F


def all_are_finished(apps, schema_editor):
    apps.get_model("leaderboard", "WatchReport").objects.update(finished_at=F("made_at"))


class Migration(migrations.Migration):
    dependencies = [
        ("leaderboard", "0006_disclosed"),
    ]

    operations = [
        migrations.AddField(
            model_name="watchreport",
            name="finished_at",
            field=models.DateTimeField(
                blank=True,
                help_text="Empty while a worker looks, and where it was ended meanwhile.",
                null=True,
            ),
        ),
        migrations.RunPython(all_are_finished, migrations.RunPython.noop),
    ]
