"""What a person is told about an upload: the receipt, or why it was not taken, what it cost and what to do next."""

import datetime as dt
import math
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus

from django.http import Http404, HttpRequest, HttpResponse

from accounts.formats.instants import distance, in_words
from accounts.formats.numbers import grouped
from accounts.models import User
from accounts.page_content import PageContent
from benchmarks.models import Phase
from benchmarks.spec import TaskSpec
from catalogue.problems import counted
from submissions.exceptions import NotYourTeam, QuotaUsedUp, SubmissionError, TooManyChecks, UploadRefused
from submissions.intake import Cause, IntakeResult, Problem
from submissions.intake.predictions.repair import KeptRepair
from submissions.models import System
from submissions.quota.slots import Quota, quotas
from submissions.services import PredictionUpload, Receipt
from submissions.uploads.answer_distributions import Spread, spreads

# So many are told one by one, more by their causes.
_FEW_PROBLEMS = 12


@dataclass(frozen=True)
class JudgedUpload:
    """What was uploaded, for what; `again` is the form with system and phase chosen."""

    file_name: str
    system: System
    phase: Phase
    quota: Quota

    @property
    def again(self) -> str:
        return f"/submit/?benchmark={self.phase.benchmark_id}&system={self.system.pk}"


@dataclass(frozen=True, kw_only=True)
class CheckedPage(PageContent):
    """An upload that was only checked and has no problem: how much quota is used, and the next cut-off, in words."""

    template = "submissions/checked.html"
    section = "submit"
    upload: JudgedUpload
    title: str
    used: str
    cut_off: str
    spreads: Sequence[Spread]


@dataclass(frozen=True, kw_only=True)
class NotTakenPage(PageContent):
    """Why an upload was not looked into, `code` as the API says it; `next_slot_at` where the quota is used up."""

    template = "submissions/not_taken.html"
    section = "submit"
    upload: JudgedUpload
    title: str
    message: str
    code: str
    next_slot_at: dt.datetime | None


@dataclass(frozen=True, kw_only=True)
class RefusedPage(PageContent):
    """An upload with problems: a few as they are, or many by their causes (`is_by_cause`); and what is `fine`.

    `labels_read` counts those of the fine files, `task_count` the benchmark's tasks. `check` is the command that finds
    the same problems on the reader's own machine, `fix` the one that makes the same `repair`, where there is one.
    """

    template = "submissions/refused.html"
    section = "submit"
    upload: JudgedUpload
    title: str
    problems: Sequence[Problem]
    causes: Sequence[Cause]
    is_by_cause: bool
    repair: KeptRepair | None
    fix: str
    fine: Sequence[TaskSpec]
    task_count: int
    labels_read: int
    check: str


def receipt_sentence(receipt: Receipt, *, now: dt.datetime, zone: dt.tzinfo) -> str:
    """What was accepted and what it cost. When it is scored, and what it means for others, its page says."""
    submission = receipt.submission
    if receipt.is_repeat:
        received = in_words(submission.received_at, zone)
        return f"These very predictions were sent before, on {received}: this is that submission. It cost nothing."
    used = _used(receipt.quota(submission.submitted_by, now))
    return f"Accepted: {_what(receipt.result, submission.phase)}. {used}".rstrip()


def checked(
    request: HttpRequest, result: IntakeResult, upload: PredictionUpload, zone: dt.tzinfo
) -> HttpResponse:
    """The page for an upload that was only checked and has no problem."""
    phase, now = upload.phase, upload.received_at
    cut_off_at, judged = phase.cut_off_after(now), _judged(upload)
    page = CheckedPage(
        upload=judged,
        title=f"No problem found: {_what(result, phase)}",
        used=_used(judged.quota),
        cut_off=f"{in_words(cut_off_at, zone)}, {distance(cut_off_at, now)}",
        spreads=spreads(result.predictions, team=upload.system.team, phase=phase, before=now),
    )
    return page.answer(request)


def verdict(request: HttpRequest, error: SubmissionError, upload: PredictionUpload) -> HttpResponse:
    """The page for an upload that was not taken.

    Raises
    ------
    Http404
        If the system is not the person's own: nobody is told of others' systems.
    """
    if isinstance(error, NotYourTeam):
        raise Http404("There is no such system.") from error
    if isinstance(error, UploadRefused):
        return _refused(request, error, upload)
    next_slot_at = error.next_slot_at if isinstance(error, QuotaUsedUp) else None
    again_at = error.again_at if isinstance(error, TooManyChecks) else next_slot_at
    page = NotTakenPage(
        upload=_judged(upload),
        title=error.title,
        message=str(error),
        code=error.code,
        next_slot_at=next_slot_at,
    )
    response = page.answer(request, status=error.status)
    if again_at:
        seconds = (again_at - upload.received_at).total_seconds()
        response["Retry-After"] = str(max(1, math.ceil(seconds)))
    return response


def _refused(request: HttpRequest, error: UploadRefused, upload: PredictionUpload) -> HttpResponse:
    result = error.result
    spec = upload.phase.benchmark.spec
    is_by_cause = len(result.problems) + result.more > _FEW_PROBLEMS
    page = RefusedPage(
        upload=_judged(upload),
        title=f"Not accepted{_reasons(result) if is_by_cause else f': {_count(result)}'}",
        problems=result.problems,
        causes=result.causes,
        is_by_cause=is_by_cause,
        repair=error.repair,
        fix=f"heldout fix {shlex.quote(upload.file_name)} --benchmark {spec.id}",
        fine=[spec.task(task) for task in dict.fromkeys(result.tasks_fine)],
        task_count=len(spec.tasks),
        labels_read=result.labels_read,
        check=f"heldout check {shlex.quote(upload.file_name)} --benchmark {spec.id}",
    )
    return page.answer(request, status=HTTPStatus.UNPROCESSABLE_ENTITY)


def _judged(upload: PredictionUpload) -> JudgedUpload:
    system, phase = upload.system, upload.phase
    quota = _quota(upload.user, system, phase, upload.received_at)
    return JudgedUpload(upload.file_name, system, phase, quota)


def _reasons(result: IntakeResult) -> str:
    count = len(result.causes)
    return ", for one reason" if count == 1 else f", for {count} reasons"


def _count(result: IntakeResult) -> str:
    """“3 problems in 2 files”."""
    total = len(result.problems) + result.more
    problems = f"{grouped(total)} problem{'' if total == 1 else 's'}"
    files = len({problem.file for problem in result.problems})
    return f"{problems} in {files} file{'' if files == 1 else 's'}"


def _what(result: IntakeResult, phase: Phase) -> str:
    """“11 of 11 tasks, 28,716 labels”; between them other splits than the test split alone, and seeds asked for."""
    spec = phase.benchmark.spec
    answered, total = len({one.task for one in result.predictions}), len(spec.tasks)
    splits = list(dict.fromkeys(one.split for one in result.predictions))
    parts = [f"{answered} of {total} task{'' if total == 1 else 's'}"]
    if splits != ["test"]:
        parts.append(f"split{'' if len(splits) == 1 else 's'} {', '.join(splits)}")
    if spec.seeds > 1:
        parts.append(f"{len(result.seeds)} of {spec.seeds} seeds")
    return ", ".join([*parts, counted(result.labels_read, "label")])


def _used(quota: Quota) -> str:
    return f"You and your team have used {quota.used} of {quota.limit} submissions {quota.window}."


def _quota(user: User, system: System, phase: Phase, now: dt.datetime) -> Quota:
    return quotas(user, [system.team], [phase], now)[0]
