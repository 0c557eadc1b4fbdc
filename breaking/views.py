"""Breakers' pages: what a pair is, handing pairs in, and what became of a team's files."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.formats import number_format
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_http_methods, require_safe

from accounts.access import form_data, lead_to, reader, signed_in
from accounts.formats.numbers import grouped
from accounts.models import Team
from accounts.server.clock import received_at
from benchmarks.models import Benchmark, Phase, Task
from breaking.development.predictions import blind_offer
from breaking.exceptions import PairsRefused
from breaking.forms import HandInForm
from breaking.models import Pair, PairFile
from breaking.pairs import rule_texts as rules
from breaking.pairs.starter_data import StarterRefused, starter_file
from breaking.pairs.task_files import material_of, tasks_of_pairs
from breaking.pairs.uploads import hand_in_pairs, rule_of, why_not_withdrawn, withdraw_pairs
from scoring.core.measures.minimality import Segment, difference
from submissions.exceptions import (
    CannotChange,
    PhaseClosed,
    PhaseNotReady,
    SubmissionError,
    TermsNotAccepted,
)
from submissions.quota.terms import AskedTerms

PAGE_SIZE = 50
_SECTION = {"section": "benchmarks"}
# Title and status of the refusals that are not about the file.
_NOT_TAKEN: dict[type[SubmissionError], tuple[str, HTTPStatus]] = {
    PhaseClosed: ("Not taken: the phase is closed", HTTPStatus.FORBIDDEN),
    PhaseNotReady: ("Not taken: pairs cannot be handed in yet", HTTPStatus.SERVICE_UNAVAILABLE),
    CannotChange: ("Not taken: the set has been answered", HTTPStatus.CONFLICT),
    TermsNotAccepted: ("Not taken: the terms are not accepted yet", HTTPStatus.FORBIDDEN),
}


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
    context: dict[str, Any] = {"benchmark": found, "phases": phases, "material": material_of(tasks)}
    if not request.user.is_authenticated:
        is_post = request.method == "POST"
        return redirect_to_login(request.get_full_path()) if is_post else _page(request, context)
    form = HandInForm(
        reader(request), phases, tasks, form_data(request), request.FILES if form_data(request) else None
    )
    terms = AskedTerms(reader(request), [found], form_data(request))
    if form.is_valid() and terms.are_accepted_for(found):
        terms.accept_for(found, received_at(request))
        return _judge(request, form, found)
    teams = Team.objects.of(reader(request))
    files = PairFile.objects.of(reader(request)).filter(task__in=tasks).listed()
    context |= {"form": form, "has_team": teams.exists(), "files": files, "terms": terms}
    return _page(request, context, status=HTTPStatus.UNPROCESSABLE_ENTITY if form.is_bound else HTTPStatus.OK)


def _page(request: HttpRequest, context: dict[str, Any], status: int = HTTPStatus.OK) -> HttpResponse:
    instant = received_at(request)
    phases: Sequence[Phase] = context["phases"]
    context |= _SECTION | {
        "open_phases": [phase for phase in phases if phase.is_open(instant)],
        "now": instant,
        "blind": blind_offer(context["benchmark"], [one.task for one in context["material"]], instant),
        "what": rules.WHAT_A_PAIR_IS,
        "organisers_rules": rules.pair_rules(rule_of(phases[0])),
        "replacing": rules.REPLACING_AND_WITHDRAWING,
        "afterwards": rules.AFTER_THE_CLOSE,
        "from_scratch": rule_of(phases[0]).from_scratch,
    }
    return render(request, "breaking/pairs.html", context, status=status)


@sensitive_variables()  # the file says what the pairs' labels are
def _judge(request: HttpRequest, form: HandInForm, benchmark: Benchmark) -> HttpResponse:
    handed_in, instant = form.handed_in(), received_at(request)
    handed_in["task"].benchmark = handed_in["phase"].benchmark = benchmark
    context = _SECTION | {
        "benchmark": benchmark,
        "file_name": handed_in["file_name"],
        "phase": handed_in["phase"],
        "task": handed_in["task"],
        "team": handed_in["team"],
    }
    try:
        taken = hand_in_pairs(**handed_in, user=reader(request), received_at=instant)
    except PairsRefused as refused:
        context |= {"problems": refused.problems, "more": refused.more, "count": _count(refused)}
        return render(request, "breaking/refused.html", context, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    except SubmissionError as error:
        title, status = _NOT_TAKEN.get(type(error), ("Not taken", HTTPStatus.FORBIDDEN))
        context |= {"title": str(title), "message": str(error)}
        return render(request, "breaking/not_taken.html", context, status=status)
    if taken.received_at != instant:
        messages.info(
            request, "This very file was handed in before, and counts: this is it. Nothing has changed."
        )
    else:
        number = taken.pair_count
        accepted = "Accepted: %(number)s pair." if number == 1 else "Accepted: %(number)s pairs."
        sealed = "The file is sealed; keep your own copy."
        messages.success(request, f"{accepted % {'number': grouped(number)}} {sealed}")
    return lead_to(request, taken.get_absolute_url())


def _count(refused: PairsRefused) -> str:
    total = len(refused.problems) + refused.more
    return f"{grouped(total)} problem" if total == 1 else f"{grouped(total)} problems"


def _own_file(request: HttpRequest, benchmark: str, pk: uuid.UUID) -> PairFile:
    """A file of one of the reader's teams; 404 for every other, whether or not it exists."""
    own = PairFile.objects.of(reader(request)).filter(task__benchmark=benchmark).listed()
    found: PairFile = get_object_or_404(own, pk=pk)
    found.phase.benchmark = found.task.benchmark
    return found


