from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("benchmarks", "0008_disclosure"),
        ("scoring", "0011_disclosed"),
        ("submissions", "0004_pseudonyms"),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name="scoringrun",
            name="run_once_per_key",
        ),
        migrations.AddField(
            model_name="batch",
            name="part",
            field=models.CharField(
                blank=True, help_text="Which items count; empty for all. See `scoring.parts`.", max_length=24
            ),
        ),
        migrations.AddField(
            model_name="scoringrun",
            name="part",
            field=models.CharField(
                blank=True, help_text="Which items were scored; empty for all.", max_length=24
            ),
        ),
        migrations.AddConstraint(
            model_name="scoringrun",
            constraint=models.UniqueConstraint(
                fields=("predictions", "gold_version", "scorer_version", "part"), name="run_once_per_key"
            ),
        ),
    ]
