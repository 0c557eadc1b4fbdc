"""The ways into a campaign: an account with a role, an invitation, an outside platform, and the link back."""

import secrets
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus

from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.safestring import SafeString
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.access import reader, signed_in
from accounts.page_content import PageContent
from accounts.server.clock import database_now, received_at
from benchmarks.people.rights import Right, roles_with
from labelling.core.worker_words import words_of
from labelling.models import Campaign, Invitation, Worker
from labelling.pages.current_worker import person, remember, worker_of, worker_with_key
from labelling.pages.frame import CampaignPage, calm, guidelines_of
from labelling.work.joining import (
    consent_digest,
    invitation_of,
    join_from_panel,
    join_with_account,
    join_with_invitation,
    may_label,
    refuse_participants,
    worker_from_panel,
)
from labelling.work.platforms import PLATFORMS, is_study_key

Join = Callable[[], Worker]


@dataclass(frozen=True, kw_only=True)
class MyLabellingPage(PageContent):
    """The campaigns that a person with an account may work on, each with the worker that they are there, if any."""

    template = "labelling/mine.html"
    section = "label"
    campaigns: Sequence[tuple[Campaign, Worker | None]]


@dataclass(frozen=True, kw_only=True)
class EntrancePage(CampaignPage):
    """What a campaign asks, warns of and pays, and the button to begin, where `is_offered`.

    `worker` is who the reader is here already; `problem` why beginning was refused; `consent` the digest of what is
    agreed to; `why_not` a sentence in place of the button; `once` names this page, whose button counts once.
    """

    template = "labelling/entrance.html"
    guidelines: SafeString
    worker: Worker | None
    invitation: Invitation | None
    is_offered: bool
    why_not: str
    consent: str
    once: str
    problem: str


@require_safe
@signed_in
def mine(request: HttpRequest) -> HttpResponse:
    """The campaigns that somebody may work on, and those on which they have worked."""
    user = reader(request)
    workers = {worker.campaign_id: worker for worker in Worker.objects.filter(user=user)}
    labels_in = user.roles.filter(role__in=roles_with(Right.LABEL)).values("benchmark")
    running = Q(status__in=["open", "paused"], benchmark__in=labels_in)
    campaigns = Campaign.objects.filter(running | Q(pk__in=workers)).exclude(status="draft")
    page = MyLabellingPage(
        campaigns=[
            (each, workers.get(each.pk))
            for each in campaigns.select_related("benchmark").order_by("-opened_at")
        ]
    )
    return page.answer(request)


@require_http_methods(["GET", "HEAD", "POST"])
@calm
def entrance(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """What is asked, for everybody with the address; people with an account and a role join here."""
    user, worker = person(request), worker_of(request, campaign.pk)
    if user is None:
        why_not = (
            "Open the link that you were given, or sign in if the organisers have made you an annotator."
        )
        return _enter(request, campaign, worker, None, why_not=why_not)
    if not may_label(campaign, user):
        why_not = "Only people whom the organisers have asked label here."
        return _enter(request, campaign, worker, None, why_not=why_not)

    def join() -> Worker:
        return join_with_account(campaign=campaign, user=user, now=received_at(request))

    return _enter(request, campaign, worker, join)


@require_http_methods(["GET", "HEAD", "POST"])
@calm
def invited(request: HttpRequest, campaign: Campaign, token: str) -> HttpResponse:
    """The same for whoever holds a link of an invitation."""
    invitation = invitation_of(campaign, token, database_now())

    def join() -> Worker:
        once = request.POST.get("once", "")
        return join_with_invitation(invitation=invitation, once=once, now=received_at(request))

    return _enter(request, campaign, worker_of(request, campaign.pk), join, invitation=invitation)


@require_http_methods(["GET", "HEAD", "POST"])
@calm
def panel(request: HttpRequest, campaign: Campaign, platform: str, key: str) -> HttpResponse:
    """The same for workers whom an outside platform sends. Who only looks at the study there joins nothing."""
    known = PLATFORMS.get(platform)
    if known is None or not is_study_key(campaign, known, key):
        raise Http404("There is no such study.")
    sent = request.GET.dict()
    if known.is_preview(sent):
        return _enter(request, campaign, None, None, why_not=f"Accept the task on {known.title} to begin.")
    outside_id = known.worker_of(sent)
    worker = worker_from_panel(campaign, known.key, outside_id)
    if worker is not None:
        remember(request, worker)
        return redirect("labelling:work", campaign.pk)

    def join() -> Worker:
        return join_from_panel(
            campaign=campaign, platform=known.key, outside_id=outside_id, now=received_at(request)
        )

    return _enter(request, campaign, None, join)


@never_cache
@require_safe
def back(request: HttpRequest, key: uuid.UUID) -> HttpResponse:
    """The personal link of a worker without an account: on any device it leads to their work."""
    worker = worker_with_key(key)
    if worker is None:
        raise Http404("This link leads to no work.")
    remember(request, worker)
    return redirect("labelling:work", worker.campaign_id)


def _enter(
    request: HttpRequest,
    campaign: Campaign,
    worker: Worker | None,
    join: Join | None,
    *,
    why_not: str = "",
    invitation: Invitation | None = None,
) -> HttpResponse:
    """Show the entrance, or let somebody in who has agreed to what it says."""
    user = person(request)
    if user is not None:
        refuse_participants(campaign, user)
    problem = ""
    if request.method == "POST" and join is not None and worker is None:
        problem = _what_is_missing(campaign, request.POST.dict())
        if not problem:
            worker = join()
            if worker.user_id is None:
                remember(request, worker)
    if request.method == "POST" and worker is not None:
        return redirect("labelling:work", campaign.pk)
    page = EntrancePage(
        campaign=campaign,
        words=words_of(campaign.words),
        guidelines=guidelines_of(campaign),
        worker=worker,
        invitation=invitation,
        is_offered=join is not None and campaign.is_open,
        why_not=_why_closed(campaign) or why_not,
        consent=consent_digest(campaign),
        once=request.POST.get("once") or secrets.token_urlsafe(),
        problem=problem,
    )
    return page.answer(request, HTTPStatus.UNPROCESSABLE_ENTITY if problem else HTTPStatus.OK)


def _what_is_missing(campaign: Campaign, sent: Mapping[str, str]) -> str:
    """Why nobody can begin with this form; empty where all is well."""
    if sent.get("consent") != consent_digest(campaign):
        return "What you agree to has changed since you opened this page. Read it again, and agree if you still do."
    if (campaign.consent or campaign.content_warning) and not sent.get("agreed"):
        return "Tick that you have read and agree, or close this page if you do not."
    return ""


def _why_closed(campaign: Campaign) -> str:
    return campaign.why_paused or (
        "" if campaign.is_open else "This campaign is closed. Thank you for your interest."
    )
