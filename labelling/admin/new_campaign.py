"""The screens by which a campaign is begun, and its draft changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

from accounts.access import reader
from accounts.admin_look import button
from accounts.server.clock import database_now
from benchmarks.admin.organised.links import address
from benchmarks.admin.organised.organised_admin import AdminMixin
from benchmarks.models import Benchmark
from benchmarks.people.request_rights import is_superuser, organised
from labelling.admin.forms.about_form import AboutForm, PurposeForm
from labelling.admin.forms.campaign_form import CampaignForm, proposed, stated
from labelling.admin.worker_preview import page_to_come
from labelling.exceptions import CannotChangeCampaign
from labelling.models import Campaign
from labelling.outcomes import PURPOSES
from labelling.work.drafts import begin_campaign, change_draft

SCREENS: Sequence[type[PurposeForm]] = (PurposeForm, AboutForm, CampaignForm)
NEXT, BACK, LOOK, KEEP = "next", "back", "look", "keep"


@dataclass(frozen=True, slots=True)
class DraftScreen:
    """One of the screens: its form, what the others were told, and perhaps what a worker will see.

    number : counts from 1
    carried : names and values of what other screens ask
    seen : the HTML of a worker's page as it will be
    """

    form: PurposeForm
    number: int
    carried: tuple[tuple[str, str], ...] = ()
    seen: str = ""
    problem: str = ""
    is_change: bool = False

    @property
    def titles(self) -> list[str]:
        return [screen.heading for screen in SCREENS]

    @property
    def is_last(self) -> bool:
        return self.number == len(SCREENS)


class BeginsCampaigns(AdminMixin):
    """The pages of campaigns, with those that make one and change a draft."""

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """Ask screen by screen, and keep a draft."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        return self._screens(request, None)

    def get_actions_detail(self, request: HttpRequest, object_id: Any) -> list[Any]:
        """The buttons of a campaign; the draft of one that was opened is not edited."""
        buttons = super().get_actions_detail(request, object_id)
        row = self.get_object(request, str(object_id))  # None also where that is no id
        is_draft = row is not None and row.status == Campaign.Status.DRAFT
        return [one for one in buttons if one.path != "edit" or is_draft]

    @button("Edit the draft", icon="edit")
    def edit(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """The last screen with what a draft says."""
        return self._screens(request, self.row_or_404(request, object_id))

    def _screens(self, request: HttpRequest, campaign: Campaign | None) -> HttpResponse:
        offered = benchmarks_for(request)
        screen = _screen(request.POST, offered, campaign, request.GET.get("benchmark", ""))
        form = screen.form
        if request.POST.get("go") == KEEP and isinstance(form, CampaignForm) and form.is_valid():
            try:
                kept = self._keep(request, form, campaign)
            except CannotChangeCampaign as refused:
                screen = DraftScreen(form, screen.number, screen.carried, problem=str(refused))
            else:
                return HttpResponseRedirect(address(kept))
        elif request.POST.get("go") == LOOK and isinstance(form, CampaignForm) and form.is_valid():
            screen = replace(screen, seen=page_to_come(request, form.columns()))
        title = f"Edit {campaign}" if campaign else "New campaign"
        return self.drawn(request, "admin/new_campaign.html", title=title, screen=screen)

    def _keep(self, request: HttpRequest, form: CampaignForm, campaign: Campaign | None) -> Campaign:
        if campaign is None:
            begun = begin_campaign(values=form.columns(), user=reader(request), now=database_now())
            self.log_addition(request, begun, "Began a draft.")
            messages.success(request, f"{begun} is a draft. Add units next, then open it.")
            return begun
        lost = change_draft(campaign=campaign, values=form.columns())
        self.log_change(request, campaign, "Changed the draft.")
        messages.success(request, f"{campaign} is changed.")
        if lost:
            told = f"Its {lost:,} units were about another question and are removed. Add units again."
            messages.warning(request, told)
        return campaign


def benchmarks_for(request: HttpRequest) -> QuerySet[Benchmark]:
    """The benchmarks in which whoever asks may begin campaigns."""
    if is_superuser(request):
        return Benchmark.objects.all()
    return Benchmark.objects.filter(pk__in=organised(request))


def _screen(
    sent: Mapping[str, Any], offered: QuerySet[Benchmark], campaign: Campaign | None, into: str
) -> DraftScreen:
    """The screen that a button leads to; the same again where something on it is wrong."""
    is_change = campaign is not None
    go = sent.get("go", "")
    if not go:
        kept = stated(campaign) if campaign else {}
        number = len(SCREENS) if campaign else 1
        only = offered.filter(pk=into).first() or (offered.first() if offered.count() == 1 else None)
        first = {"benchmark": only.pk if only else None, "purpose": PURPOSES.keys()[0]}
        form = SCREENS[number - 1](benchmarks=offered, initial=kept or first)
        return DraftScreen(form, number, is_change=is_change)
    number = max(1, min(_whole(sent.get("at")), len(SCREENS)))
    number, known = _safe(sent, number, offered)
    if go == BACK:
        number = max(1, number - 1)
        form = SCREENS[number - 1](benchmarks=offered, initial=_told(sent))
        return DraftScreen(form, number, tuple(_carried(sent, form)), is_change=is_change)
    form = SCREENS[number - 1](sent, benchmarks=offered) if known is None else known
    if not form.is_valid() or number == len(SCREENS):
        return DraftScreen(form, number, tuple(_carried(sent, form)), is_change=is_change)
    purpose = PURPOSES[form.cleaned_data["purpose"]]
    following = SCREENS[number](benchmarks=offered, initial=proposed(purpose, _told(sent)))
    return DraftScreen(following, number + 1, tuple(_carried(sent, following)), is_change=is_change)


def _safe(
    sent: Mapping[str, Any], number: int, offered: QuerySet[Benchmark]
) -> tuple[int, PurposeForm | None]:
    """The screen, or the first before it whose answers were tampered with: later ones are made of them."""
    for earlier in range(1, number):
        form = SCREENS[earlier - 1](sent, benchmarks=offered)
        if not form.is_valid():
            return earlier, form
    return number, None


def _told(sent: Mapping[str, Any]) -> dict[str, Any]:
    """What was answered before, on any screen; a box that was not ticked is sent by no browser."""
    told = {name: value for name, value in sent.items() if name not in ("go", "at")}
    if "title" in told:
        ticks = (
            name for name, field in CampaignForm.base_fields.items() if isinstance(field, forms.BooleanField)
        )
        told |= {name: name in sent for name in ticks}
    return told


def _carried(sent: Mapping[str, Any], form: PurposeForm) -> Iterator[tuple[str, str]]:
    known = {*form.fields, "go", "at", "csrfmiddlewaretoken"}
    yield from ((name, str(value)) for name, value in sent.items() if name not in known)


def _whole(text: object) -> int:
    return int(str(text)) if str(text).isascii() and str(text).isdigit() else 1
