"""Breakers' pages: what a pair is, downloads, handing pairs in, and what became of a team's files."""

import datetime as dt
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.paginator import Page, Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.utils.formats import number_format
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods, require_safe

from accounts.access import form_data, form_status, lead_to, reader, signed_in
from accounts.formats.numbers import grouped
from accounts.models import Team
from accounts.page_content import PageContent
from accounts.server.clock import received_at
from benchmarks.downloads import is_for_spreadsheets, packed_file
from benchmarks.models import Benchmark, Phase, Task
from breaking.development import BlindOffer, blind_offer
from breaking.exceptions import PairsRefused
from breaking.forms import HandInForm
from breaking.models import Pair, PairFile, StarterData
from breaking.pairs import rule_texts as rules
from breaking.pairs.starter_data import PairMaterial, material_of, starter_file, tasks_of_pairs
from breaking.pairs.uploads import hand_in_pairs, rule_of, why_not_withdrawn, withdraw_pairs
from scoring.core.measures.minimality import Segment, difference
from scoring.file_refusal import FileRefused
from submissions.exceptions import CannotChange, SubmissionError
from submissions.intake import Problem
from submissions.intake.pairs.minimal_pairs import layout_of_pairs, makes_pairs
from submissions.intake.pairs.starter_data import pairs_template
from submissions.quota.terms import AskedTerms

PAGE_SIZE = 50
_TEMPLATE_ROWS = 3


@dataclass(frozen=True, kw_only=True)
class PairsPage(PageContent):
    """What minimal pairs of a benchmark are, handing them in, and the files of the reader's teams.

    The form, the terms and the files are there for whoever is signed in. `now` is the instant of the request, `blind`
    None where no systems are built before pairs are made, `from_scratch` whether originals may be the teams' own.
    """

    template = "breaking/pairs.html"
    section = "benchmarks"
    benchmark: Benchmark
    phases: Sequence[Phase]
    open_phases: Sequence[Phase]
    now: dt.datetime
    material: Sequence[PairMaterial]
    blind: BlindOffer | None
    organisers_rules: Sequence[str]
    from_scratch: bool
    what: Sequence[str] = rules.WHAT_A_PAIR_IS
    replacing: Sequence[str] = rules.REPLACING_AND_WITHDRAWING
    afterwards: Sequence[str] = rules.AFTER_THE_CLOSE
    form: HandInForm | None = None
    has_team: bool = False
    terms: AskedTerms | None = None
    files: Iterable[PairFile] = ()


@dataclass(frozen=True, kw_only=True)
class PairsRefusedPage(PageContent):
    """The problems of a file of pairs, as far as they are listed; how many `more` there are, and `count` in words."""

    template = "breaking/refused.html"
    section = "benchmarks"
    benchmark: Benchmark
    phase: Phase
    task: Task
    team: Team
    file_name: str
    problems: Sequence[Problem]
    more: int
    count: str


@dataclass(frozen=True, kw_only=True)
class PairsNotTakenPage(PageContent):
    """Why a file of pairs was not looked into."""

    template = "breaking/not_taken.html"
    section = "benchmarks"
    benchmark: Benchmark
    task: Task
    team: Team
    file_name: str
    title: str
    message: str


@dataclass(frozen=True)
class ShownPair:
    """A pair with what changed, what it keeps of its original by column, and the change in per cent of its words."""

    pair: Pair
    segments: Sequence[Segment]
    kept: Mapping[str, str]
    percent: str


@dataclass(frozen=True, kw_only=True)
class PairFilePage(PageContent):
    """A team's file of pairs: what became of it, and a page of its pairs; its team may perhaps withdraw it now."""

    template = "breaking/pair_file.html"
    section = "benchmarks"
    file: PairFile
    benchmark: Benchmark
    page: Page[Pair]
    pairs: Sequence[ShownPair]
    can_withdraw: bool


@dataclass(frozen=True)
class WithdrawPairsPage(PageContent):
    """What withdrawing a file of pairs means."""

    template = "breaking/withdraw.html"
    section = "benchmarks"
    file: PairFile
    benchmark: Benchmark


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def pairs(request: HttpRequest, benchmark: str) -> HttpResponse:
    """The rules of pairs, for everybody; the form for a file and the team's files for whoever is signed in."""
    found = get_object_or_404(Benchmark, pk=benchmark)
    phases = list(found.phases.filter(kind=Phase.Kind.BREAK))
    if not phases:
        raise Http404(f"Nobody hands in pairs for {found}.")
    for phase in phases:
        phase.benchmark = found
    tasks = tasks_of_pairs(found)
    if not request.user.is_authenticated:
        if request.method == "POST":
            return redirect_to_login(request.get_full_path())
        return _rules_page(found, phases, tasks, received_at(request)).answer(request)
    user, data = reader(request), form_data(request)
    form = HandInForm(user, phases, tasks, data, request.FILES if data else None)
    terms = AskedTerms(user, [found], data)
    if form.is_valid() and terms.are_accepted_for(found):
        terms.accept_for(found, received_at(request))
        return _judge(request, form, found)
    files = PairFile.objects.of(user).filter(task__in=tasks).listed()
    has_team = Team.objects.of(user).exists()
    page = _rules_page(found, phases, tasks, received_at(request))
    page = replace(page, form=form, has_team=has_team, files=files, terms=terms)
    return page.answer(request, form_status(form))


