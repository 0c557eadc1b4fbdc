from django.db import migrations, models
from django.db.models import PROTECT

CELLS = "leaderboard_releasecell"
# What the indexes of foreign keys are called, by column.
INDEXES = {
    "release_id": f"{CELLS}_release_id_ae5013f4",
    "system_id": f"{CELLS}_system_id_1552101d",
    "split_id": f"{CELLS}_split_id_94e09a15",
    "disclosed_id": f"{CELLS}_disclosed_id_3c39b353",
}
KEYS = {
    "release": models.ForeignKey("leaderboard.release", PROTECT, related_name="cells", db_index=False),
    "system": models.ForeignKey("submissions.system", PROTECT, related_name="release_cells", db_index=False),
    "split": models.ForeignKey("benchmarks.split", PROTECT, related_name="release_cells", db_index=False),
    "disclosed": models.ForeignKey(
        "scoring.disclosed",
        PROTECT,
        null=True,
        related_name="release_cells",
        db_index=False,
        help_text="What was shown in place of the exact score.",
    ),
}


class Migration(migrations.Migration):
    """Only the indexes go: to alter the columns, SQLite would make the table anew and lose its triggers."""

    dependencies = [
        ("benchmarks", "0020_annotators_label"),
        ("leaderboard", "0012_earlier_pages_as_differences"),
        ("scoring", "0006_libraries"),
        ("submissions", "0017_board_names"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[
                migrations.RunSQL(f"DROP INDEX {index}", f"CREATE INDEX {index} ON {CELLS} ({column})")
                for column, index in INDEXES.items()
            ],
            state_operations=[migrations.AlterField("releasecell", name, key) for name, key in KEYS.items()],
        )
    ]
