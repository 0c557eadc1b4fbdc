"""What changes submissions: submit, withdraw, choose, disqualify, and the moves that scoring makes."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from hashlib import sha256

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import IntegrityError, transaction
from django.db.models import F

from accounts.models import Membership, User
from benchmarks.models import Benchmark, Phase, Split
from benchmarks.services import mark_stale
from benchmarks.spec import HANDED_IN, PhaseKind
from submissions.exceptions import (
    CannotChange,
    NotYourTeam,
    PhaseClosed,
    QuotaUsedUp,
    UploadRefused,
)
from submissions.intake import CanonicalPredictions, FactSheetResult, IntakeResult, read_upload
from submissions.models import Choice, Predictions, QuotaUse, Refusal, Submission, System
from submissions.quota import window_of
from submissions.targets import (
    alignment_sha256,
    belonging_elsewhere,
    known_track,
    split_targets,
    splits_by_name,
)

Status = Submission.Status

# From where a submission may go to where. Whatever is not here cannot happen.
MOVES: dict[str, frozenset[str]] = {
    Status.ACCEPTED: frozenset({Status.SCORING, Status.WITHDRAWN, Status.DISQUALIFIED}),
    Status.SCORING: frozenset({Status.SCORED, Status.FAILED, Status.WITHDRAWN, Status.DISQUALIFIED}),
    Status.SCORED: frozenset({Status.SCORING, Status.PUBLISHED, Status.WITHDRAWN, Status.DISQUALIFIED}),
    Status.PUBLISHED: frozenset({Status.WITHDRAWN, Status.DISQUALIFIED}),
    Status.FAILED: frozenset({Status.SCORING, Status.WITHDRAWN, Status.DISQUALIFIED}),
    Status.WITHDRAWN: frozenset(),
    Status.DISQUALIFIED: frozenset(),
}
ENDED = frozenset({Status.WITHDRAWN, Status.DISQUALIFIED})


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of an upload: the submission, whether these predictions had been sent before, and what was read."""

    submission: Submission
    is_repeat: bool
    result: IntakeResult


def submit_predictions(
    *,
    system: System,
    phase: Phase,
    user: User,
    data: bytes,
    file_name: str,
    received_at: dt.datetime,
    task: str | None = None,
    split: str | None = None,
    track: str = "",
    fact_sheet: FactSheetResult | None = None,
) -> Receipt:
    """Judge an upload and, where it is faultless, accept it.

    When this returns, file and row are on disk. Nothing is sent to the broker: a sweep finds the row at the cut-off.

    Parameters
    ----------
    data
        The whole upload: a zip, which may hold the predictions of several seeds, or one task's file.
    received_at
        The instant the request began, by the database's clock; it decides about the cut-off.
    task, split
        What a single file answers, where its name does not say so.
    track
        Which part of the training data the system has seen; the main track if empty.
    fact_sheet
        What came of a fact sheet that was sent along; with problems in it, the upload is refused. It is not saved.

    Raises
    ------
    NotYourTeam, PhaseClosed, UnknownTrack, WrongPhase, PhaseNotReady, UploadRefused, QuotaUsedUp
        In this order; none of them costs a slot.
    """
    track, result = _read(
        system,
        phase,
        user,
        received_at,
        track,
        data,
        file_name,
        task=task,
        split=split,
        fact_sheet=fact_sheet,
    )
    if not result.ok:
        _keep_refusal(system, phase, user, file_name, received_at, result)
        raise UploadRefused(result)
    submission = Submission(
        system=system,
        phase=phase,
        track=track,
        submitted_by=user,
        received_at=received_at,
        cut_off_at=phase.cut_off_after(received_at),
        quota_window_ends_at=_quota_window(system, phase, user, received_at),
        file_name=file_name[-255:],
        file_size=len(data),
        file_sha256=sha256(data).hexdigest(),
        predictions_sha256=result.content_sha256,
    )
    accepted, is_repeat = _accept(submission, data, result.predictions)
    return Receipt(accepted, is_repeat, result)


