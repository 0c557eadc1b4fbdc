"""Participants' pages: submit, follow, withdraw, choose, and describe systems."""

import datetime as dt
import uuid
from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Exists, OuterRef
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_POST, require_safe

from accounts.access import form_data, form_status, lead_to, reader, safe_next, signed_in
from accounts.models import Team
from accounts.server.clock import received_at
from accounts.services import (
    InvitationInvalid,
    invitation_ends_at,
    invitation_token,
    owner_of,
    read_invitation,
)
from benchmarks.models import Benchmark, Phase
from submissions.exceptions import CannotChange, FileRemoved, SecondTeam, SubmissionError
from submissions.fact_sheets.forms import AskedFactSheets, FactSheetForm
from submissions.fact_sheets.services import fact_lists, save_fact_sheet, sheets_of
from submissions.forms import FilterForm, SubmitForm, SystemForm, open_break_phases, open_phases
from submissions.guides.phase_guides import guides
from submissions.models import Choice, Submission, System
from submissions.pages import (
    BenchmarkChoice,
    ChooseBenchmarkPage,
    FactSheetPage,
    InvitationInvalidPage,
    JoinPage,
    SubmissionsPage,
    SubmitPage,
    SystemFormPage,
    TeamPage,
    WithdrawPage,
)
from submissions.quota.participation import join_team
from submissions.quota.slots import Quota, quotas
from submissions.quota.terms import AskedTerms
from submissions.receipts import checked, receipt_sentence, verdict
from submissions.services import check, submit_predictions
from submissions.systems import status_transitions as moves
from submissions.systems.file_removals import as_download
from submissions.systems.replacements import further_file, told_of_others, waiting
from submissions.systems.services import SystemNameTaken, change_system, create_system
from submissions.systems.status_texts import describe
from submissions.uploads.repairs import kept, repaired_file
from submissions.uploads.signed_receipts import signed_receipt

PAGE_SIZE = 50
_MOST_CHOICES = 20  # phases that are described; others are named
_MOST_WAITING = 5  # the latest; the list of submissions has all


@signed_in
def submit(request: HttpRequest) -> HttpResponse:
    """Upload predictions. A link such as `/submit/?benchmark=raft&system=…` has chosen something beforehand."""
    instant, user = received_at(request), reader(request)
    named = request.GET.get("benchmark", "") or request.POST.get("phase", "").partition("/")[0]
    phases, teams, own = (
        open_phases(instant, user),
        list(Team.objects.of(user)),
        list(System.objects.of(user)),
    )
    of_named = [phase for phase in phases if phase.benchmark_id == named]
    closed = None if of_named else Benchmark.objects.seen_by(user).filter(pk=named).first()
    is_open = len({phase.benchmark_id for phase in phases}) > 1 and not of_named
    if is_open and own and request.method != "POST":
        return _choose_benchmark(request, phases, teams, closed, instant)
    phases = of_named or phases
    initial = {"phase": str(of_named[0]) if of_named else "", "system": request.GET.get("system", "")}
    files = request.FILES if request.method == "POST" else None
    form = SubmitForm(user, phases, form_data(request), files, initial=initial)
    asking = dict.fromkeys(phase.benchmark for phase in phases)
    sheets = AskedFactSheets(user, asking, initial["system"], form_data(request))
    terms = AskedTerms(user, asking, form_data(request))
    if form.is_valid() and _is_complete(request, form.cleaned_data["phase"].benchmark, sheets, terms):
        return _judge(request, form, sheets, terms)
    left = quotas(user, teams, phases, instant)
    waiting_now = list(waiting(user, phases, instant))
    page = SubmitPage(
        form=form,
        sheets=sheets,
        terms=terms,
        teams=teams,
        has_system=bool(own),
        quotas=left,
        choices=_choices(phases, left),
        guides=guides(phases, own, initial["system"]),
        breaking=open_break_phases(instant, reader(request)),
        waiting=[(one, further_file(one)) for one in waiting_now[:_MOST_WAITING]],
        more_waiting=max(0, len(waiting_now) - _MOST_WAITING),
        only=phases[0].benchmark if named and len(asking) == 1 else None,
        closed=closed,
    )
    return page.answer(request, form_status(form))


def _choices(phases: Sequence[Phase], left: Sequence[Quota]) -> list[BenchmarkChoice]:
    return [BenchmarkChoice(phase, [quota for quota in left if quota.phase == phase]) for phase in phases]


