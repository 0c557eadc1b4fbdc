"""Roles per benchmark, and invitations to one."""

import uuid

import django.db.models.deletion
import django.db.models.functions.datetime
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("benchmarks", "0015_published_rows"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="BenchmarkRole",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("owner", "owner: everything, also roles and deletion"),
                            ("organiser", "organiser: everything but roles and deletion"),
                            ("annotator", "annotator: contested labels alone"),
                            ("reader", "reader: sees the organisers' pages, without gold labels and buttons"),
                        ],
                        max_length=16,
                    ),
                ),
                ("given_at", models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                (
                    "benchmark",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="roles",
                        to="benchmarks.benchmark",
                    ),
                ),
                (
                    "given_by",
                    models.ForeignKey(
                        help_text="Empty: the server, as for whoever began the benchmark.",
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="roles",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "role",
                "ordering": ["benchmark", "given_at", "pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("benchmark", "user"), name="role_once_per_person"),
                    models.CheckConstraint(
                        condition=models.Q(("role__in", ["owner", "organiser", "annotator", "reader"])),
                        name="role_known",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="RoleInvitation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("address", models.EmailField(max_length=254, verbose_name="e-mail address")),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("owner", "owner: everything, also roles and deletion"),
                            ("organiser", "organiser: everything but roles and deletion"),
                            ("annotator", "annotator: contested labels alone"),
                            ("reader", "reader: sees the organisers' pages, without gold labels and buttons"),
                        ],
                        max_length=16,
                    ),
                ),
                ("nonce", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("invited_at", models.DateTimeField()),
                ("accepted_at", models.DateTimeField(null=True)),
                ("withdrawn_at", models.DateTimeField(null=True)),
                (
                    "benchmark",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="role_invitations",
                        to="benchmarks.benchmark",
                    ),
                ),
                (
                    "invited_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-invited_at", "-pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("role__in", ["owner", "organiser", "annotator", "reader"])),
                        name="invitation_role_known",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("accepted_at__isnull", True), ("withdrawn_at__isnull", True), _connector="OR"
                        ),
                        name="invitation_accepted_or_withdrawn",
                    ),
                ],
            },
        ),
    ]