def check_predictions(
    *,
    system: System,
    phase: Phase,
    user: User,
    data: bytes,
    file_name: str,
    received_at: dt.datetime,
    task: str | None = None,
    split: str | None = None,
    track: str = "",
    fact_sheet: FactSheetResult | None = None,
) -> IntakeResult:
    """Judge an upload as `submit_predictions` would, and keep nothing of it: no file, no row, no slot.

    Whether a slot is left is not asked.

    Raises
    ------
    NotYourTeam, PhaseClosed, UnknownTrack, WrongPhase, PhaseNotReady, UploadRefused
        In this order.
    """
    _, result = _read(
        system,
        phase,
        user,
        received_at,
        track,
        data,
        file_name,
        task=task,
        split=split,
        fact_sheet=fact_sheet,
    )
    if not result.ok:
        raise UploadRefused(result)
    return result


def _read(
    system: System,
    phase: Phase,
    user: User,
    received_at: dt.datetime,
    track: str,
    data: bytes,
    file_name: str,
    *,
    task: str | None,
    split: str | None,
    fact_sheet: FactSheetResult | None,
) -> tuple[str, IntakeResult]:
    """The track that is meant and what came of the upload, if this person may send it now."""
    refuse_strangers(system, user)
    if not phase.is_open(received_at):
        raise PhaseClosed(_closed_sentence(phase, received_at))
    spec = phase.benchmark.spec
    track = known_track(spec, track)
    targets, elsewhere = split_targets(phase), belonging_elsewhere(phase)
    result = read_upload(
        data,
        file_name=file_name,
        benchmark=spec,
        targets=targets,
        task=task,
        split=split,
        elsewhere=elsewhere,
    )
    if fact_sheet and fact_sheet.problems:
        result = result.refused_for(fact_sheet.problems, fact_sheet.more)
    return track, result


def _accept(
    submission: Submission, data: bytes, predictions: Collection[CanonicalPredictions]
) -> tuple[Submission, bool]:
    """Take a slot and store row and file together; the earlier submission where these predictions were sent before."""
    earlier = _same_predictions(submission)
    if earlier:
        return earlier, True
    name = f"{submission.pk}{'.zip' if data[:2] == b'PK' else '.txt'}"
    stored = ""
    try:
        with transaction.atomic():
            _take_slot(submission)
            submission.stored_file.name = stored = default_storage.save(name, ContentFile(data))
            submission.save(force_insert=True)
            _store_predictions(submission, predictions)
    except BaseException as error:
        if stored:
            default_storage.delete(stored)
        # Two uploads of the same file at once: the other one was first, and its submission is the answer.
        earlier = _same_predictions(submission) if isinstance(error, IntegrityError) else None
        if earlier is None:
            raise
        return earlier, True
    return submission, False


def _same_predictions(submission: Submission) -> Submission | None:
    return (
        Submission.objects.live()
        .filter(
            system=submission.system,
            phase=submission.phase,
            track=submission.track,
            predictions_sha256=submission.predictions_sha256,
        )
        .first()
    )


def _quota_window(system: System, phase: Phase, user: User, at: dt.datetime) -> dt.datetime | None:
    """The end of the window that the upload takes a slot of; None for baselines from the benchmark's organisers.

    The quota keeps teams from learning about the gold labels by trying. Organisers hold those themselves.
    """
    organised = Benchmark.objects.organised_by(user).filter(pk=phase.benchmark_id)
    if system.kind == System.Kind.BASELINE and organised.exists():
        return None
    return phase.cut_off_after(at)


def _take_slot(submission: Submission) -> None:
    """One conditional UPDATE: of any number of uploads at once, exactly the quota gets through."""
    if submission.quota_window_ends_at is None:
        return
    phase = submission.phase
    key = {
        "team": submission.system.team,
        "phase": phase,
        "window_ends_at": submission.quota_window_ends_at,
    }
    QuotaUse.objects.bulk_create([QuotaUse(**key)], ignore_conflicts=True)
    taken = QuotaUse.objects.filter(**key, used__lt=phase.quota_limit).update(used=F("used") + 1)
    if not taken:
        raise QuotaUsedUp(
            f"Your team has used all {phase.quota_limit} submissions {window_of(phase)}. "
            f"The next slot opens at the cut-off, {submission.quota_window_ends_at:%a %d %b %Y, %H:%M} UTC.",
            next_slot_at=submission.quota_window_ends_at,
        )