@dataclass(frozen=True, slots=True)
class ShownPair:
    """A pair as its page shows it. `kept` are the cells that the changed sentence keeps, by their columns."""

    pair: Pair
    segments: tuple[Segment, ...]
    kept: Mapping[str, str]

    @property
    def percent(self) -> str:
        """Share of words and marks that change, such as `50 %`."""
        return f"{number_format(f'{100 * self.pair.token_edits / (self.pair.token_count or 1):.3g}')} %"


@signed_in
@require_safe
def pair_file(request: HttpRequest, benchmark: str, pair_file: uuid.UUID) -> HttpResponse:
    """Every pair of a file: the change, its size, and what the organiser says."""
    found = _own_file(request, benchmark, pair_file)
    page = Paginator(found.pairs.all(), PAGE_SIZE).get_page(request.GET.get("page"))
    further = _further(found.task)
    shown = [
        ShownPair(one, difference(one.original_text, one.changed_text), further.get(one.original_id, {}))
        for one in page
    ]
    context = _SECTION | {
        "file": found,
        "benchmark": found.task.benchmark,
        "set": getattr(found, "breaker_set", None),
        "page": page,
        "pairs": shown,
        "can_withdraw": not why_not_withdrawn(found, received_at(request)),
    }
    return render(request, "breaking/pair_file.html", context)


def _further(task: Task) -> dict[str, dict[str, str]]:
    """What stands in the further columns of the starter data, by id."""
    try:
        file = starter_file(task)
    except StarterRefused:
        return {}
    columns = file.further_columns
    return (
        {item: dict(zip(columns, row.further, strict=True)) for item, row in file.items.items()}
        if columns
        else {}
    )


@signed_in
def withdraw(request: HttpRequest, benchmark: str, pair_file: uuid.UUID) -> HttpResponse:
    """Withdraw a file, after a page that says what it means."""
    found, instant = _own_file(request, benchmark, pair_file), received_at(request)
    if request.method != "POST" and not why_not_withdrawn(found, instant):
        context = _SECTION | {"file": found, "benchmark": found.task.benchmark}
        return render(request, "breaking/withdraw.html", context)
    try:
        withdraw_pairs(pair_file=found, user=reader(request), now=instant)
        messages.success(request, "The file was withdrawn. Its pairs count no longer.")
    except CannotChange as error:
        messages.error(request, str(error))
    return redirect(found)
