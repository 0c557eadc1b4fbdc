"""What a changed schedule means for submissions that wait."""

from benchmarks.models import Phase
from submissions.models import Submission


def follow_schedule(*, phase: Phase) -> int:
    """Have everything that waits in a phase wait for its next cut-off; returns how many submissions.

    To be called after `benchmarks.services.reschedule`, with the phase as it is then.
    """
    waiting = Submission.objects.filter(phase=phase, status=Submission.Status.ACCEPTED)
    return waiting.update(cut_off_at=phase.next_cut_off_at)
