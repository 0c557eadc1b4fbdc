import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("breaking", "0002_handing_in"),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="vote",
            options={"ordering": ["contest", "voter", "id"]},
        ),
        migrations.RemoveConstraint(
            model_name="contest",
            name="contest_status_known",
        ),
        migrations.RemoveConstraint(
            model_name="vote",
            name="vote_once_per_voter",
        ),
        migrations.AddField(
            model_name="vote",
            name="team",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="accounts.team",
            ),
        ),
        migrations.AlterField(
            model_name="contest",
            name="status",
            field=models.CharField(
                choices=[
                    ("open", "open"),
                    ("kept", "the label stands"),
                    ("changed", "the label was changed"),
                    ("retracted", "taken back by its team"),
                ],
                default="open",
                max_length=16,
            ),
        ),
        migrations.AlterField(
            model_name="vote",
            name="voter",
            field=models.CharField(help_text="The annotator; of a team, its name.", max_length=80),
        ),
        migrations.AddConstraint(
            model_name="contest",
            constraint=models.CheckConstraint(
                condition=models.Q(("status__in", ["open", "kept", "changed", "retracted"])),
                name="contest_status_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="vote",
            constraint=models.UniqueConstraint(
                condition=models.Q(("team__isnull", True)),
                fields=("contest", "voter"),
                name="vote_once_per_voter",
            ),
        ),
        migrations.AddConstraint(
            model_name="vote",
            constraint=models.UniqueConstraint(
                condition=models.Q(("team__isnull", False)),
                fields=("contest", "team"),
                name="vote_once_per_team",
            ),
        ),
    ]
