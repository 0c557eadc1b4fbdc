from typing import Any

from django.db import migrations, models


def _keep_what_is_asked(apps: Any, schema_editor: Any) -> None:
    """Pages are all rendered anew, which is cheap; archives where it was asked."""
    apps.get_model("benchmarks", "Benchmark").objects.filter(archive_stale=True).update(archive_wanted=1)


class Migration(migrations.Migration):
    dependencies = [
        ("benchmarks", "0008_disclosure"),
    ]

    operations = [
        migrations.AddField(
            model_name="benchmark",
            name="pages_wanted",
            field=models.PositiveBigIntegerField(default=1, editable=False),
        ),
        migrations.AddField(
            model_name="benchmark",
            name="pages_rendered",
            field=models.PositiveBigIntegerField(default=0, editable=False),
        ),
        migrations.AddField(
            model_name="benchmark",
            name="archive_wanted",
            field=models.PositiveBigIntegerField(default=0, editable=False),
        ),
        migrations.AddField(
            model_name="benchmark",
            name="archive_rendered",
            field=models.PositiveBigIntegerField(default=0, editable=False),
        ),
        migrations.RunPython(_keep_what_is_asked, migrations.RunPython.noop),
        migrations.RemoveField(model_name="benchmark", name="pages_stale"),
        migrations.RemoveField(model_name="benchmark", name="archive_stale"),
    ]
