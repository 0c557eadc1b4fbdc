"""Judge uploads, and accept those without fault. Status transitions are in `submissions.systems`."""

import datetime as dt
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, cast

from django.core.cache import cache
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import IntegrityError, transaction
from django.utils.functional import SimpleLazyObject

from accounts.formats.instants import day_in_utc, time_in_utc
from accounts.models import Membership, User
from accounts.server.database_faults import has_no_room, is_away
from benchmarks.models import Phase, Split
from benchmarks.spec.model import GoldState
from benchmarks.spec.phases import Place
from submissions.exceptions import NotYourTeam, PhaseClosed, TooManyChecks, UploadRefused
from submissions.intake import (
    CanonicalPredictions,
    Elsewhere,
    FactAnswers,
    FileRead,
    IntakeResult,
    read_upload,
)
from submissions.intake.predictions.repair import KeptRepair, repaired
from submissions.models import PredictionCodes, Predictions, Refusal, Submission, System
from submissions.quota.admission import refuse_inadmissible
from submissions.quota.participation import refuse_more_systems, refuse_second_team
from submissions.quota.registrations import refuse_unapproved
from submissions.quota.slots import Quota, quota_of_group, quota_window, quotas, take_slot
from submissions.uploads.expected_splits import (
    alignment_sha256,
    belonging_elsewhere,
    known_track,
    split_targets,
    splits_by_name,
)
from submissions.uploads.repairs import keep
from submissions.uploads.storage import StorageAway
from submissions.uploads.turns import in_turn


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of an upload: the submission, whether these predictions had been sent before, and what was read.

    `stored` are the rows of its predictions, where it is new.
    """

    submission: Submission
    is_repeat: bool
    result: IntakeResult
    stored: Sequence[Predictions] = ()

    def quota(self, user: User, at: dt.datetime) -> Quota:
        """What its sender, and whoever is linked to them, have used by now in the window that `at` lies in."""
        submission = self.submission
        if not self.is_repeat and submission.group_id is not None:
            return quota_of_group(submission, at)
        return quotas(user, [submission.system.team], [submission.phase], at)[0]


@dataclass(frozen=True, slots=True)
class PredictionUpload:
    """Predictions as they were sent: the answers of a system to a phase.

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
    """

    system: System
    phase: Phase
    user: User
    data: bytes
    file_name: str
    received_at: dt.datetime
    task: str | None = None
    split: str | None = None
    track: str = ""
    fact_sheet: FileRead[FactAnswers] | None = None

    @property
    def origin(self) -> dict[str, Any]:
        """What is kept of an upload whether or not it is accepted."""
        return {
            "system": self.system,
            "phase": self.phase,
            "submitted_by": self.user,
            "received_at": self.received_at,
            "file_name": self.file_name[-255:],
        }


@in_turn()
def submit_predictions(upload: PredictionUpload) -> Receipt:
    """Judge an upload and, where it is faultless, accept it.

    When this returns, file and row are on disk. Nothing is sent to the broker: a sweep finds the row at the cut-off.

    Raises
    ------
    NotYourTeam, PhaseClosed, UnknownTrack, WrongPhase, PhaseNotReady, BannedFromBenchmark, EmailNotConfirmed,
    TermsNotAccepted, AwaitingApproval, TooManyChecks, UploadRefused, SecondTeam, QuotaUsedUp, TooManySystems
        In this order; none of them costs a slot.
    """
    track, result = _read(upload)
    window = quota_window(upload.system, upload.phase, upload.user, upload.received_at)
    if window is not None:  # organisers are not bound by terms of their own when they send baselines
        refuse_inadmissible(benchmark=upload.phase.benchmark, team=upload.system.team, user=upload.user)
        refuse_unapproved(
            benchmark=upload.phase.benchmark,
            team=upload.system.team,
            user=upload.user,
            now=upload.received_at,
        )
    if not result.ok:
        _count(upload.user, upload.received_at)  # else refused files would fill the database
        problems = [problem.as_dict() for problem in result.problems]
        causes = [cause.as_dict() for cause in result.causes]
        Refusal.objects.create(**upload.origin, problems=problems, more=result.more, causes=causes)
        raise UploadRefused(result, _repair(upload))
    submission = Submission(
        **upload.origin,
        track=track,
        cut_off_at=upload.phase.cut_off_after(upload.received_at),
        quota_window_ends_at=window,
        file_size=len(upload.data),
        file_sha256=sha256(upload.data).hexdigest(),
        predictions_sha256=result.content_sha256,
    )
    return _accept(submission, upload.data, result)


@in_turn()
def check_predictions(upload: PredictionUpload) -> IntakeResult:
    """Judge an upload as `submit_predictions` would, and keep nothing of it: no file, no row, no slot.

    Whether a slot is left, whether terms are accepted and with which team the person takes part is not asked.

    Raises
    ------
    NotYourTeam, PhaseClosed, UnknownTrack, WrongPhase, PhaseNotReady, UploadRefused
        In this order.
    """
    _, result = _read(upload)
    if not result.ok:
        raise UploadRefused(result, _repair(upload))
    return result


def _repair(upload: PredictionUpload) -> KeptRepair | None:
    """A repaired form of a refused upload, kept for its sender; None where there is not exactly one."""
    repair = repaired(
        upload.data,
        file_name=upload.file_name,
        benchmark=upload.phase.benchmark.spec,
        targets=split_targets(upload.phase),
        task=upload.task,
        split=upload.split,
        elsewhere=belonging_elsewhere(upload.phase),
    )
    return keep(repair, upload.user) if repair else None


def _read(upload: PredictionUpload) -> tuple[str, IntakeResult]:
    """The track that is meant and what came of the upload, if this person may send it now."""
    phase = upload.phase
    refuse_strangers(upload.system, upload.user)
    if phase.benchmark.archived_at is not None:
        raise PhaseClosed(
            f"{phase.benchmark} is archived since {day_in_utc(phase.benchmark.archived_at)}: its pages stay, and it "
            "takes no submissions. The file was not kept."
        )
    if not phase.is_open(upload.received_at):
        raise PhaseClosed(_closed_sentence(phase, upload.received_at))
    track = known_track(phase.benchmark.spec, upload.track)
    result = read_upload(
        upload.data,
        file_name=upload.file_name,
        benchmark=phase.benchmark.spec,
        targets=split_targets(phase),
        task=upload.task,
        split=upload.split,
        # Few files need it; it is then asked for.
        elsewhere=cast(Mapping[Place, Elsewhere], SimpleLazyObject(lambda: belonging_elsewhere(phase))),
    )
    return track, result.beside(upload.fact_sheet) if upload.fact_sheet else result


def _accept(submission: Submission, data: bytes, result: IntakeResult) -> Receipt:
    """Store the file, then slots and row; the earlier submission where these predictions were sent before.

    No row is locked while a store elsewhere takes its time.
    """
    earlier = _same_predictions(submission)
    if earlier:
        return Receipt(earlier, True, result)
    predictions = result.predictions
    name = f"{submission.pk}{'.zip' if data[:2] == b'PK' else '.txt'}"
    packed = [one.to_bytes() for one in predictions]  # before a lock is held
    try:
        submission.stored_file.name = default_storage.save(name, ContentFile(data))
        with transaction.atomic():
            refuse_second_team(submission)
            take_slot(submission, {(one.task, one.split) for one in predictions})
            refuse_more_systems(submission)
            submission.save(force_insert=True)
            stored = _store_predictions(submission, predictions, packed)
    except BaseException as error:
        # Where the connection broke, the row may be there: the file stays, and a sweep removes it if nobody has it.
        # Where the database has no room, the row is not there, and each try would leave a file on what may be its disk.
        # A store that is away is not waited for again.
        if has_no_room(error) or not (isinstance(error, StorageAway) or is_away(error)):
            with suppress(OSError):
                default_storage.delete(name)  # also the part of it that a full disk took
        # Two uploads of the same file at once: the other one was first, and its submission is the answer.
        earlier = _same_predictions(submission) if isinstance(error, IntegrityError) else None
        if earlier is None:
            raise
        return Receipt(earlier, True, result)
    return Receipt(submission, False, result, stored)


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


def _store_predictions(
    submission: Submission, predictions: Collection[CanonicalPredictions], packed: Iterable[bytes]
) -> list[Predictions]:
    splits = splits_by_name(submission.phase.benchmark)
    _refuse_public(splits[one.task, one.split] for one in predictions)
    rows = Predictions.objects.bulk_create(
        Predictions(
            submission=submission,
            split=splits[one.task, one.split],
            seed=one.seed,
            alignment_sha256=alignment_sha256(splits[one.task, one.split]),
            sha256=one.sha256,
        )
        for one in predictions
    )
    PredictionCodes.objects.bulk_create(
        PredictionCodes(predictions=row, packed=codes) for row, codes in zip(rows, packed, strict=True)
    )
    return rows


def _refuse_public(splits: Iterable[Split]) -> None:
    """PhaseClosed where gold labels were made public here: answers may be copied, however early the request began.

    Where they had long been public elsewhere, that they stand here too changes nothing.
    """
    public = {
        f"{split.task.slug}/{split.slug}": split.gold_opened_at
        for split in splits
        if split.gold_opened_at and split.task.spec.gold_state is GoldState.SEALED
    }
    if public:
        raise PhaseClosed(
            f"The gold labels of {', '.join(public)} have been public since "
            f"{day_in_utc(min(public.values()))}, {time_in_utc(min(public.values()))} UTC, so no "
            "predictions for them are taken any more."
        )


def refuse_strangers(system: System, user: User) -> None:
    """NotYourTeam unless `user` is a member of the system's team."""
    is_member = Membership.objects.filter(team_id=system.team_id, user=user)
    if system.member_id != user.pk and not is_member.exists():
        raise NotYourTeam("Only members of its team may do this. Ask one of them for an invitation link.")


