import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from accounts.server.append_only_triggers import protect, unprotect

TABLE = "accounts_accountevent"


def keep(apps, schema_editor):
    protect(schema_editor, TABLE)


def let_go(apps, schema_editor):
    unprotect(schema_editor, TABLE)


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0004_tokens"),
    ]

    operations = [
        migrations.CreateModel(
            name="AccountEvent",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField(db_index=True)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("sign_in", "signed in"),
                            ("sign_in_failed", "a wrong password was tried"),
                            ("factor_failed", "a wrong code was given after the password"),
                            ("sign_out_everywhere", "signed out everywhere"),
                            ("reset_asked", "a link for a new password was asked for"),
                            ("password", "the password was changed"),
                            ("address", "an e-mail address changed"),
                            ("provider", "signing in over another site changed"),
                            ("factor", "the second factor changed"),
                            ("token_made", "an API token was made"),
                            ("token_ended", "an API token was ended"),
                            ("team", "membership of a team changed"),
                            ("role", "a role in a benchmark changed"),
                        ],
                        max_length=32,
                        verbose_name="what",
                    ),
                ),
                ("detail", models.CharField(blank=True, max_length=200)),
                (
                    "client",
                    models.GenericIPAddressField(
                        help_text="Empty: a command or a worker.", null=True, verbose_name="from"
                    ),
                ),
                (
                    "by",
                    models.ForeignKey(
                        help_text="Empty: the person.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="account_events",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="whose account",
                    ),
                ),
            ],
            options={
                "ordering": ["-at", "-pk"],
                "indexes": [models.Index(fields=["user", "at"], name="events_of_an_account")],
            },
        ),
        migrations.RunPython(keep, let_go),
        migrations.AlterField(
            model_name="user",
            name="sessions_nonce",
            field=models.CharField(blank=True, db_default="", default="", editable=False, max_length=32),
        ),
    ]
