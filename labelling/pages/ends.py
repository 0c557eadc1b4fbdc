"""The end of a worker's part: thanks, the code for the platform that they came from, and the way back to work."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from accounts.server.clock import received_at
from labelling.core.worker_words import filled, words_of
from labelling.models import Campaign, Worker
from labelling.pages.current_worker import worker_at_work
from labelling.pages.frame import CampaignPage, calm
from labelling.work.completion import completion_code
from labelling.work.returns import go_on

_AT_WORK = (Worker.Stage.QUALIFYING, Worker.Stage.WAITING, Worker.Stage.WORKING)


@dataclass(frozen=True, kw_only=True)
class EndPage(CampaignPage):
    """Thanks and what was done; `code` where an outside platform wants one, `may_go_on` after a stop of one's own."""

    template = "labelling/end.html"
    worker: Worker
    own_counts: str
    code: str
    may_go_on: bool


@require_safe
@calm
def end(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """What a worker is told when they have stopped, the campaign is closed, or their part in it is over."""
    worker = worker_at_work(request, campaign.pk)
    if worker.stage in _AT_WORK and campaign.status != Campaign.Status.CLOSED:
        return redirect("labelling:work", campaign.pk)
    words = words_of(campaign.words)
    page = EndPage(
        campaign=campaign,
        words=words,
        worker=worker,
        own_counts=filled(words["own_counts"], done=worker.answered, minutes=worker.minutes),
        code=completion_code(worker) if worker.source == Worker.Source.PANEL else "",
        may_go_on=worker.stage == Worker.Stage.DONE and campaign.is_open,
    )
    return page.answer(request)


@require_POST
@calm
def resumed(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """Take up the work again after a stop of one's own."""
    go_on(worker=worker_at_work(request, campaign.pk), now=received_at(request))
    return redirect("labelling:work", campaign.pk)
