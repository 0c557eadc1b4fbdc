"""What becomes of submissions: withdraw, choose, disqualify, and the moves that scoring makes."""

import datetime as dt
import uuid
from collections.abc import Collection

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet

from accounts.mail.outbox import tell_at_once
from accounts.models import Team, User
from benchmarks.models import Phase
from benchmarks.services import mark_stale
from submissions.exceptions import CannotChange
from submissions.models import Choice, Submission, System
from submissions.quota.slots import move_windows, refund_slots
from submissions.services import refuse_strangers

Status = Submission.Status

# From where a submission may go to where. Whatever is not here cannot happen.
MOVES: dict[str, frozenset[str]] = {
    Status.ACCEPTED: frozenset({Status.SCORING, Status.WITHDRAWN, Status.DISQUALIFIED}),
    # Accepted again: its phase is open again, and its batch was not released.
    Status.SCORING: frozenset(
        {Status.ACCEPTED, Status.SCORED, Status.FAILED, Status.WITHDRAWN, Status.DISQUALIFIED}
    ),
    Status.SCORED: frozenset(
        {Status.ACCEPTED, Status.SCORING, Status.PUBLISHED, Status.WITHDRAWN, Status.DISQUALIFIED}
    ),
    Status.PUBLISHED: frozenset({Status.WITHDRAWN, Status.DISQUALIFIED}),
    Status.FAILED: frozenset({Status.SCORING, Status.WITHDRAWN, Status.DISQUALIFIED}),
    Status.WITHDRAWN: frozenset(),
    Status.DISQUALIFIED: frozenset(),
}
MOST_OF_A_REASON = 300  # characters
ENDED = frozenset({Status.WITHDRAWN, Status.DISQUALIFIED})
_ENDED_ALREADY = {
    Status.WITHDRAWN.value: "This submission was withdrawn already; nothing was changed.",
    Status.DISQUALIFIED.value: "This submission was disqualified already; nothing was changed.",
}
_CHOOSE_ANOTHER = {
    Status.WITHDRAWN.value: "This submission was withdrawn; please choose another.",
    Status.DISQUALIFIED.value: "This submission was disqualified; please choose another.",
}


def move(
    submissions: Collection[uuid.UUID], *, to: Status, come_from: Collection[Status], reason: str = ""
) -> int:
    """Move submissions that are in one of `come_from`; the others have moved on meanwhile and are left alone.

    Returns how many were moved.

    Raises
    ------
    ValueError
        If the table of moves does not know one of them.
    """
    impossible = [status for status in come_from if to not in MOVES[status]]
    if impossible:
        raise ValueError(f"a submission cannot go from {', '.join(impossible)} to {to}")
    return Submission.objects.filter(pk__in=submissions, status__in=come_from).update(
        status=to, status_reason=reason
    )


def can_withdraw(submission: Submission) -> bool:
    """Whether its team may still take it back."""
    return Status.WITHDRAWN in MOVES[submission.status]


def can_choose(submission: Submission, now: dt.datetime) -> bool:
    """Whether its team may have it count, by the phase's rule, until the phase closes."""
    phase = submission.phase
    is_closed = phase.closes_at is not None and phase.closes_at <= now
    return phase.counting == Phase.CountingRule.CHOSEN and not is_closed and submission.status not in ENDED


def gives_slot_back(submission: Submission) -> bool:
    """Whether withdrawing it gives its slot back: while nobody has seen anything of its scores."""
    return submission.status == Status.ACCEPTED and submission.told_at is None


@transaction.atomic
def withdraw(*, submission: Submission, user: User, now: dt.datetime) -> Submission:
    """Take a submission back; its trace stays.

    Before the cut-off the slot is given back, unless its team was told scores. A published score leaves the
    board with the next release.

    Raises
    ------
    NotYourTeam, CannotChange
    """
    refuse_strangers(submission.system, user)
    return _end(submission, Status.WITHDRAWN, f"Withdrawn by {user}.", now)


@transaction.atomic
def disqualify(*, submission: Submission, reason: str, now: dt.datetime) -> Submission:
    """Take a submission off the board for a reason that everyone may read.

    Raises
    ------
    CannotChange
    """
    return _end(submission, Status.DISQUALIFIED, reason, now)


@transaction.atomic
def hold_back(*, submission: Submission, reason: str, now: dt.datetime) -> None:
    """Keep a submission off every board until it is let go; its team is told the reason, and nobody else.

    It is scored with its batch all the same, but neither drawn in a lot nor chosen for a final ranking.

    Raises
    ------
    CannotChange
        If it has ended, or is held back already.
    """
    held: Submission = Submission.objects.select_for_update().get(pk=submission.pk)
    if held.status in ENDED:
        raise CannotChange(str(_ENDED_ALREADY[held.status]))
    if held.is_held_back:
        raise CannotChange("This submission is held back already; nothing was changed.")
    Submission.objects.filter(pk=held.pk).update(
        held_back_at=now, held_back_because=reason[:MOST_OF_A_REASON], let_go_at=None
    )
    mark_stale(held.phase.benchmark_id)
    _tell_team(
        held,
        "is held back",
        f"The organisers hold it back: {reason} It stands on no board until they let it go. Nothing of it is lost, "
        "and nobody else is told.",
    )


