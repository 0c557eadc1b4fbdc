from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0013_remainder_by"),
    ]

    operations = [
        migrations.AddField(
            model_name="batch",
            name="publish_failures",
            field=models.PositiveSmallIntegerField(default=0),
        ),
        migrations.AddField(
            model_name="batch",
            name="set_aside_because",
            field=models.TextField(
                blank=True,
                help_text="Why it could not be published; it is not tried again by itself.",
                verbose_name="why it was set aside",
            ),
        ),
        migrations.AlterField(
            model_name="batchentry",
            name="outcome",
            field=models.CharField(
                choices=[("pending", "being scored"), ("scored", "scored"), ("failed", "failed")],
                default="pending",
                max_length=16,
            ),
        ),
    ]
