from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("labelling", "0007_judged_systems")]

    operations = [
        migrations.AddField(
            model_name="campaignfigures",
            name="newest_answer",
            field=models.PositiveBigIntegerField(
                default=0,
                db_default=0,
                help_text="Row of the newest of them, which tells others of the same number apart.",
            ),
        ),
        migrations.RemoveConstraint(model_name="campaignfigures", name="figures_once_per_answer_count"),
        migrations.AddConstraint(
            model_name="campaignfigures",
            constraint=models.UniqueConstraint(
                fields=("campaign", "answer_count", "newest_answer"), name="figures_once_per_answers"
            ),
        ),
    ]
