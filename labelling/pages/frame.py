"""What all pages of one campaign share: its words, language and direction, and calm pages in place of errors."""

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.safestring import SafeString
from django.views.decorators.cache import never_cache

from accounts.page_content import PageContent
from benchmarks.notices.markdown import Surroundings, as_safe_html
from labelling.core.questions.question import UnfitAnswer
from labelling.core.worker_words import words_of
from labelling.exceptions import CannotJoin, LabellingError, NotAtWork
from labelling.models import Campaign

View = Callable[..., HttpResponse]


@dataclass(frozen=True, kw_only=True)
class CampaignPage(PageContent):
    """Extended by every page of one campaign. `words` are its buttons and notes by key."""

    campaign: Campaign
    words: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class NoticePage(CampaignPage):
    """Why something was not done, in a sentence, and the way on: `is_worker` whether there is work to go back to."""

    template = "labelling/notice.html"
    message: str
    is_worker: bool


def calm(view: View) -> View:
    """Answer with a page and a sentence where something is refused. What is shown is for one reader alone."""

    @told
    @wraps(view)
    def answer(request: HttpRequest, campaign: uuid.UUID, *args: Any, **kwargs: Any) -> HttpResponse:
        return view(request, opened_campaign(campaign), *args, **kwargs)

    return answer


def told(view: View) -> View:
    """The same for a view that is given the campaign's id, and reads it along with the worker."""

    @never_cache
    @wraps(view)
    def answer(request: HttpRequest, campaign: uuid.UUID, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, campaign, *args, **kwargs)
        except (LabellingError, UnfitAnswer) as refusal:
            return notice(request, opened_campaign(campaign), refusal)

    return answer


def opened_campaign(pk: uuid.UUID) -> Campaign:
    """A campaign that was opened; 404 for any other, of which nobody is to learn."""
    rows = Campaign.objects.exclude(status=Campaign.Status.DRAFT).select_related("benchmark", "asked_model")
    return get_object_or_404(rows, pk=pk)


def notice(request: HttpRequest, campaign: Campaign, refusal: Exception) -> HttpResponse:
    """The page that says why something was not done, with the status that programs expect."""
    page = NoticePage(
        campaign=campaign,
        words=words_of(campaign.words),
        message=str(refusal),
        is_worker=not isinstance(refusal, CannotJoin | NotAtWork),
    )
    if isinstance(refusal, CannotJoin):
        return page.answer(request, HTTPStatus.FORBIDDEN)
    is_unfit = isinstance(refusal, UnfitAnswer)
    return page.answer(request, HTTPStatus.UNPROCESSABLE_ENTITY if is_unfit else HTTPStatus.CONFLICT)


def guidelines_of(campaign: Campaign) -> SafeString:
    """The guidelines as safe HTML; empty where there are none."""
    return as_safe_html(campaign.guidelines, Surroundings({}, {})) if campaign.guidelines else SafeString("")
