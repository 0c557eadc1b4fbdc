"""What teams and people had used, each for themselves, is counted in groups now."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("submissions", "0003_carry_quota_over")]

    operations = [
        migrations.AddConstraint(
            model_name="submission",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("quota_window_ends_at__isnull", True), ("group__isnull", False), _connector="OR"
                ),
                name="submission_with_a_slot_has_a_group",
            ),
        ),
        migrations.DeleteModel(name="QuotaUse"),
    ]
