"""I2: every submission has come to an end or is on its way to one."""

import datetime as dt
from collections.abc import Iterator

from django.db.models import Exists, OuterRef

from operations.violation import GRACE, Invariant, Violation
from scoring.models import Batch, BatchEntry, ScoringRun
from submissions.models import Submission

Status = Submission.Status


class FinalStates(Invariant):
    """Whether anything waits for what should long have come."""

    key = "I2"
    title = "each submission is final, or its cut-off or deadline lies ahead"

    def violations(self, now: dt.datetime, *, thoroughly: bool) -> Iterator[Violation]:
        before = now - GRACE
        waiting = Submission.objects.filter(status=Status.ACCEPTED, cut_off_at__lte=before)
        for submission in waiting.select_related("phase__benchmark").order_by("cut_off_at", "pk"):
            yield Violation(
                f"submission {submission.pk} in {submission.phase}",
                f"its cut-off was {submission.cut_off_at:%Y-%m-%d %H:%M} UTC, and no batch has taken it in.",
                "See in the workers' log why the phase is not closed; `manage.py run_due` tries it at once.",
            )
        pending = BatchEntry.objects.filter(
            submission=OuterRef("pk"),
            outcome=BatchEntry.Outcome.PENDING,
            batch__status=Batch.Status.SCORING,
        )
        lost = Submission.objects.filter(~Exists(pending), status=Status.SCORING)
        for submission in lost.select_related("phase__benchmark").order_by("received_at", "pk"):
            yield Violation(
                f"submission {submission.pk} in {submission.phase}",
                "it is being scored, and no batch that is being scored has it.",
                "Close the phase once more with “Close now”: the batch takes it in.",
            )
        stuck = ScoringRun.objects.open().filter(deadline_at__lte=before).order_by("deadline_at", "pk")
        for run in stuck.only("submission_id", "status", "attempt", "deadline_at"):
            yield Violation(
                f"run {run.pk} of submission {run.submission_id}",
                f"it is {run.get_status_display()} after {run.attempt} attempts, and its deadline was "
                f"{run.deadline_at:%Y-%m-%d %H:%M} UTC.",
                "See that workers with the private key run; `manage.py run_due` scores what is due.",
            )
