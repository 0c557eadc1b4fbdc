"""Submissions that organisers hold back, with a reason."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("submissions", "0007_drop_judged")]

    operations = [
        migrations.AddField(
            model_name="submission",
            name="held_back_at",
            field=models.DateTimeField(
                editable=False,
                help_text="Since when it is on no board until organisers let it go.",
                null=True,
            ),
        ),
        migrations.AddField(
            model_name="submission",
            name="held_back_because",
            field=models.CharField(blank=True, default="", editable=False, max_length=300),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="submission",
            name="let_go_at",
            field=models.DateTimeField(editable=False, help_text="When it was last let go.", null=True),
        ),
        migrations.AddConstraint(
            model_name="submission",
            constraint=models.CheckConstraint(
                condition=models.Q(held_back_at__isnull=True) ^ ~models.Q(held_back_because=""),
                name="submission_held_back_for_a_reason",
            ),
        ),
    ]