def _rules_page(
    benchmark: Benchmark, phases: Sequence[Phase], tasks: Sequence[Task], now: dt.datetime
) -> PairsPage:
    """The page as everybody sees it."""
    rule = rule_of(phases[0])
    return PairsPage(
        benchmark=benchmark,
        phases=phases,
        open_phases=[phase for phase in phases if phase.is_open(now)],
        now=now,
        material=material_of(tasks),
        blind=blind_offer(benchmark, tasks, now),
        organisers_rules=rules.pair_rules(rule),
        from_scratch=rule.from_scratch,
    )


@sensitive_variables()  # the file says what the pairs' labels are
def _judge(request: HttpRequest, form: HandInForm, benchmark: Benchmark) -> HttpResponse:
    instant, sent = received_at(request), form.cleaned_data
    upload = sent.pop("file")
    file_name = upload.name or "pairs"
    sent["task"].benchmark = sent["phase"].benchmark = benchmark
    try:
        taken = hand_in_pairs(
            **sent, data=upload.read(), file_name=file_name, user=reader(request), received_at=instant
        )
    except PairsRefused as refused:
        total = len(refused.problems) + refused.more
        count = f"{grouped(total)} problem" if total == 1 else f"{grouped(total)} problems"
        refused_page = PairsRefusedPage(
            benchmark=benchmark,
            phase=sent["phase"],
            task=sent["task"],
            team=sent["team"],
            file_name=file_name,
            problems=refused.problems,
            more=refused.more,
            count=count,
        )
        return refused_page.answer(request, status=refused.status)
    except SubmissionError as error:
        page = PairsNotTakenPage(
            benchmark=benchmark,
            task=sent["task"],
            team=sent["team"],
            file_name=file_name,
            title=error.title,
            message=str(error),
        )
        return page.answer(request, status=error.status)
    if taken.received_at != instant:
        messages.info(
            request, "This very file was handed in before, and counts: this is it. Nothing has changed."
        )
    else:
        pairs = f"{grouped(taken.pair_count)} {'pair' if taken.pair_count == 1 else 'pairs'}"
        messages.success(request, f"Accepted: {pairs}. The file is sealed; keep your own copy.")
    return lead_to(request, taken.get_absolute_url())


def _own_file(request: HttpRequest, benchmark: str, pk: uuid.UUID) -> PairFile:
    """A file of one of the reader's teams; 404 for every other, whether or not it exists."""
    own = PairFile.objects.of(reader(request)).filter(task__benchmark=benchmark).listed()
    found: PairFile = get_object_or_404(own, pk=pk)
    found.phase.benchmark = found.task.benchmark
    return found


@signed_in
@require_safe
def pair_file(request: HttpRequest, benchmark: str, pair_file: uuid.UUID) -> HttpResponse:
    """Every pair of a file: the change, its size, and what the organiser says."""
    found = _own_file(request, benchmark, pair_file)
    page = Paginator(found.pairs.all(), PAGE_SIZE).get_page(request.GET.get("page"))
    try:
        starter = starter_file(found.task)
        kept = {
            pair.original_id: dict(zip(starter.further_columns, row.further, strict=True))
            for pair in page
            if (row := starter.items.get(pair.original_id))
        }
    except FileRefused:
        kept = {}
    shown = [
        ShownPair(
            pair=pair,
            segments=difference(pair.original_text, pair.changed_text),
            kept=kept.get(pair.original_id, {}),
            percent=f"{number_format(f'{100 * pair.token_edits / (pair.token_count or 1):.3g}')} %",
        )
        for pair in page
    ]
    content = PairFilePage(
        file=found,
        benchmark=found.task.benchmark,
        page=page,
        pairs=shown,
        can_withdraw=not why_not_withdrawn(found, received_at(request)),
    )
    return content.answer(request)


@signed_in
def withdraw(request: HttpRequest, benchmark: str, pair_file: uuid.UUID) -> HttpResponse:
    """Withdraw a file, after a page that says what it means."""
    found, instant = _own_file(request, benchmark, pair_file), received_at(request)
    if request.method != "POST" and not why_not_withdrawn(found, instant):
        return WithdrawPairsPage(found, found.task.benchmark).answer(request)
    try:
        withdraw_pairs(pair_file=found, user=reader(request), now=instant)
        messages.success(request, "The file was withdrawn. Its pairs count no longer.")
    except CannotChange as error:
        messages.error(request, str(error))
    return redirect(found)


@require_safe
def starter(request: HttpRequest, benchmark: str, task: str) -> HttpResponseBase:
    """The starter data of a task as a CSV file, to be saved and not shown."""
    rows = StarterData.objects.filter(task__benchmark=benchmark, task__slug=task, task__is_retired=False)
    data = rows.first()
    if data is None:
        raise Http404("No starter data is loaded for this task.")
    name = f"{benchmark}-{task}-starter.csv"
    guarded = is_for_spreadsheets(request)
    return packed_file(request, bytes(data.packed), sha256=data.sha256, file_name=name, guarded=guarded)


@require_safe
def template(request: HttpRequest, benchmark: str, task: str, ending: str) -> HttpResponse:
    """A file of pairs to begin with, of sentences that are still to be changed."""
    found = get_object_or_404(Task, benchmark=benchmark, slug=task, is_retired=False)
    if not makes_pairs(found.spec) or ending != layout_of_pairs(found.spec).key:
        raise Http404("There is no such template.")
    try:
        text = pairs_template(found.spec, starter_file(found), _TEMPLATE_ROWS)
    except FileRefused as refused:
        raise Http404(refused.sentences[0]) from None
    kind = "csv" if ending == "csv" else "tab-separated-values"
    answer = HttpResponse(text, content_type=f"text/{kind}; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{benchmark}-{task}-pairs.{ending}"'
    return answer
