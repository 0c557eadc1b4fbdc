from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("scoring", "0005_feedback_moments"),
    ]

    operations = [
        migrations.AddField(
            model_name="scoringrun",
            name="libraries",
            field=models.JSONField(
                blank=True,
                help_text="Versions of the libraries that made its scores, by name, if noted.",
                null=True,
            ),
        ),
    ]
