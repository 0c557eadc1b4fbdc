"""What goes on only when an organiser does something: a sentence for each, by benchmark."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from accounts.formats.instants import distance, in_words
from accounts.models import AuditEntry
from benchmarks.admin.organised.links import address, link, list_link, page_link
from benchmarks.models import Benchmark, GivenFile, Phase, Task
from benchmarks.notices.models import ParticipantQuestion
from benchmarks.spec import BundleRule
from breaking.models import Contest, Pair
from catalogue.problems import counted
from labelling.models import Assignment, Campaign, Unit, Worker
from leaderboard.admin.batch_watch import in_short
from leaderboard.publication.batch_watch import unseen
from scoring.models import Batch, GoldVersion
from scoring.queue.batches import corrected_since_they_closed
from scoring.queue.quarantine import quarantined
from submissions.models import Submission
from submissions.participants import RowClaim, TeamRegistration

Status = Submission.Status
SOON = dt.timedelta(days=7)
"""How long before a file is to be given its organisers are told that nothing was loaded."""


@dataclass(frozen=True, slots=True)
class WaitingLine:
    """One thing that waits, as a sentence with its link."""

    benchmark: str
    sentence: SafeString


def what_waits(slugs: frozenset[str], now: dt.datetime) -> list[WaitingLine]:
    """Of all these benchmarks, for a few queries however many they are; the most pressing of each first."""
    found = [
        *_batches(slugs),
        *_corrected(slugs, now),
        *_without_gold(slugs),
        *_drafts(slugs),
        *_files(slugs, now),
        *_of_participants(slugs),
        *_campaigns(slugs),
        *_failed(slugs),
        *(_report(report) for report in unseen(slugs)),
    ]
    for batch in Batch.objects.scoring().filter(phase__benchmark__in=slugs).select_related("phase"):
        words = "{} was closed {} and is being scored. If this takes long, is a worker running?"
        found.append(
            WaitingLine(
                batch.phase.benchmark_id, format_html(words, link(batch), distance(batch.closed_at, now))
            )
        )
    return found


def _drafts(slugs: frozenset[str]) -> Iterator[WaitingLine]:
    """Drafts with a phase, which an operator is to open; asked already or not."""
    asked = AuditEntry.objects.filter(kind="ask to open", benchmark=OuterRef("pk")).order_by("-at")
    drafts = Benchmark.objects.filter(pk__in=slugs, visibility=Benchmark.Visibility.DRAFT, archived_at=None)
    drafts = drafts.filter(Exists(Phase.objects.filter(benchmark=OuterRef("pk"))))
    for benchmark in drafts.annotate(asked_at=Subquery(asked.values("at")[:1])):
        words = "{} is a draft: nobody without a role in it sees it or can send a file. {}"
        asking = page_link(f"{address(benchmark).removesuffix('change/')}ask_to_open/", "Ask to be opened")
        next_step = (
            f"The operators were asked to open it on {in_words(benchmark.asked_at)}."
            if benchmark.asked_at
            else format_html("{} when it is ready.", asking)
        )
        yield WaitingLine(benchmark.pk, format_html(words, benchmark, next_step))


def _batches(slugs: frozenset[str]) -> Iterator[WaitingLine]:
    for batch in Batch.objects.set_aside().filter(phase__benchmark__in=slugs).select_related("phase"):
        named = f"The batch of {in_words(batch.cut_off_at)} in {batch.phase}"
        words = "{} could not be published and was set aside. {}"
        sentence = format_html(words, link(batch, named), batch.set_aside_because)
        yield WaitingLine(batch.phase.benchmark_id, sentence)
    ready = Batch.objects.ready().filter(phase__benchmark__in=slugs, phase__publish_automatically=False)
    for batch in ready.select_related("phase"):
        named = f"The batch of {in_words(batch.cut_off_at)} in {batch.phase}"
        look = page_link(f"{address(batch).removesuffix('change/')}publish/", "Look at the coming release.")
        words = "{} is scored and waits for your word to be published. {}"
        yield WaitingLine(batch.phase.benchmark_id, format_html(words, link(batch, named), look))


def _corrected(slugs: frozenset[str], now: dt.datetime) -> Iterator[WaitingLine]:
    """Phases that are over and have changed since: what follows by itself, and how to have it at once."""
    for phase in corrected_since_they_closed(slugs, now):
        closing = page_link(f"{address(phase).removesuffix('change/')}close_now/", "Close it again")
        words = "Labels or submissions of {} have changed since it was scored. {} to score it now; otherwise that "
        words += "happens on {}."
        sentence = format_html(words, link(phase, phase.title), closing, in_words(phase.next_cut_off_at))
        yield WaitingLine(phase.benchmark_id, sentence)


def _without_gold(slugs: frozenset[str]) -> Iterator[WaitingLine]:
    lacking = Task.objects.filter(benchmark__in=slugs, is_retired=False).exclude(
        Exists(GoldVersion.objects.filter(split__task=OuterRef("pk")))
    )
    by_benchmark = groupby(lacking.select_related("benchmark"), key=lambda task: task.benchmark)
    for benchmark, tasks in by_benchmark:
        sentence = format_html(
            "{} has no gold labels yet for {}; until then no file{} can be checked.",
            benchmark,
            format_html_join(", ", "{}", ((link(task, task.slug),) for task in tasks)),
            "" if benchmark.spec.bundle is BundleRule.COMPLETE else " that answers them",
        )
        yield WaitingLine(benchmark.pk, sentence)


def _files(slugs: frozenset[str], now: dt.datetime) -> Iterator[WaitingLine]:
    """Files that are given within the week, or should be given already, and that nobody has loaded."""
    told = GivenFile.objects.filter(benchmark__in=slugs, versions=None, given_at__lte=now + SOON)
    for file in told:
        given_at = file.given_at or now
        words = (
            "{} is given on {}: load it."
            if given_at > now
            else "{} was to be given on {}; nothing is loaded."
        )
        loading = page_link(f"{address(file).removesuffix('change/')}load_version/", file.name)
        yield WaitingLine(file.benchmark_id, format_html(words, loading, in_words(given_at)))


def _of_participants(slugs: frozenset[str]) -> Iterator[WaitingLine]:
    """What participants wait for: being let in, answers, and decisions about pairs and labels."""
    asked = TeamRegistration.objects.filter(
        benchmark__in=slugs,
        approved_at=None,
        declined_at=None,
        benchmark__registration=Benchmark.Registration.APPROVAL,
    )
    for slug, count in _counted(asked, "benchmark"):
        listed = list_link(TeamRegistration, counted(count, "team"), benchmark__slug__exact=slug)
        yield WaitingLine(slug, format_html("{} to approve or decline.", listed))
    claims = RowClaim.objects.filter(benchmark__in=slugs, state=RowClaim.State.WAITING)
    for slug, count in _counted(claims, "benchmark"):
        listed = list_link(RowClaim, counted(count, "row"), benchmark__slug__exact=slug)
        yield WaitingLine(
            slug, format_html("{} of the earlier leaderboard, claimed by a team: accept or refuse.", listed)
        )
    without = Benchmark.objects.filter(
        pk__in=slugs, registration=Benchmark.Registration.CODE, registration_secret=""
    )
    for benchmark in without:
        setting = page_link(f"{address(benchmark).removesuffix('change/')}set_registration_code/", "Set one.")
        words = "{} takes teams that type a code, and has none yet, so no new team can come. {}"
        yield WaitingLine(benchmark.pk, format_html(words, benchmark, setting))
    questions = ParticipantQuestion.objects.filter(benchmark__in=slugs, answered_at=None)
    for slug, count in _counted(questions, "benchmark"):
        listed = list_link(ParticipantQuestion, counted(count, "question"), answered_at__isempty=1)
        yield WaitingLine(slug, format_html("{} of participants to answer.", listed))
    pairs = Pair.objects.waiting().filter(pair_file__task__benchmark__in=slugs)
    for slug, count in _counted(pairs, "pair_file__task__benchmark"):
        wait = "1 breakers' pair waits" if count == 1 else f"{count} breakers' pairs wait"
        listed = list_link(Pair, wait, decision__exact=Pair.Decision.WAITING.value)
        yield WaitingLine(slug, format_html("{} for your word; no set of their task is made before.", listed))
    contested = Contest.objects.open().filter(split__task__benchmark__in=slugs)
    for slug, count in _counted(contested, "split__task__benchmark"):
        words = counted(count, "contested label")
        listed = list_link(Contest, words, status__exact=Contest.Status.OPEN.value)
        yield WaitingLine(slug, format_html("{} to decide about.", listed))


def _campaigns(slugs: frozenset[str]) -> Iterator[WaitingLine]:
    """Campaigns of labelling that go on only by an organiser's word."""
    units = Unit.objects.filter(campaign=OuterRef("pk"), part=Unit.Part.MAIN)
    lacking = units.filter(Q(taken__lt=F("wanted")) | Q(assignments__status=Assignment.Status.HELD))
    waiting = Count("workers", filter=Q(workers__stage=Worker.Stage.WAITING))
    rows = Campaign.objects.filter(benchmark__in=slugs).exclude(status=Campaign.Status.DRAFT)
    for campaign in rows.annotate(waiting=waiting, is_lacking=Exists(lacking)).defer("sealed_seed"):
        for words in _about_campaign(campaign):
            yield WaitingLine(campaign.benchmark_id, format_html("{}{}", link(campaign), words))


