"""Which of several submissions of one row counts at the cut-off that they wait for, told while that can be changed."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, fields
from uuid import UUID

from accounts.formats.instants import in_words
from accounts.models import User
from benchmarks.models import Phase
from submissions.models import Submission
from submissions.querysets import SubmissionQuerySet

ACCEPTED = Submission.Status.ACCEPTED


@dataclass(frozen=True, slots=True)
class WaitingSubmission:
    """What is told of a submission that waits for a cut-off, beside another that waits for it."""

    pk: UUID
    file_name: str
    received_at: dt.datetime
    told_at: dt.datetime | None


def waiting_beside(submissions: Iterable[Submission]) -> Mapping[UUID, list[WaitingSubmission]]:
    """By each of these that waits, what else waits for its cut-off and its row and shares something that both answer.

    The first received comes first. System and phase of the submissions should have been fetched with them. One query.
    """
    asked = [one for one in submissions if one.status == ACCEPTED]
    if not asked:
        return {}
    phases = {one.phase_id: one.phase for one in asked}
    found = Submission.objects.filter(
        status=ACCEPTED,
        phase__in=phases,
        cut_off_at__in={one.cut_off_at for one in asked},
        system__team__in={one.system.team_id for one in asked},
    )
    told = [field.name for field in fields(WaitingSubmission)]
    in_row: dict[tuple[object, ...], set[WaitingSubmission]] = defaultdict(set)
    answered: dict[UUID, set[int]] = defaultdict(set)
    for split, phase, track, cut_off_at, system, team, *rest in found.order_by().values_list(
        "predictions__split", "phase_id", "track", "cut_off_at", "system_id", "system__team_id", *told
    ):
        one = WaitingSubmission(*rest)
        in_row[phase, track, cut_off_at, team if phases[phase].one_per_team else system].add(one)
        answered[one.pk].add(split)
    return {
        one.pk: sorted(
            (
                other
                for other in in_row[_row(one)]
                if other.pk != one.pk and (answered[other.pk] & answered[one.pk]) - {None}
            ),
            key=_arrival,
        )
        for one in asked
    }


def _arrival(submission: Submission | WaitingSubmission) -> tuple[dt.datetime, str]:
    """By which the latest is told, as in `scoring.disclosure.standings`."""
    return submission.received_at, str(submission.pk)


def _row(submission: Submission) -> tuple[object, ...]:
    """What is the same of submissions that fill one row of one board at one cut-off."""
    who = submission.system.team_id if submission.phase.one_per_team else submission.system_id
    return submission.phase_id, submission.track, submission.cut_off_at, who


def replaced_by(
    submission: Submission, beside: Mapping[UUID, list[WaitingSubmission]]
) -> list[WaitingSubmission]:
    """Earlier submissions that a waiting one takes the place of, wherever both answer; from what waits beside it."""
    if submission.phase.counting != Phase.CountingRule.LATEST:
        return []
    others = beside.get(submission.pk, [])
    return [other for other in others if _arrival(other) < _arrival(submission)]


def told_of_others(
    submissions: Iterable[Submission],
    zone: dt.tzinfo,
    beside: Mapping[UUID, list[WaitingSubmission]] | None = None,
) -> Mapping[UUID, str]:
    """What each of these that waits replaces, or what replaces it, and what can be done; nothing of one alone.

    `beside` is what waits beside them, where it is known already.
    """
    submissions = list(submissions)
    beside = waiting_beside(submissions) if beside is None else beside
    return {one.pk: _told(one, beside[one.pk], zone) for one in submissions if beside.get(one.pk)}


def _told(submission: Submission, others: list[WaitingSubmission], zone: dt.tzinfo) -> str:
    if submission.phase.counting == Phase.CountingRule.BEST:
        return "Of what waits for this cut-off the best counts."
    if submission.phase.counting == Phase.CountingRule.CHOSEN:
        return "Other submissions wait for this cut-off too: choose the one that counts."
    last = others[-1]
    named = f"“{last.file_name}”, received on {in_words(last.received_at, zone)},"
    is_last = _arrival(last) < _arrival(submission)
    is_soon_told = submission.phase.feedback == Phase.FeedbackMoment.IMMEDIATE
    if is_soon_told or (last if is_last else submission).told_at:  # its slot stays used
        return (
            f"It replaces {named} wherever both answer."
            if is_last
            else f"{named} replaces it wherever both answer."
        )
    if not is_last:
        return f"{named} replaces it wherever both answer. Withdraw this one, and its slot is free again."
    is_by_team = submission.phase.one_per_team
    way_out = "" if is_by_team else ", or send this file for another system to keep both"
    return (
        f"It replaces {named} wherever both answer. Withdraw that one, and its slot is free again{way_out}."
    )


def waiting(user: User, phases: Collection[Phase], at: dt.datetime) -> SubmissionQuerySet:
    """The submissions of a person's teams that wait for a cut-off of these phases, the latest first."""
    own = Submission.objects.of(user).filter(phase__in=phases, status=ACCEPTED, cut_off_at__gt=at)
    return own.select_related("system", "phase__benchmark").order_by("-received_at")


def further_file(submission: Submission) -> str:
    """What another file before the cut-off would mean for a submission that waits for it."""
    row = "your team" if submission.phase.one_per_team else submission.system.name
    return {
        Phase.CountingRule.LATEST: f"A further file for {row} replaces it wherever both answer.",
        Phase.CountingRule.BEST: f"Of several files for {row} the best counts.",
        Phase.CountingRule.CHOSEN: "Of several files the one that you choose counts.",
    }[Phase.CountingRule(submission.phase.counting)]