@transaction.atomic
def let_go(*, submission: Submission, now: dt.datetime) -> None:
    """Have a submission that was held back count again from the next release on.

    Raises
    ------
    CannotChange
        If it is not held back.
    """
    held: Submission = Submission.objects.select_for_update().get(pk=submission.pk)
    if not held.is_held_back:
        raise CannotChange("This submission is not held back; nothing was changed.")
    Submission.objects.filter(pk=held.pk).update(let_go_at=now)
    mark_stale(held.phase.benchmark_id)
    _tell_team(
        held, "counts again", "The organisers have let it go: it counts again from the next release on."
    )


def _tell_team(submission: Submission, what: str, text: str) -> None:
    members = User.objects.filter(memberships__team=submission.system.team_id)
    page = f"{settings.SITE_URL}{submission.get_absolute_url()}"
    about = f"{submission.system}: {submission.file_name}"
    subject = f"{submission.phase.benchmark}: your submission {what}"
    transaction.on_commit(
        lambda: tell_at_once(people=members, subject=subject, text=f"{about}\n\n{text}\n\n{page}")
    )


def _end(submission: Submission, status: Status, reason: str, now: dt.datetime) -> Submission:
    before: Submission = Submission.objects.select_for_update().get(pk=submission.pk)
    if status not in MOVES[before.status]:
        raise CannotChange(str(_ENDED_ALREADY[before.status]))
    if status is Status.WITHDRAWN and gives_slot_back(before):
        refund_slots([before])  # nothing was seen; a failed submission had its slot back when it failed
    # What is past its cut-off did not end before it, even where the clock was set back since.
    at = now if before.status == Status.ACCEPTED else max(now, before.cut_off_at)
    Submission.objects.filter(pk=before.pk).update(status=status, status_reason=reason, ended_at=at)
    Choice.objects.filter(submission=before).delete()
    mark_stale(before.phase.benchmark_id)
    before.refresh_from_db()
    return before


@transaction.atomic
def choose(*, submission: Submission, user: User, now: dt.datetime) -> None:
    """Have this submission count for every split that it answers, in place of whatever was chosen for its row there.

    Until the phase closes: afterwards who chooses may know the scores of all, and a correction would bring them out.

    Raises
    ------
    NotYourTeam, CannotChange
    """
    refuse_strangers(submission.system, user)
    if submission.phase.counting != Phase.CountingRule.CHOSEN:
        raise CannotChange(
            f"In this phase the {submission.phase.get_counting_display()} counts; there is nothing to choose."
        )
    if submission.status in ENDED:
        raise CannotChange(str(_CHOOSE_ANOTHER[submission.status]))
    if not can_choose(submission, now):
        raise CannotChange(
            f"{submission.phase.title} has closed; what was chosen until then counts. Nothing was changed."
        )
    # Of two choices of a team at once the later one stays.
    Team.objects.select_for_update(no_key=True).get(pk=submission.system.team_id)
    splits = set(submission.predictions.values_list("split_id", flat=True))
    _choices_of_its_row(submission).filter(split__in=splits).delete()
    Choice.objects.bulk_create(
        Choice(
            system=submission.system,
            phase=submission.phase,
            track=submission.track,
            split_id=split,
            submission=submission,
        )
        for split in splits
    )
    mark_stale(submission.phase.benchmark_id)


def _choices_of_its_row(submission: Submission) -> QuerySet[Choice]:
    """What was chosen for the row that a submission would fill on its track: its system's, or its team's one row."""
    system, main = submission.system, submission.phase.benchmark.spec.main_track
    row = Q(system=system)
    if submission.phase.one_per_team and system.kind == System.Kind.SYSTEM:
        row = Q(system__team=system.team_id, system__kind=System.Kind.SYSTEM)
    # What was sent before the benchmark had tracks is on the main one.
    tracks = {"", main} if submission.track in ("", main) else {submission.track}
    return Choice.objects.filter(row, phase=submission.phase, track__in=tracks)


@transaction.atomic
def follow_schedule(*, phase: Phase, now: dt.datetime) -> int:
    """Have everything that waits in a phase wait for its next cut-off; returns how many submissions.

    What was used of the quota stays used. To be called after `benchmarks.services.reschedule`, with the phase as it is
    then.
    """
    waiting = Submission.objects.filter(phase=phase, status=Submission.Status.ACCEPTED)
    moved = waiting.update(cut_off_at=phase.next_cut_off_at)
    move_windows(phase=phase, now=now)
    return moved
