import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.utils import timezone


def count_people(apps, schema_editor):
    """What people have sent before cut-offs that are still to come counts against them from now on."""
    Submission = apps.get_model("submissions", "Submission")
    QuotaUse = apps.get_model("submissions", "QuotaUse")
    # A submission withdrawn or failed may have had its slot back: in doubt for the person.
    holding = Submission.objects.filter(
        quota_window_ends_at__gt=timezone.now(), status__in=["accepted", "scoring", "scored", "published"]
    )
    counted = (
        holding.order_by()
        .values("submitted_by_id", "phase_id", "quota_window_ends_at")
        .annotate(used=models.Count("pk"))
    )
    QuotaUse.objects.bulk_create(
        QuotaUse(
            user_id=one["submitted_by_id"],
            phase_id=one["phase_id"],
            window_ends_at=one["quota_window_ends_at"],
            used=one["used"],
        )
        for one in counted
    )
    schema_editor.connection.check_constraints()  # PostgreSQL makes no index while a check is outstanding


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("submissions", "0004_pseudonyms"),
    ]

    operations = [
        migrations.AlterField(
            model_name="quotause",
            name="team",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="quota_uses",
                to="accounts.team",
            ),
        ),
        migrations.AddField(
            model_name="quotause",
            name="user",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="quota_uses",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddConstraint(
            model_name="quotause",
            constraint=models.UniqueConstraint(
                fields=("user", "phase", "window_ends_at"), name="quota_once_per_person_and_window"
            ),
        ),
        migrations.AddConstraint(
            model_name="quotause",
            constraint=models.CheckConstraint(
                condition=models.Q(("team__isnull", True)) ^ models.Q(("user__isnull", True)),
                name="quota_of_a_team_or_a_person",
            ),
        ),
        migrations.RunPython(count_people, migrations.RunPython.noop),
    ]