def _choose_benchmark(
    request: HttpRequest,
    phases: Sequence[Phase],
    teams: Sequence[Team],
    closed: Benchmark | None,
    instant: dt.datetime,
) -> HttpResponse:
    of_teams = Submission.objects.filter(system__team__in=teams)
    entered = set(of_teams.values_list("phase__benchmark", flat=True))
    phases = sorted(phases, key=lambda phase: phase.benchmark_id not in entered)
    shown, others = phases[:_MOST_CHOICES], phases[_MOST_CHOICES:]
    sent = of_teams.filter(submitted_by=reader(request))
    last = sent.select_related("system", "phase__benchmark").order_by("-received_at").first()
    is_open_still = last is not None and last.phase.benchmark_id in {phase.benchmark_id for phase in phases}
    page = ChooseBenchmarkPage(
        choices=_choices(shown, quotas(reader(request), teams, shown, instant)),
        others=list(dict.fromkeys(phase.benchmark for phase in others)),
        last=last if is_open_still else None,
        system=request.GET.get("system", ""),
        closed=closed,
        breaking=open_break_phases(instant, reader(request)),
    )
    return page.answer(request)


def _is_complete(
    request: HttpRequest, benchmark: Benchmark, sheets: AskedFactSheets, terms: AskedTerms
) -> bool:
    """Whether what goes with a file is in order; both are looked at, so that all faults show at once."""
    is_accepted = "check_only" in request.POST or terms.are_accepted_for(benchmark)
    return sheets.are_valid_for(benchmark) and is_accepted


def _judge(
    request: HttpRequest, form: SubmitForm, sheets: AskedFactSheets, terms: AskedTerms
) -> HttpResponse:
    upload = form.upload(reader(request), received_at(request))
    zone = timezone.get_current_timezone()
    try:
        if "check_only" in request.POST:
            return checked(request, check(upload), upload, zone)
        sheets.save_for(upload)
        terms.accept_for(upload.phase.benchmark, upload.received_at)
        receipt = submit_predictions(upload)
    except SubmissionError as error:
        return verdict(request, error, upload)
    messages.add_message(
        request,
        messages.INFO if receipt.is_repeat else messages.SUCCESS,
        receipt_sentence(receipt, now=upload.received_at, zone=zone),
    )
    return lead_to(request, receipt.submission.get_absolute_url())


