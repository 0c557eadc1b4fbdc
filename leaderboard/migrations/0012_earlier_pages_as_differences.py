import gzip
from typing import Any

import django.db.models.deletion
from django.db import migrations, models

from leaderboard.rendering.body_bytes import compress, restored


def store_whole(apps: Any, schema_editor: Any) -> None:
    """What code of before reads: every body by itself."""
    model = apps.get_model("leaderboard", "PageBody")
    for key in list(model.objects.filter(base__isnull=False).values_list("pk", flat=True)):
        body = model.objects.select_related("base").get(pk=key)
        whole = compress(restored(bytes(body.packed), gzip.decompress(body.base.packed)))
        model.objects.filter(pk=key).update(packed=whole, base=None)


class Migration(migrations.Migration):
    dependencies = [("leaderboard", "0011_boards_are_packed")]

    operations = [
        migrations.AddField(
            "pagebody",
            "base",
            models.ForeignKey(
                help_text="What the same page of an earlier release says, which is stored whole.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="changes",
                to="leaderboard.pagebody",
            ),
        ),
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    "pagebody",
                    "packed",
                    models.BinaryField(help_text="As gzip; or, where it has a base, what makes it of that."),
                )
            ]
        ),
        migrations.RunPython(migrations.RunPython.noop, store_whole),
    ]
