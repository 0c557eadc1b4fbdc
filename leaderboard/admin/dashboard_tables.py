"""The tables of the admin's first page. Each costs the same few queries however much there is."""

import datetime as dt
from typing import Any

from django.db.models import Count, F, Max, Q, Sum
from django.db.models.functions import Length
from django.template.defaultfilters import filesizeformat
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.formats.instants import distance, in_words
from accounts.models import AuditEntry
from accounts.server.worker_rounds import KEEPING, last_rounds, late_rounds
from benchmarks.admin.organised.links import address, link, list_link, page_link
from benchmarks.admin.organised.organised_admin import Table
from benchmarks.admin.phase_forms import NO_CUT_OFF
from benchmarks.models import Benchmark, Phase, Task
from leaderboard.models import Release
from scoring.models import GoldVersion, ScoringRun
from submissions.models import Predictions, Submission
from submissions.participants import GroupUse

NOTHING_HAPPENS = (
    "Without workers nothing is closed, scored or published; whoever runs the server starts them."
)
Status = Submission.Status
Error = ScoringRun.Error
_KEYS = "Have whoever runs the server look at the workers' private key, then retry."
_MENDED_BY = {
    Error.KEY_MISSING: _KEYS,
    Error.KEY_WRONG: _KEYS,
    Error.GOLD_DAMAGED: "Load the gold labels again.",
    Error.PREDICTIONS_DAMAGED: "Ask the team to upload the file again.",
    Error.TASK_CHANGED: "Ask the team to upload a file for the task as it is now.",
    Error.INTERNAL: "Retry; if it fails again, report it.",
    Error.OVERDUE: "See that workers run, then retry.",
}


BEFORE = dt.timedelta(microseconds=1)
"""A round that is noted while a page is made is over, and not to come."""


def workers(now: dt.datetime) -> str:
    """Whether anything is closed, scored and published by itself, in a sentence."""
    rounds = {name: seen_at for name, seen_at in last_rounds().items() if name not in KEEPING}
    if not rounds:
        return f"No worker has been seen yet. {NOTHING_HAPPENS}"
    if late := late_rounds(now):
        return f"Last round of {', '.join(late)}: {distance(min(late.values()), now)}. {NOTHING_HAPPENS}"
    seen = distance(min(max(rounds.values()), now - BEFORE), now)
    return f"Workers were last seen at their rounds {seen}."


def phases_table(slugs: frozenset[str], now: dt.datetime) -> Table:
    """Every phase with its next cut-off, what waits for it, and how much of its quota is used."""
    waiting = Count("submissions", filter=Q(submissions__status=Status.ACCEPTED))
    phases = Phase.objects.filter(benchmark__in=slugs).select_related("benchmark").annotate(waiting=waiting)
    used = _quota(slugs, now)
    rows = [
        (
            link(phase, f"{phase.benchmark} / {phase.title}"),
            _uploads(phase, now),
            f"{in_words(phase.awaited_cut_off)}, {distance(phase.awaited_cut_off, now)}"
            if phase.awaited_cut_off
            else NO_CUT_OFF,
            list_link(
                Submission, phase.waiting, phase__id__exact=phase.pk, status__exact=Status.ACCEPTED.value
            ),
            used.get(phase.pk, "none"),
        )
        for phase in phases.order_by("benchmark__position", "benchmark", "position")
    ]
    headers = ("Phase", "Uploads", "Next cut-off", "Submissions waiting", "Quota used in this window")
    return Table("Phases", headers, rows, empty="No phase has been set up.")


def _uploads(phase: Phase, now: dt.datetime) -> str:
    if phase.opens_at and now < phase.opens_at:
        return f"open on {in_words(phase.opens_at)}"
    return "open" if phase.is_open(now) else "closed"


