"""Registrations that organisers decline, with a reason."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("submissions", "0005_team_registrations")]

    operations = [
        migrations.AddField(
            model_name="teamregistration",
            name="declined_at",
            field=models.DateTimeField(help_text="Empty: it was not declined.", null=True),
        ),
        migrations.AddField(
            model_name="teamregistration",
            name="decline_reason",
            field=models.CharField(blank=True, default="", max_length=500),
        ),
        migrations.AddConstraint(
            model_name="teamregistration",
            constraint=models.CheckConstraint(
                condition=models.Q(approved_at__isnull=True) | models.Q(declined_at__isnull=True),
                name="registration_approved_or_declined",
            ),
        ),
    ]
