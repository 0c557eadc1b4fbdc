"""Whether a team takes part in a benchmark at once, or once an organiser has approved it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("benchmarks", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="benchmark",
            name="registration",
            field=models.CharField(
                choices=[
                    ("open", "open: a team takes part at once"),
                    ("approval", "approval: an organiser approves each team first"),
                ],
                default="open",
                max_length=16,
            ),
        ),
        migrations.AddConstraint(
            model_name="benchmark",
            constraint=models.CheckConstraint(
                condition=models.Q(("registration__in", ["open", "approval"])),
                name="benchmark_registration_known",
            ),
        ),
    ]