def _about_campaign(campaign: Any) -> Iterator[str]:
    status = Campaign.Status
    if campaign.status == status.CLOSED:
        if campaign.outcome_problem:
            yield f" is closed without an outcome. {campaign.outcome_problem}"
        return
    if campaign.status == status.PAUSED:
        yield f" is paused and goes on when you resume it. Workers read: {campaign.paused_because}"
    elif not campaign.is_lacking:
        yield " has all its answers: close it, and the outcome is made."
    if campaign.waiting:
        waits = "1 worker waits" if campaign.waiting == 1 else f"{campaign.waiting} workers wait"
        yield f": {waits} to be let in."


def _failed(slugs: frozenset[str]) -> Iterator[WaitingLine]:
    path = "phase__benchmark"
    all_failed = Submission.objects.filter(phase__benchmark__in=slugs, status=Status.FAILED)
    failed = dict(_counted(all_failed, path))
    hopeless = dict(_counted(all_failed.filter(pk__in=quarantined().values("pk")), path)) if failed else {}
    again = "could not be scored; the next batch tries again."
    never = (
        "failed again and again: quarantined, which means that no further batch takes them in until you have "
        "them scored again."
    )
    for slug in sorted(failed):
        given_up = hopeless.get(slug, 0)
        for count, words in ((given_up, never), (failed[slug] - given_up, again)):
            if count:
                filters = {"status__exact": Status.FAILED.value, "phase__benchmark__slug__exact": slug}
                listed = list_link(Submission, counted(count, "submission"), **filters)
                yield WaitingLine(slug, format_html("{} {}", listed, words))


def _report(report: Any) -> WaitingLine:
    phase = report.batch.phase
    words = f"Watch: {in_short(report)} in the batch of {in_words(report.batch.cut_off_at)} in {phase}."
    return WaitingLine(phase.benchmark_id, link(report, words))


def _counted(rows: QuerySet[Any], path: str) -> list[tuple[str, int]]:
    """How many rows there are of each benchmark that has any."""
    return list(rows.order_by(path).values_list(path).annotate(Count("pk", distinct=True)))
