"""Knox's table of tokens becomes ours, with its rows: they may do everything, as before, and end 180 days from now.

The code of before goes on writing to it while it still runs.
"""

import datetime as dt

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models.functions import Now


def end_some_day(apps, schema_editor):
    apps.get_model("accounts", "ApiToken").objects.filter(expiry=None).update(
        expiry=Now() + dt.timedelta(days=180)
    )


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0003_rounds_and_operators"),
        ("knox", "0009_extend_authtoken_field"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name="ApiToken",
                    fields=[
                        ("digest", models.CharField(max_length=128, primary_key=True, serialize=False)),
                        ("token_key", models.CharField(db_index=True, max_length=25)),
                        ("created", models.DateTimeField(auto_now_add=True)),
                        ("expiry", models.DateTimeField(blank=True, null=True)),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="auth_token_set",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={"verbose_name": "API token", "db_table": "knox_authtoken"},
                ),
            ],
        ),
        migrations.AddField(
            model_name="apitoken",
            name="name",
            field=models.CharField(blank=True, db_default="", max_length=80),
        ),
        migrations.AddField(
            model_name="apitoken",
            name="scope",
            field=models.CharField(
                db_default="read submit manage",
                help_text="Words of `Scope` with a space between them.",
                max_length=40,
            ),
        ),
        migrations.AddField(
            model_name="apitoken",
            name="benchmark",
            field=models.CharField(blank=True, db_default="", max_length=64),
        ),
        migrations.AddField(
            model_name="apitoken",
            name="last_used_at",
            field=models.DateTimeField(editable=False, null=True),
        ),
        migrations.AddField(
            model_name="user",
            name="sessions_nonce",
            field=models.CharField(blank=True, db_default="", editable=False, max_length=32),
        ),
        migrations.RunPython(end_some_day, migrations.RunPython.noop),
    ]
