"""The admin's first page: what waits for the organiser, and how each phase stands."""

import datetime as dt
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from django.db.models import Exists, OuterRef
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from accounts.formats.instants import distance, in_words
from accounts.server.clock import database_now
from accounts.server.worker_rounds import last_rounds
from benchmarks.admin.base import address, link, list_link, organised, page_link
from benchmarks.models import Task
from benchmarks.notices.models import ParticipantQuestion
from benchmarks.spec import BundleRule
from breaking.models import Contest, Pair
from leaderboard.admin.batch_watch import in_short
from leaderboard.admin.dashboard_tables import benchmarks_table, failures_table, phases_table
from leaderboard.publication.batch_watch import unseen
from scoring.models import Batch, GoldVersion
from scoring.queue.quarantine import quarantined
from submissions.models import Submission

Status = Submission.Status
LATE = dt.timedelta(minutes=5)
NOTHING_HAPPENS = (
    "Without workers nothing is closed, scored or published; whoever runs the server starts them."
)


def fill(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Add what the template admin/index.html shows; unfold calls this with its own context."""
    slugs, now = organised(request), database_now()
    return context | {
        "title": "What waits for you",
        "is_organiser": bool(slugs),
        "waiting": list(_waiting(slugs)),
        "workers": _workers(now),
        "tables": [phases_table(slugs, now), failures_table(slugs), benchmarks_table(slugs, now)]
        if slugs
        else [],
    }


def _workers(now: dt.datetime) -> str:
    """Whether anything is closed, scored and published by itself."""
    rounds = last_rounds()
    if not rounds:
        return f"No worker has been seen yet. {NOTHING_HAPPENS}"
    late = [name for name, seen_at in rounds.items() if now - seen_at > LATE]
    if late:
        return f"Last round of {', '.join(late)}: {distance(min(rounds.values()), now)}. {NOTHING_HAPPENS}"
    return f"Workers were last seen at their rounds {distance(max(rounds.values()), now)}."


def _waiting(slugs: frozenset[str]) -> Iterator[SafeString]:
    """A sentence for each thing that goes on only when an organiser does something."""
    for batch in Batch.objects.set_aside().filter(phase__benchmark__in=slugs).select_related("phase"):
        named = f"The batch of {in_words(batch.cut_off_at)} in {batch.phase}"
        words = "{} could not be published and was set aside. {}"
        yield format_html(words, link(batch, named), batch.set_aside_because)
    ready = Batch.objects.ready().filter(phase__benchmark__in=slugs, phase__publish_automatically=False)
    for batch in ready.select_related("phase"):
        named = f"The batch of {in_words(batch.cut_off_at)} in {batch.phase}"
        look = page_link(f"{address(batch).removesuffix('change/')}publish/", "Look at the coming release.")
        words = "{} is scored and waits for your word to be published. {}"
        yield format_html(words, link(batch, named), look)
    without_gold = Task.objects.filter(benchmark__in=slugs, is_retired=False).exclude(
        Exists(GoldVersion.objects.filter(split__task=OuterRef("pk")))
    )
    by_benchmark = groupby(without_gold.select_related("benchmark"), key=lambda task: task.benchmark)
    for benchmark, tasks in by_benchmark:
        yield format_html(
            "{} has no gold labels yet for {}; until then no file{} can be checked.",
            benchmark,
            format_html_join(", ", "{}", ((link(task, task.slug),) for task in tasks)),
            "" if benchmark.spec.bundle is BundleRule.COMPLETE else " that answers them",
        )
    yield from _of_participants(slugs)
    hopeless = quarantined().filter(phase__benchmark__in=slugs).count()
    if hopeless:
        words = f"{hopeless} submission{'' if hopeless == 1 else 's'}"
        listed = list_link(Submission, words, status__exact=Status.FAILED.value)
        yield format_html(
            "{} failed again and again: quarantined, which means that no further batch takes them in until you have "
            "them scored again.",
            listed,
        )
    failed = Submission.objects.filter(phase__benchmark__in=slugs, status=Status.FAILED).count() - hopeless
    if failed:
        words = f"{failed} submission{'' if failed == 1 else 's'}"
        listed = list_link(Submission, words, status__exact=Status.FAILED.value)
        yield format_html("{} could not be scored; the next batch tries again.", listed)
    for report in unseen(slugs):
        words = (
            f"Watch: {in_short(report)} in the batch of {in_words(report.batch.cut_off_at)} in "
            f"{report.batch.phase}."
        )
        yield link(report, words)
    scoring = Batch.objects.scoring().filter(phase__benchmark__in=slugs)
    for batch in scoring.select_related("phase"):
        ago = distance(batch.closed_at, database_now())
        yield format_html(
            "{} was closed {} and is being scored. If this takes long, is a worker running?", link(batch), ago
        )


def _of_participants(slugs: frozenset[str]) -> Iterator[SafeString]:
    """What participants wait for: answers, and decisions about pairs and labels."""
    asked = ParticipantQuestion.objects.filter(benchmark__in=slugs, answered_at=None).count()
    if asked:
        words = "1 question" if asked == 1 else f"{asked} questions"
        listed = list_link(ParticipantQuestion, words, answered_at__isempty=1)
        yield format_html("{} of participants to answer.", listed)
    pairs = Pair.objects.waiting().filter(pair_file__task__benchmark__in=slugs).count()
    if pairs:
        wait = "1 breakers' pair waits" if pairs == 1 else f"{pairs} breakers' pairs wait"
        listed = list_link(Pair, wait, decision__exact=Pair.Decision.WAITING.value)
        yield format_html("{} for your word; no set of their task is made before.", listed)
    contested = Contest.objects.open().filter(split__task__benchmark__in=slugs).count()
    if contested:
        words = f"{contested} contested label{'' if contested == 1 else 's'}"
        yield format_html(
            "{} to decide about.", list_link(Contest, words, status__exact=Contest.Status.OPEN.value)
        )
