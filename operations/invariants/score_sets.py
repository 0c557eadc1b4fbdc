"""I3: one set of scores for each comparison."""

import datetime as dt
from collections.abc import Iterator

from django.db.models import Count, Exists, OuterRef

from operations.violation import Invariant, Violation
from scoring.models import Score, ScoringRun

KEY = ("predictions", "gold_version", "scorer_version", "part")
REPORT = "Nothing in the server does this: restore the table from a backup, and find out who wrote to the database."


class ScoreSets(Invariant):
    """Whether each run that is done has scores, no other has any, and no comparison was made twice."""

    key = "I3"
    title = "each comparison with gold labels has one set of scores"

    def violations(self, now: dt.datetime, *, thoroughly: bool) -> Iterator[Violation]:
        scores = Score.objects.filter(run=OuterRef("pk"))
        is_done = ScoringRun.Status.DONE
        for run in ScoringRun.objects.filter(~Exists(scores), status=is_done).only("pk").order_by("pk"):
            yield Violation(f"run {run.pk}", "it is done, and has no scores.", REPORT)
        early = ScoringRun.objects.filter(Exists(scores)).exclude(status=is_done)
        for run in early.only("pk", "status").order_by("pk"):
            yield Violation(f"run {run.pk}", f"it is {run.get_status_display()}, and has scores.", REPORT)
        twice = ScoringRun.objects.order_by().values(*KEY).annotate(count=Count("pk")).filter(count__gt=1)
        for row in twice:
            yield Violation(
                f"predictions {row['predictions']}", f"{row['count']} runs compare the same.", REPORT
            )
        sets = Score.objects.order_by().values("run", "metric", "stratum").annotate(count=Count("pk"))
        for row in sets.filter(count__gt=1):
            yield Violation(f"run {row['run']}", f"it has {row['count']} scores of {row['metric']}.", REPORT)
