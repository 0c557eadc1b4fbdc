"""The scorer counts the answers that it judged in rows of its own; the count beside the quota was read nowhere."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("submissions", "0006_declined_registrations")]

    operations = [
        migrations.RemoveConstraint(model_name="groupuse", name="group_judged_not_negative"),
        migrations.RemoveField(model_name="groupuse", name="judged"),
    ]
