"""What a person is told about an upload: the receipt, or why it was not taken, what it cost and what to do next."""

from __future__ import annotations

import datetime as dt
import math
import shlex
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from django.http import Http404
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.instants import distance, in_words
from accounts.models import User
from accounts.numbers import grouped
from benchmarks.models import Phase
from benchmarks.spec import BenchmarkSpec
from submissions.distributions import spreads
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
from submissions.quota import Quota, quotas
from submissions.services import Receipt

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

# Title and status of the refusals that are not about the file.
_REFUSALS: dict[type[SubmissionError], tuple[_StrPromise, HTTPStatus]] = {
    PhaseClosed: (gettext_lazy("Not taken: the phase is closed"), HTTPStatus.FORBIDDEN),
    WrongPhase: (gettext_lazy("Not taken: the phase takes something else"), HTTPStatus.FORBIDDEN),
    UnknownTrack: (gettext_lazy("Not taken: there is no such track"), HTTPStatus.UNPROCESSABLE_ENTITY),
    PhaseNotReady: (gettext_lazy("Not taken: the phase is not ready yet"), HTTPStatus.SERVICE_UNAVAILABLE),
    TermsNotAccepted: (gettext_lazy("Not taken: the terms are not accepted yet"), HTTPStatus.FORBIDDEN),
    SecondTeam: (gettext_lazy("Not taken: you take part with another team"), HTTPStatus.CONFLICT),
    TooManySystems: (gettext_lazy("Not taken: your team has too many systems here"), HTTPStatus.CONFLICT),
    QuotaUsedUp: (gettext_lazy("Not taken: the quota is used up"), HTTPStatus.TOO_MANY_REQUESTS),
    TooManyChecks: (gettext_lazy("Not checked: too many files in this hour"), HTTPStatus.TOO_MANY_REQUESTS),
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
        return _(
            "These very predictions were sent before, on %(received)s: this is that submission. It cost nothing."
        ) % {"received": received}
    cut_off = f"{in_words(submission.cut_off_at, zone)}, {distance(submission.cut_off_at, now)}"
    accepted = _("Accepted: %(what)s. It is scored at the cut-off on %(cut_off)s.") % {
        "what": _what(receipt.result, submission.phase),
        "cut_off": cut_off,
    }
    return f"{accepted} {_used(_quota(submission.submitted_by, submission.system, submission.phase, now))}"


def checked(
    result: IntakeResult,
    *,
    user: User,
    system: System,
    phase: Phase,
    file_name: str,
    now: dt.datetime,
    zone: dt.tzinfo,
) -> Verdict:
    """The page for an upload that was only checked and has no problem."""
    cut_off_at = phase.cut_off_after(now)
    quota = _quota(user, system, phase, now)
    context = {
        "title": _("No problem found: %(what)s") % {"what": _what(result, phase)},
        "system": system,
        "phase": phase,
        "file_name": file_name,
        "quota": quota,
        "used": _used(quota),
        "cut_off": f"{in_words(cut_off_at, zone)}, {distance(cut_off_at, now)}",
        "again": _again(system, phase),
        "spreads": spreads(result.predictions, team=system.team, phase=phase, before=now),
    }
    return Verdict("submissions/checked.html", HTTPStatus.OK, context)


def verdict(
    error: SubmissionError, *, user: User, system: System, phase: Phase, file_name: str, now: dt.datetime
) -> Verdict:
    """The page for an upload that was not taken.

    Raises
    ------
    Http404
        If the system is not the person's own: nobody is told of others' systems.
    """
    if isinstance(error, NotYourTeam):
        raise Http404(_("There is no such system.")) from error
    context: dict[str, Any] = {
        "system": system,
        "phase": phase,
        "file_name": file_name,
        "quota": _quota(user, system, phase, now),
        "again": _again(system, phase),
    }
    if isinstance(error, UploadRefused):
        context |= _file_context(error.result, phase, file_name)
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


def _again(system: System, phase: Phase) -> str:
    """The form with system and phase chosen."""
    return f"/submit/?benchmark={phase.benchmark_id}&system={system.pk}"


def _retry_after(instant: dt.datetime, now: dt.datetime) -> dict[str, str]:
    return {"Retry-After": str(max(1, math.ceil((instant - now).total_seconds())))}


def _file_context(result: IntakeResult, phase: Phase, file_name: str) -> dict[str, Any]:
    spec = phase.benchmark.spec
    return {
        "title": _("Not accepted: %(problems)s") % {"problems": _count(result)},
        "problems": result.problems,
        "more": result.more,
        "fine": [spec.task(task) for task in dict.fromkeys(result.tasks_fine)],
        "task_count": len(spec.tasks),
        "labels_read": result.labels_read,
        "check": f"heldout check {shlex.quote(file_name)} --benchmark {spec.id}",
    }


def _count(result: IntakeResult) -> str:
    """“3 problems in 2 files”; where not all are listed, nobody has counted the files of the others."""
    total = len(result.problems) + result.more
    problems = ngettext("%(number)s problem", "%(number)s problems", total) % {"number": grouped(total)}
    if result.more:
        return problems
    files = len({problem.file for problem in result.problems})
    return ngettext("%(problems)s in %(number)s file", "%(problems)s in %(number)s files", files) % {
        "problems": problems,
        "number": files,
    }


def _what(result: IntakeResult, phase: Phase) -> str:
    """“11 of 11 tasks, 28,716 labels”."""
    spec = phase.benchmark.spec
    answered = len({one.task for one in result.predictions})
    total = len(spec.tasks)
    tasks = ngettext("%(answered)s of %(number)s task", "%(answered)s of %(number)s tasks", total) % {
        "answered": answered,
        "number": total,
    }
    labels = _("%(number)s labels") % {"number": grouped(result.labels_read)}
    return ", ".join([tasks, *_beside_tasks(result, spec), labels])


def _used(quota: Quota) -> str:
    sentence = (
        _("Your team has used %(used)s of %(limit)s submissions %(window)s.")
        if quota.used_by == "team"
        else _("You have used %(used)s of %(limit)s submissions %(window)s of your own, over all your teams.")
    )
    return sentence % {"used": quota.used, "limit": quota.limit, "window": quota.window}


def _beside_tasks(result: IntakeResult, spec: BenchmarkSpec) -> list[str]:
    """Which splits other than the test split alone were answered, and with how many seeds, where that is asked."""
    splits = list(dict.fromkeys(one.split for one in result.predictions))
    beside = []
    if splits != ["test"]:
        beside.append(
            ngettext("split %(splits)s", "splits %(splits)s", len(splits)) % {"splits": ", ".join(splits)}
        )
    if spec.seeds > 1:
        beside.append(
            _("%(answered)s of %(total)s seeds") % {"answered": len(result.seeds), "total": spec.seeds}
        )
    return beside


def _quota(user: User, system: System, phase: Phase, now: dt.datetime) -> Quota:
    return quotas(user, [system.team], [phase], now)[0]