def _closed_sentence(phase: Phase, at: dt.datetime) -> str:
    if phase.opens_at and at < phase.opens_at:
        return (
            f"The phase {phase.title} opens on {day_in_utc(phase.opens_at)} at "
            f"{time_in_utc(phase.opens_at)} UTC. Please come back then."
        )
    closed = (
        f"The phase {phase.title} closed on {day_in_utc(phase.closes_at or at)} at "
        f"{time_in_utc(phase.closes_at or at)} UTC and takes no submissions."
    )
    now_open = [
        f"Open now is the phase {one.title}, which takes {one.taking().words}."
        for one in phase.benchmark.phases.all()
        if one.is_open(at) and (one.targets or one.kind != Phase.Kind.PREDICTIONS)
    ]
    return " ".join([closed, *now_open])


CHECKS_PER_HOUR = 60


def check(upload: PredictionUpload) -> IntakeResult:
    """What `check_predictions` finds, for at most CHECKS_PER_HOUR files of a person.

    Raises
    ------
    TooManyChecks
        And whatever `check_predictions` raises.
    """
    _count(upload.user, upload.received_at)
    return check_predictions(upload)


def _count(user: User, at: dt.datetime) -> None:
    hour = at.replace(minute=0, second=0, microsecond=0)
    key = f"checks:{user.pk}:{hour.timestamp():.0f}"
    with transaction.atomic():
        User.objects.held(user)  # of checks at once, each is counted
        count = cache.get(key, 0) + 1
        cache.set(key, count, 3600)
    if count > CHECKS_PER_HOUR:
        again = hour + dt.timedelta(hours=1)
        raise TooManyChecks(
            f"You have had {CHECKS_PER_HOUR} files checked or refused in this hour, the most that are read "
            f"for nothing. Check again from {time_in_utc(again)} UTC on, or on your own machine with "
            "`heldout check`, as often as you like.",
            again_at=again,
        )
