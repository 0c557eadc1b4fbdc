"""Published pages for requests that come as far as Django, and a submission's own page with its scores."""

import uuid
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.access import reader, signed_in
from accounts.page_content import PageContent
from accounts.server.clock import received_at
from benchmarks.models import Benchmark
from benchmarks.spec import BenchmarkSpec
from leaderboard.board.model import number_format as fmt
from leaderboard.models import Release
from leaderboard.serving.own_results import ResultView, result_of, result_view
from leaderboard.serving.page_server import response
from leaderboard.serving.published_scores import PublishedScore, note_on, published_scores, shown_of
from scoring.disclosure.told_answers import FeedbackScore, feedback_on, note_on_feedback
from scoring.item_sets.equity import has_report
from scoring.models import BatchEntry
from scoring.queue.quarantine import is_quarantined
from submissions.fact_sheets.services import fact_lists, is_missing
from submissions.models import Choice, Submission
from submissions.quota.slots import Quota, quotas
from submissions.systems.pseudonyms import pseudonym_of
from submissions.systems.replacements import told_of_others
from submissions.systems.status_texts import Passed, ShownStatus, StatusView, describe, told_when
from submissions.systems.status_transitions import can_choose, can_withdraw
from submissions.uploads.answer_summary import AnsweredSplit, answered_splits, predictions_to_list
from submissions.uploads.signed_receipts import signed_receipt


@dataclass(frozen=True, kw_only=True)
class SubmissionPage(PageContent):
    """What became of one submission, what happens next, and its published scores, for the members of its team.

    `release` is the one that first published its scores. `scores` stand with value and deviation as texts, `note`
    says what they are under a rule. `answered_splits` are titles of splits with the number of tasks answered on each;
    empty where it is the test split alone. `fact_sheet` is “given” or “missing”; empty where the benchmark asks for
    none. `feedback` are scores before the release, each with its value as text; None where the phase gives none or
    they are released; `feedback_note` says what they are, or when they
    will be there. `result` is where its system stands in the newest release; None where that shows nothing of
    this submission. `quota` is what is left in the phase; None while nothing can be sent there. `system_url` is the
    public page of the system; empty while it is anonymous. `pseudonym` is what others read in place of the system's
    name; empty before it has a number. `is_shown` says whether the reader may open the benchmark's pages.
    """

    template = "leaderboard/submission.html"
    section = "submissions"
    submission: Submission
    status: StatusView
    release: Release | None
    result: ResultView | None
    feedback: Sequence[tuple[FeedbackScore, str]] | None
    feedback_note: str
    quota: Quota | None
    system_url: str
    scores: Sequence[tuple[PublishedScore, str, str]]
    shown: ShownStatus
    note: str
    seeds: int
    answered_splits: Sequence[tuple[str, int]]
    answered_tasks: Sequence[str]
    label_count: int
    track: str
    fact_sheet: str
    pseudonym: str
    can_withdraw: bool
    can_choose: bool
    is_chosen: bool
    is_shown: bool
    has_equity_report: bool
    has_receipt: bool


def page(request: HttpRequest, **parts: str) -> HttpResponse:
    """A published page by its path, a board as the query string asks. config/wsgi.py answers before it comes here."""
    return response(request.path, request)


@signed_in
@require_safe
def submission(request: HttpRequest, submission: uuid.UUID) -> HttpResponse:
    """What became of one of the reader's own submissions."""
    mine = Submission.objects.of(reader(request))
    upload = get_object_or_404(
        mine.select_related("system__team", "phase__benchmark", "submitted_by"), pk=submission
    )
    scores, zone = published_scores(upload), timezone.get_current_timezone()
    others = told_of_others([upload], zone).get(upload.pk, "")
    shown = shown_of(upload, scores)
    entries = upload.batch_entries.select_related("batch").order_by("batch__cut_off_at")
    judged = entries.exclude(outcome=BatchEntry.Outcome.PENDING).last()
    counted = entries.filter(outcome=BatchEntry.Outcome.SCORED)
    release = Release.objects.filter(batch__entries__in=counted).order_by("number").first()
    passed = Passed(
        judged_at=judged.batch.scored_at if judged else None,
        published_at=release.published_at if release else None,
        release=release.number if release else None,
        shown=shown,
        is_quarantined=is_quarantined(upload),
    )
    result = result_of(upload, scores, reader(request))
    is_shown = Benchmark.objects.is_shown_to(reader(request), upload.phase.benchmark)
    answered = answered_splits(predictions_to_list().filter(submission=upload))
    spec = upload.phase.benchmark.spec
    content = SubmissionPage(
        submission=upload,
        status=describe(upload, now=received_at(request), zone=zone, passed=passed, others=others),
        release=release,
        result=result_view(result) if result else None,
        feedback=None if release else _feedback(upload),
        feedback_note=note_on_feedback(upload) or told_when(upload, zone),
        quota=_quota(upload, request) if is_shown else None,
        is_shown=is_shown,
        system_url="" if upload.phase.benchmark.is_anonymous else f"/systems/{upload.system_id}/",
        scores=[(score, fmt.score(score.value), fmt.deviation(score.deviation)) for score in scores],
        shown=shown,
        note=note_on(scores, answered=len(answered)),
        seeds=max((split.seeds for split in answered), default=1),
        answered_splits=_by_split(answered, spec),
        answered_tasks=list(dict.fromkeys(split.task_title for split in answered)),
        label_count=sum(split.labels for split in answered),
        track=next((track.title for track in spec.tracks if track.id == upload.track), upload.track),
        fact_sheet=_fact_sheet(upload),
        pseudonym=pseudonym_of(upload.system, upload.phase.benchmark),
        can_withdraw=can_withdraw(upload),
        can_choose=can_choose(upload, received_at(request)),
        is_chosen=Choice.objects.filter(submission=upload).exists(),
        has_equity_report=has_report(upload),
        has_receipt=signed_receipt(upload) is not None,
    )
    return content.answer(request)


def _feedback(submission: Submission) -> list[tuple[FeedbackScore, str]] | None:
    scores = feedback_on(submission)
    return None if scores is None else [(score, fmt.score(score.value)) for score in scores]


def _quota(submission: Submission, request: HttpRequest) -> Quota | None:
    """What the submission's team has left in its phase; None while nothing can be sent there."""
    at, phase = received_at(request), submission.phase
    if not phase.is_open(at):
        return None
    return quotas(reader(request), [submission.system.team], [phase], at)[0]


def _by_split(answered: Iterable[AnsweredSplit], spec: BenchmarkSpec) -> list[tuple[str, int]]:
    """How many tasks are answered on each split, by its title; nothing where it is the test split alone."""
    titles = {split.id: split.title for task in spec.tasks for split in task.splits}
    counts = Counter(titles.get(one.split, one.split) for one in answered)
    return list(counts.items()) if len(counts) > 1 else []


def _fact_sheet(submission: Submission) -> str:
    """“given” or “missing”; empty where the benchmark asks for none."""
    benchmark = submission.phase.benchmark
    if not fact_lists(benchmark):
        return ""
    return "missing" if is_missing(submission.system, benchmark) else "given"