def refund_slot(submission: Submission) -> None:
    """Give the team its slot back, if the submission took one."""
    if submission.quota_window_ends_at is None:
        return
    QuotaUse.objects.filter(
        team=submission.system.team,
        phase=submission.phase,
        window_ends_at=submission.quota_window_ends_at,
        used__gt=0,
    ).update(used=F("used") - 1)


def _store_predictions(submission: Submission, predictions: Collection[CanonicalPredictions]) -> None:
    splits = splits_by_name(submission.phase.benchmark)
    _refuse_public(splits[one.task, one.split] for one in predictions)
    Predictions.objects.bulk_create(
        Predictions(
            submission=submission,
            split=splits[one.task, one.split],
            seed=one.seed,
            alignment_sha256=alignment_sha256(splits[one.task, one.split]),
            codes_packed=one.to_bytes(),
            sha256=one.sha256,
        )
        for one in predictions
    )


def _refuse_public(splits: Iterable[Split]) -> None:
    """PhaseClosed where gold labels are public: the answers may be copied, however early the request began."""
    public = {
        f"{split.task.slug}/{split.slug}": split.gold_opened_at for split in splits if split.gold_opened_at
    }
    if public:
        raise PhaseClosed(
            f"The gold labels of {', '.join(public)} have been public since {min(public.values()):%a %d %b %Y, %H:%M} "
            "UTC, so no predictions for them are taken any more."
        )


def _keep_refusal(
    system: System,
    phase: Phase,
    user: User,
    file_name: str,
    received_at: dt.datetime,
    result: IntakeResult,
) -> None:
    Refusal.objects.create(
        system=system,
        phase=phase,
        submitted_by=user,
        received_at=received_at,
        file_name=file_name[-255:],
        problems=[problem.as_dict() for problem in result.problems],
        more=result.more,
    )


def refuse_strangers(system: System, user: User) -> None:
    """NotYourTeam unless `user` is a member of the system's team."""
    if not Membership.objects.filter(team_id=system.team_id, user=user).exists():
        raise NotYourTeam("Only members of its team may do this. Ask one of them for an invitation link.")


def _closed_sentence(phase: Phase, at: dt.datetime) -> str:
    if phase.opens_at and at < phase.opens_at:
        return f"The phase {phase.title} opens on {phase.opens_at:%a %d %b %Y at %H:%M} UTC. Please come back then."
    closed = f"The phase {phase.title} closed on {phase.closes_at:%a %d %b %Y at %H:%M} UTC and takes no submissions."
    others = phase.benchmark.phases.exclude(kind=Phase.Kind.PREDICTIONS)
    now_open = [
        f" Open now is the phase {one.title}, which takes {HANDED_IN[PhaseKind(one.kind)]}."
        for one in others
        if one.is_open(at)
    ]
    return closed + "".join(now_open)


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


def can_choose(submission: Submission) -> bool:
    """Whether its team may have it count, by the phase's rule."""
    return submission.phase.counting == Phase.CountingRule.CHOSEN and submission.status not in ENDED


@transaction.atomic
def withdraw(*, submission: Submission, user: User, now: dt.datetime) -> Submission:
    """Take a submission back; its trace stays.

    Before the cut-off the slot is given back, because nothing was scored. A published score leaves the
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


def _end(submission: Submission, status: Status, reason: str, now: dt.datetime) -> Submission:
    before: Submission = Submission.objects.select_for_update().get(pk=submission.pk)
    if status not in MOVES[before.status]:
        raise CannotChange(f"This submission was {before.status} already; nothing was changed.")
    if before.status == Status.ACCEPTED:
        refund_slot(before)  # nothing was scored; a failed submission had its slot back when it failed
    Submission.objects.filter(pk=before.pk).update(status=status, status_reason=reason, ended_at=now)
    Choice.objects.filter(submission=before).delete()
    mark_stale(before.phase.benchmark_id)
    before.refresh_from_db()
    return before


@transaction.atomic
def choose(*, submission: Submission, user: User) -> None:
    """Have this submission count for every split that it answers.

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
        raise CannotChange(f"This submission was {submission.status}; please choose another.")
    for split in set(submission.predictions.values_list("split_id", flat=True)):
        Choice.objects.update_or_create(
            system=submission.system,
            phase=submission.phase,
            track=submission.track,
            split_id=split,
            defaults={"submission": submission},
        )
    mark_stale(submission.phase.benchmark_id)
