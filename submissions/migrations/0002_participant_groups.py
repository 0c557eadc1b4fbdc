"""Groups of linked people, who share a quota; filled by the next migration."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0001_initial"),
        ("benchmarks", "0001_initial"),
        ("submissions", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="ParticipantGroup",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "phase",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="participant_groups",
                        to="benchmarks.phase",
                    ),
                ),
                (
                    "root",
                    models.ForeignKey(
                        help_text="The group that counts: itself, until it is merged into another.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="branches",
                        to="submissions.participantgroup",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="GroupUse",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "target",
                    models.CharField(
                        blank=True, default="", help_text="Empty: the whole phase.", max_length=120
                    ),
                ),
                (
                    "window_ends_at",
                    models.DateTimeField(
                        help_text="Of the window that `used` is about; empty before the first submission.",
                        null=True,
                    ),
                ),
                (
                    "used",
                    models.PositiveIntegerField(default=0, help_text="Submissions accepted in that window."),
                ),
                (
                    "judged",
                    models.PositiveIntegerField(default=0, help_text="Answers judged in the phase so far."),
                ),
                (
                    "group",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="uses",
                        to="submissions.participantgroup",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("group", "target"), name="group_use_once_per_target"),
                    models.CheckConstraint(
                        condition=models.Q(("used__gte", 0)), name="group_used_not_negative"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("judged__gte", 0)), name="group_judged_not_negative"
                    ),
                ]
            },
        ),
        migrations.CreateModel(
            name="GroupLink",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "phase",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="benchmarks.phase"
                    ),
                ),
                (
                    "team",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="group_links",
                        to="accounts.team",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="group_links",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "group",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="links",
                        to="submissions.participantgroup",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("phase", "team"), name="group_link_once_per_team"),
                    models.UniqueConstraint(fields=("phase", "user"), name="group_link_once_per_person"),
                    models.CheckConstraint(
                        condition=models.Q(("team__isnull", True), ("user__isnull", True), _connector="XOR"),
                        name="group_link_of_a_team_or_a_person",
                    ),
                ]
            },
        ),
        migrations.AddField(
            model_name="submission",
            name="group",
            field=models.ForeignKey(
                editable=False,
                help_text="Who shares its quota, as it was made then: its `root` is the one that counts.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="submissions",
                to="submissions.participantgroup",
            ),
        ),
    ]
