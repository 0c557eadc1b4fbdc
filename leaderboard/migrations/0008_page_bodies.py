import gzip
from hashlib import sha256
from typing import Any

import django.db.models.deletion
from django.db import migrations, models


def store_once(apps: Any, schema_editor: Any) -> None:
    """Keep what pages answer once, compressed."""
    page_model, body_model = (apps.get_model("leaderboard", name) for name in ("Page", "PageBody"))
    for path in list(page_model.objects.values_list("pk", flat=True)):
        page = page_model.objects.get(pk=path)
        plain = bytes(page.body) or gzip.decompress(bytes(page.body_gzip))
        packed = bytes(page.body_gzip) or gzip.compress(plain, compresslevel=6, mtime=0)
        stored, _ = body_model.objects.get_or_create(
            pk=sha256(plain).hexdigest(), defaults={"packed": packed}
        )
        page_model.objects.filter(pk=path).update(stored=stored)


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0007_presses")]

    operations = [
        migrations.CreateModel(
            name="PageBody",
            fields=[
                (
                    "sha256",
                    models.CharField(
                        help_text="Of what it says when unpacked.",
                        max_length=64,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                ("packed", models.BinaryField(help_text="As gzip.")),
            ],
            options={"verbose_name_plural": "page bodies"},
        ),
        migrations.AddField(
            model_name="page",
            name="stored",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="pages",
                to="leaderboard.pagebody",
            ),
        ),
        migrations.RunPython(store_once, migrations.RunPython.noop),
    ]
