import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("leaderboard", "0005_ledger"),
        ("scoring", "0011_disclosed"),
    ]

    operations = [
        migrations.AddField(
            model_name="releasecell",
            name="disclosed",
            field=models.ForeignKey(
                help_text="What was shown in place of the exact score.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="release_cells",
                to="scoring.disclosed",
            ),
        ),
    ]
