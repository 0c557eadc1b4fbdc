"""Submissions that failed again and again: no further batch takes them in until an organiser has them scored again."""

from django.db.models import Count, Q

from scoring.models import BatchEntry, ScoringRun
from scoring.queue.wanted_runs import current_runs
from submissions.models import Submission
from submissions.querysets import SubmissionQuerySet

MOST_BATCHES = 2
Error = ScoringRun.Error
# Faults that end when somebody mends the server: no fault of a submission, and quickly found again.
OF_THE_SERVER = (Error.KEY_MISSING, Error.KEY_WRONG)


def quarantined() -> SubmissionQuerySet:
    """Those that failed in two batches, with a run that would only fail again.

    Setting the run going, or loading other gold labels, takes a submission up again: that run is then no failed one.
    """
    failed = current_runs().filter(status=ScoringRun.Status.FAILED).exclude(error__in=OF_THE_SERVER)
    batches = Count("batch_entries", filter=Q(batch_entries__outcome=BatchEntry.Outcome.FAILED))
    submissions: SubmissionQuerySet = (
        Submission.objects.filter(status=Submission.Status.FAILED, pk__in=failed.values("submission"))
        .annotate(failed_batches=batches)
        .filter(failed_batches__gte=MOST_BATCHES)
    )
    return submissions


def is_quarantined(submission: Submission) -> bool:
    """Whether no further batch takes it in."""
    is_failed = submission.status == Submission.Status.FAILED
    return is_failed and quarantined().filter(pk=submission.pk).exists()
