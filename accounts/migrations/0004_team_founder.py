import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def name_founders(apps, schema_editor):
    """The founder became a member in the very moment that the team began."""
    Team = apps.get_model("accounts", "Team")
    Membership = apps.get_model("accounts", "Membership")
    first = Membership.objects.filter(team=models.OuterRef("pk"), joined_at=models.OuterRef("created_at"))
    Team.objects.update(founder=models.Subquery(first.order_by("pk").values("user")[:1]))


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0003_audit"),
    ]

    operations = [
        migrations.AddField(
            model_name="team",
            name="founder",
            field=models.ForeignKey(
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="founded_teams",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.RunPython(name_founders, migrations.RunPython.noop),
    ]