def _quota(slugs: frozenset[str], now: dt.datetime) -> dict[int, SafeString]:
    """What was used of each phase's quota in the window that has not ended yet, in words."""
    uses = GroupUse.objects.filter(group__phase__benchmark__in=slugs, window_ends_at__gt=now, used__gt=0)
    counted = (
        uses.order_by()
        .values_list("group__phase")
        .annotate(
            sent=Sum("used"),
            groups=Count("pk"),
            full=Count("pk", filter=Q(used__gte=F("group__phase__quota_limit"))),
        )
    )
    by_phase = {}
    for phase, used, groups, full in counted:
        words = f"{used} by {groups} group{'' if groups == 1 else 's'} of people"
        left = f"; {full} with none left" if full else ""
        by_phase[phase] = format_html("{}{}", list_link(GroupUse, words, group__phase__id__exact=phase), left)
    return by_phase


def failures_table(slugs: frozenset[str]) -> Table:
    """Why submissions could not be scored, with the link that mends it."""
    failed = ScoringRun.objects.filter(
        submission__phase__benchmark__in=slugs, submission__status=Status.FAILED, status="failed"
    )
    failures = failed.values_list("split__task", "submission__phase", "error").annotate(
        Count("submission", distinct=True)
    )
    counted = list(failures.order_by("split__task", "submission__phase", "error"))
    tasks = Task.objects.in_bulk({task for task, *_ in counted})
    rows = []
    for task_id, phase, error, count in counted:
        runs = {"status__exact": "failed", "submission__phase__id__exact": phase, "error": error}
        task = tasks[task_id]
        listed = list_link(Submission, count, phase__id__exact=phase, status__exact="failed")
        mends = _mends(Error(error), task, list_link(ScoringRun, "Failed runs", **runs))
        rows.append((link(task, task), listed, Error(error).label, mends))
    return Table("What failed", ("Task", "Submissions", "Why", "What mends it"), rows, empty="Nothing.")


def _mends(error: ScoringRun.Error, task: Task, runs: SafeString) -> SafeString:
    words = _MENDED_BY[error]
    if error == Error.GOLD_DAMAGED:
        loading = f"{address(task).removesuffix('change/')}load_gold/"
        return format_html("{} {}", page_link(loading, words), runs)
    return format_html("{} {}", words, runs)


def benchmarks_table(slugs: frozenset[str], now: dt.datetime) -> Table:
    """Each benchmark's last release, and what it takes on disk and in the database."""
    files = _by_benchmark(Submission, "phase__benchmark", slugs, Sum("file_size"))
    predictions = _by_benchmark(
        Predictions, "submission__phase__benchmark", slugs, Sum(Length("codes__packed"))
    )
    sealed = _by_benchmark(GoldVersion, "split__task__benchmark", slugs, Sum(Length("sealed__ciphertext")))
    numbers = _by_benchmark(Release, "benchmark", slugs, Max("number"))
    published = _by_benchmark(Release, "benchmark", slugs, Max("published_at"))
    rows = []
    for benchmark in Benchmark.objects.filter(pk__in=slugs):
        key = benchmark.pk
        release = "none yet"
        if key in numbers:
            url = f"/benchmarks/{key}/releases/{numbers[key]}/"
            words = f"{in_words(published[key])}, {distance(published[key], now)}"
            release = format_html("{}, {}", page_link(url, f"Release {numbers[key]}"), words)
        sizes = [filesizeformat(by_key.get(key, 0)) for by_key in (files, predictions, sealed)]
        log = list_link(AuditEntry, "Audit log", benchmark=key)
        rows.append((link(benchmark), release, *sizes, log))
    headers = ("Benchmark", "Last release", "Uploaded files", "Predictions", "Sealed gold labels", "By hand")
    return Table("Benchmarks and what they take", headers, rows)


def _by_benchmark(model: Any, path: str, slugs: frozenset[str], total: Any) -> dict[str, Any]:
    rows = model.objects.filter(**{f"{path}__in": slugs}).order_by()
    return dict(rows.values(path).annotate(total=total).values_list(path, "total"))
