from collections import defaultdict

from django.db import migrations, models
from django.db.models import Count, Q


def count_apart(apps, schema_editor):
    """Of each worker count the questions with a known answer by their part; all stood in one number before."""
    Worker = apps.get_model("labelling", "Worker")
    known = (
        apps.get_model("labelling", "Assignment").objects.filter(status="answered").exclude(unit__part="main")
    )
    rows = known.order_by().values_list("worker", "unit__part")
    counts = defaultdict(dict)
    for worker, part, seen, right in rows.annotate(
        seen=Count("pk"), right=Count("pk", filter=Q(is_right=True))
    ):
        counts[worker][part] = (seen, right)
    for worker, by_part in counts.items():
        seen, right = by_part.get("check", (0, 0))
        answered, _ = by_part.get("qualification", (0, 0))
        Worker.objects.filter(pk=worker).update(
            checks_seen=seen, checks_right=right, qualification_answered=answered
        )


class Migration(migrations.Migration):
    dependencies = [("labelling", "0008_figures_of_the_same_answers")]

    operations = [
        migrations.AddField(
            model_name="worker",
            name="qualification_answered",
            field=models.PositiveIntegerField(
                default=0, db_default=0, help_text="Qualification questions among the answered ones."
            ),
        ),
        migrations.AlterField(
            model_name="campaign",
            name="most_per_worker",
            field=models.PositiveIntegerField(
                blank=True,
                help_text="Check questions among them; qualification questions come before. Empty: no limit.",
                null=True,
                verbose_name="most units per worker",
            ),
        ),
        migrations.RunPython(count_apart, migrations.RunPython.noop),
    ]
