from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("benchmarks", "0007_notices"),
    ]

    operations = [
        migrations.AddField(
            model_name="phase",
            name="disclosure",
            field=models.CharField(
                choices=[
                    ("exact", "exact scores"),
                    ("precision", "rounded scores"),
                    ("ladder", "Ladder: only clear gains show"),
                    ("noisy_ladder", "Ladder with noise"),
                    ("sparing", "sparing: clear gains show, and like systems stand level"),
                ],
                default="exact",
                help_text="How much of a score is shown while the phase runs. Exact scores follow with the release of its last cut-off. A change holds from the next cut-off on.",
                max_length=16,
            ),
        ),
        migrations.AddField(
            model_name="phase",
            name="disclosure_digits",
            field=models.PositiveSmallIntegerField(
                default=2,
                help_text="Of rounded scores: decimals of a score from 0 to 1.",
                verbose_name="digits",
            ),
        ),
        migrations.AddField(
            model_name="phase",
            name="disclosure_scale",
            field=models.FloatField(
                default=0.7,
                help_text="Of the Ladder with noise: in standard errors of a score.",
                verbose_name="noise",
            ),
        ),
        migrations.AddField(
            model_name="phase",
            name="remainder",
            field=models.FloatField(
                default=0.0,
                help_text="Share of the items, from 0 to 0.9, that ranks with the release of the last cut-off, and is not scored before; until then the others rank. 0: all items count all the time.",
                verbose_name="private remainder",
            ),
        ),
        migrations.AddConstraint(
            model_name="phase",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("disclosure__in", ["exact", "precision", "ladder", "noisy_ladder", "sparing"])
                ),
                name="phase_disclosure_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="phase",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("disclosure__in", ["ladder", "noisy_ladder", "sparing"]), _negated=True),
                    ("counting", "best"),
                    _connector="OR",
                ),
                name="phase_shows_the_best_it_counts",
            ),
        ),
        migrations.AddConstraint(
            model_name="phase",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("kind", "predictions"),
                    models.Q(("disclosure", "exact"), ("remainder", 0)),
                    _connector="OR",
                ),
                name="phase_of_breakers_is_exact",
            ),
        ),
        migrations.AddConstraint(
            model_name="phase",
            constraint=models.CheckConstraint(
                condition=models.Q(("disclosure_digits__gte", 1), ("disclosure_digits__lte", 6)),
                name="phase_disclosure_digits",
            ),
        ),
        migrations.AddConstraint(
            model_name="phase",
            constraint=models.CheckConstraint(
                condition=models.Q(("disclosure_scale__gt", 0), ("disclosure_scale__lte", 10.0)),
                name="phase_disclosure_scale",
            ),
        ),
        migrations.AddConstraint(
            model_name="phase",
            constraint=models.CheckConstraint(
                condition=models.Q(("remainder__gte", 0), ("remainder__lte", 0.9)),
                name="phase_remainder_is_a_share",
            ),
        ),
    ]
