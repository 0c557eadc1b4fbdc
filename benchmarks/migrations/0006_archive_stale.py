from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("benchmarks", "0005_opened_gold"),
    ]

    operations = [
        migrations.AddField(
            model_name="benchmark",
            name="archive_stale",
            field=models.BooleanField(default=False, editable=False),
        ),
    ]
