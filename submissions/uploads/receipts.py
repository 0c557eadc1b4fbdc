"""What a person is told about an upload: the receipt, or why it was not taken, what it cost and what to do next."""

import datetime as dt
import math
import shlex
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from django.http import Http404

from accounts.formats.instants import distance, in_words
from accounts.formats.numbers import grouped
from accounts.models import User
from benchmarks.models import Phase
from benchmarks.spec import BenchmarkSpec
from submissions.exceptions import (
    NotYourTeam,
    PhaseClosed,
    PhaseNotReady,
    QuotaUsedUp,
    SecondTeam,
    SubmissionError,
    TermsNotAccepted,
    TooManyChecks,
    TooManySystems,
    UnknownTrack,
    UploadRefused,
    WrongPhase,
)
from submissions.intake import IntakeResult
from submissions.models import System
from submissions.quota.slots import Quota, quotas
from submissions.services import PredictionUpload, Receipt
from submissions.uploads.answer_distributions import spreads

# Title and status of the refusals that are not about the file.
_REFUSALS: dict[type[SubmissionError], tuple[str, HTTPStatus]] = {
    PhaseClosed: ("Not taken: the phase is closed", HTTPStatus.FORBIDDEN),
    WrongPhase: ("Not taken: the phase takes something else", HTTPStatus.FORBIDDEN),
    UnknownTrack: ("Not taken: there is no such track", HTTPStatus.UNPROCESSABLE_ENTITY),
    PhaseNotReady: ("Not taken: the phase is not ready yet", HTTPStatus.SERVICE_UNAVAILABLE),
    TermsNotAccepted: ("Not taken: the terms are not accepted yet", HTTPStatus.FORBIDDEN),
    SecondTeam: ("Not taken: you take part with another team", HTTPStatus.CONFLICT),
    TooManySystems: ("Not taken: your team has too many systems here", HTTPStatus.CONFLICT),
    QuotaUsedUp: ("Not taken: the quota is used up", HTTPStatus.TOO_MANY_REQUESTS),
    TooManyChecks: ("Not checked: too many files in this hour", HTTPStatus.TOO_MANY_REQUESTS),
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """A page that says why an upload was not taken."""

    template: str
    status: HTTPStatus
    context: dict[str, Any]
    headers: dict[str, str] = field(default_factory=dict)


def receipt_sentence(receipt: Receipt, *, now: dt.datetime, zone: dt.tzinfo) -> str:
    """What was accepted, when it is scored and what it cost."""
    submission = receipt.submission
    if receipt.is_repeat:
        received = in_words(submission.received_at, zone)
        return f"These very predictions were sent before, on {received}: this is that submission. It cost nothing."
    cut_off = f"{in_words(submission.cut_off_at, zone)}, {distance(submission.cut_off_at, now)}"
    accepted = (
        f"Accepted: {_what(receipt.result, submission.phase)}. It is scored at the cut-off on {cut_off}."
    )
    return f"{accepted} {_used(_quota(submission.submitted_by, submission.system, submission.phase, now))}"


def checked(result: IntakeResult, upload: PredictionUpload, zone: dt.tzinfo) -> Verdict:
    """The page for an upload that was only checked and has no problem."""
    phase, now = upload.phase, upload.received_at
    cut_off_at = phase.cut_off_after(now)
    context = _context(upload)
    context |= {
        "title": f"No problem found: {_what(result, phase)}",
        "used": _used(context["quota"]),
        "cut_off": f"{in_words(cut_off_at, zone)}, {distance(cut_off_at, now)}",
        "spreads": spreads(result.predictions, team=upload.system.team, phase=phase, before=now),
    }
    return Verdict("submissions/checked.html", HTTPStatus.OK, context)


def verdict(error: SubmissionError, upload: PredictionUpload) -> Verdict:
    """The page for an upload that was not taken.

    Raises
    ------
    Http404
        If the system is not the person's own: nobody is told of others' systems.
    """
    if isinstance(error, NotYourTeam):
        raise Http404("There is no such system.") from error
    context, now = _context(upload), upload.received_at
    if isinstance(error, UploadRefused):
        context |= _file_context(error.result, upload)
        return Verdict("submissions/refused.html", HTTPStatus.UNPROCESSABLE_ENTITY, context)
    title, status = _REFUSALS[type(error)]
    context |= {"title": str(title), "message": str(error), "code": error.code}
    headers = {}
    if isinstance(error, QuotaUsedUp):
        context["next_slot_at"] = error.next_slot_at
        headers = _retry_after(error.next_slot_at, now)
    if isinstance(error, TooManyChecks):
        headers = _retry_after(error.again_at, now)
    return Verdict("submissions/not_taken.html", status, context, headers)


def _context(upload: PredictionUpload) -> dict[str, Any]:
    """What every such page shows; `again` is the form with system and phase chosen."""
    system, phase = upload.system, upload.phase
    return {
        "system": system,
        "phase": phase,
        "file_name": upload.file_name,
        "quota": _quota(upload.user, system, phase, upload.received_at),
        "again": f"/submit/?benchmark={phase.benchmark_id}&system={system.pk}",
    }


def _retry_after(instant: dt.datetime, now: dt.datetime) -> dict[str, str]:
    return {"Retry-After": str(max(1, math.ceil((instant - now).total_seconds())))}


def _file_context(result: IntakeResult, upload: PredictionUpload) -> dict[str, Any]:
    spec = upload.phase.benchmark.spec
    return {
        "title": f"Not accepted: {_count(result)}",
        "problems": result.problems,
        "more": result.more,
        "fine": [spec.task(task) for task in dict.fromkeys(result.tasks_fine)],
        "task_count": len(spec.tasks),
        "labels_read": result.labels_read,
        "check": f"heldout check {shlex.quote(upload.file_name)} --benchmark {spec.id}",
    }


def _count(result: IntakeResult) -> str:
    """“3 problems in 2 files”; where not all are listed, nobody has counted the files of the others."""
    total = len(result.problems) + result.more
    problems = f"{grouped(total)} problem" if total == 1 else f"{grouped(total)} problems"
    if result.more:
        return problems
    files = len({problem.file for problem in result.problems})
    return f"{problems} in {files} file" if files == 1 else f"{problems} in {files} files"


def _what(result: IntakeResult, phase: Phase) -> str:
    """“11 of 11 tasks, 28,716 labels”."""
    spec = phase.benchmark.spec
    answered = len({one.task for one in result.predictions})
    total = len(spec.tasks)
    tasks = f"{answered} of {total} task" if total == 1 else f"{answered} of {total} tasks"
    labels = f"{grouped(result.labels_read)} labels"
    return ", ".join([tasks, *_beside_tasks(result, spec), labels])


def _used(quota: Quota) -> str:
    return (
        "Your team has used %(used)s of %(limit)s submissions %(window)s."
        if quota.used_by == "team"
        else "You have used %(used)s of %(limit)s submissions %(window)s of your own, over all your teams."
    ) % {"used": quota.used, "limit": quota.limit, "window": quota.window}


def _beside_tasks(result: IntakeResult, spec: BenchmarkSpec) -> list[str]:
    """Which splits other than the test split alone were answered, and with how many seeds, where that is asked."""
    splits = list(dict.fromkeys(one.split for one in result.predictions))
    beside = []
    if splits != ["test"]:
        beside.append(f"split {', '.join(splits)}" if len(splits) == 1 else f"splits {', '.join(splits)}")
    if spec.seeds > 1:
        beside.append(f"{len(result.seeds)} of {spec.seeds} seeds")
    return beside


def _quota(user: User, system: System, phase: Phase, now: dt.datetime) -> Quota:
    return quotas(user, [system.team], [phase], now)[0]
