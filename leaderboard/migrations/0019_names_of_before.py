"""Have pages drawn again that told the order of real names, or a name that was removed."""

from typing import Any

from django.db import migrations
from django.db.models import F, Q


def draw_again(apps: Any, schema_editor: Any) -> None:
    """Those of anonymous benchmarks, and of those whose predictions are public; what says the same stays as it is."""
    predictions = apps.get_model("leaderboard", "Page").objects.filter(path__endswith="/predictions.zip")
    told = Q(is_anonymous=True) | Q(pk__in=predictions.values("benchmark"))
    benchmarks = apps.get_model("benchmarks", "Benchmark").objects.filter(told)
    benchmarks.update(pages_wanted=F("pages_wanted") + 1, archive_wanted=F("archive_wanted") + 1)


class Migration(migrations.Migration):
    dependencies = [("benchmarks", "0020_annotators_label"), ("leaderboard", "0018_bits_by_team")]

    operations = [migrations.RunPython(draw_again, migrations.RunPython.noop)]