@signed_in
@require_safe
def receipt(request: HttpRequest, submission: uuid.UUID) -> HttpResponse:
    """The signed receipt of one of the reader's own submissions, as a file."""
    note = signed_receipt(_own_submission(request, submission))
    if note is None:
        raise Http404("This server has no key at hand to sign receipts with.")
    response = HttpResponse(note, content_type="text/plain; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="receipt-{submission}.txt"'
    return response


@signed_in
@require_safe
def mine(request: HttpRequest) -> HttpResponse:
    """The submissions of all one's teams, the newest first."""
    form = FilterForm(reader(request), request.GET)
    found = Submission.objects.of(reader(request)).filter(**form.lookups())
    chosen = Choice.objects.filter(submission=OuterRef("pk"))
    found = found.annotate(is_chosen=Exists(chosen)).select_related("system__team", "phase__benchmark")
    page = Paginator(found, PAGE_SIZE).get_page(request.GET.get("page"))
    now, zone = received_at(request), timezone.get_current_timezone()
    told = told_of_others(page, zone)
    lines = [(one, describe(one, now=now, zone=zone, others=told.get(one.pk, ""))) for one in page]
    return SubmissionsPage(filter=form, page=page, lines=lines).answer(request)


def _own_submission(request: HttpRequest, pk: uuid.UUID) -> Submission:
    """A submission of one of the reader's teams; 404 for every other, whether or not it exists."""
    found = Submission.objects.of(reader(request)).select_related("system__team", "phase__benchmark")
    own: Submission = get_object_or_404(found, pk=pk)
    return own


@signed_in
def withdraw(request: HttpRequest, submission: uuid.UUID) -> HttpResponse:
    """Withdraw a submission, after a page that says what it means."""
    found = _own_submission(request, submission)
    if request.method != "POST" and moves.can_withdraw(found):
        return WithdrawPage(found, moves.gives_slot_back(found)).answer(request)
    try:
        found = moves.withdraw(submission=found, user=reader(request), now=received_at(request))
        messages.success(request, "The submission was withdrawn.")
    except CannotChange as error:
        messages.error(request, str(error))
    return redirect(found)


@signed_in
@require_POST
def choose(request: HttpRequest, submission: uuid.UUID) -> HttpResponse:
    """Have a submission count for every task that it answers."""
    found = _own_submission(request, submission)
    try:
        moves.choose(submission=found, user=reader(request), now=received_at(request))
        messages.success(request, "This submission counts from now on, for every task that it answers.")
    except CannotChange as error:
        messages.error(request, str(error))
    return redirect(found)


@signed_in
@require_safe
def download(request: HttpRequest, submission: uuid.UUID) -> HttpResponseBase:
    """One's own upload, byte for byte; its page says when and why it is gone."""
    found = _own_submission(request, submission)
    try:
        return as_download(found)
    except FileRemoved as gone:
        messages.error(request, str(gone))
        return redirect(found)


@signed_in
@require_safe
def repaired_upload(request: HttpRequest, token: str) -> HttpResponseBase:
    """One's own repaired upload, within the hour after it was refused."""
    found = kept(token, reader(request))
    if found is None:
        raise Http404("There is no such file, or its hour is over.")
    return repaired_file(*found)


@signed_in
def fact_sheet(request: HttpRequest, system: uuid.UUID, benchmark: str) -> HttpResponse:
    """What a system is made of, by the lists of one benchmark."""
    found = get_object_or_404(System.objects.of(reader(request)).select_related("team"), pk=system)
    asking = get_object_or_404(Benchmark, pk=benchmark)
    lists = fact_lists(asking)
    if not lists:
        raise Http404(f"{asking} asks for no fact sheet.")
    said = sheets_of(found).get(asking.slug)
    form = FactSheetForm(lists, said or {}, form_data(request))
    if form.is_valid():
        answers, now = form.answers(), received_at(request)
        save_fact_sheet(system=found, benchmark=asking, answers=answers, user=reader(request), now=now)
        messages.success(
            request,
            f"The fact sheet of {found} for {asking} was saved.",
        )
        return redirect(safe_next(request, found.team.get_absolute_url()))
    page = FactSheetPage(
        form=form,
        system=found,
        benchmark=asking,
        is_missing=said is None,
        next=safe_next(request, ""),
    )
    return page.answer(request, form_status(form))


@signed_in
def new_system(request: HttpRequest) -> HttpResponse:
    """Enter a system."""
    form = SystemForm(reader(request), form_data(request), initial={"team": request.GET.get("team", "")})
    system = _saved(form, received_at(request)) if form.is_valid() else None
    if system:
        messages.success(
            request,
            f"The system {system} was entered. It stands on the board once it is scored.",
        )
        asked = {"benchmark": request.GET["benchmark"]} if "benchmark" in request.GET else {}
        onwards = f"/submit/?{urlencode(asked | {'system': str(system.pk)})}"
        return redirect(safe_next(request, onwards))
    has_team = Team.objects.of(reader(request)).exists()
    page = SystemFormPage(form=form, has_team=has_team, next=safe_next(request, ""))
    return page.answer(request, form_status(form))


@signed_in
def edit_system(request: HttpRequest, system: uuid.UUID) -> HttpResponse:
    """Describe a system anew."""
    found = get_object_or_404(System.objects.of(reader(request)).select_related("team"), pk=system)
    form = SystemForm(reader(request), form_data(request), instance=found)
    page = SystemFormPage(
        form=form,
        has_team=True,
        system=found,
        name=found.name,
        team=found.team,
        asking=Benchmark.objects.offered_to(reader(request)).asking(),
    )
    if form.is_valid() and _saved(form, received_at(request)):
        messages.success(request, "Saved. Published pages of the system follow within a minute.")
        return redirect(found.team)
    return page.answer(request, form_status(form))


def _saved(form: SystemForm, now: dt.datetime) -> System | None:
    """The system as the form describes it, or None with an error in the form."""
    described: dict[str, Any] = form.described()
    try:
        if form.is_new:
            return create_system(team=form.cleaned_data["team"], now=now, **described)
        return change_system(system=form.instance, **described)
    except SystemNameTaken as error:
        form.add_error("name", str(error))
        return None


@signed_in
@require_safe
def team(request: HttpRequest, team: uuid.UUID) -> HttpResponse:
    """A team's members, systems and invitation link."""
    found = get_object_or_404(Team.objects.of(reader(request)), pk=team)
    public = System.objects.public().filter(pk=OuterRef("pk"))
    path = reverse("submissions:join", args=[invitation_token(found)])
    page = TeamPage(
        team=found,
        owner=owner_of(found),
        memberships=found.memberships.select_related("user").order_by("joined_at", "pk"),
        systems=System.objects.filter(team=found).annotate(is_public=Exists(public)),
        invitation=request.build_absolute_uri(path),
        invitation_ends_at=invitation_ends_at(found),
    )
    return page.answer(request)


@signed_in
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Accept an invitation, after a page that says to what."""
    refusal = ""
    try:
        team = read_invitation(token)
        if request.method == "POST":
            join_team(token=token, user=reader(request), now=received_at(request))
            messages.success(request, f"You are a member of the team {team} now.")
            return redirect(team)
    except InvitationInvalid:
        return InvitationInvalidPage().answer(request, status=404)
    except SecondTeam as error:
        refusal = str(error)
    return JoinPage(team, refusal).answer(request, status=409 if refusal else 200)
