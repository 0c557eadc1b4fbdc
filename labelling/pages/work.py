"""The page on which a worker answers: what is in hand, what was sent of it, the last answer, and the wish to stop."""

import datetime as dt
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.safestring import SafeString
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.server.clock import database_now, received_at
from labelling.core.answers import Value
from labelling.core.questions.question import QuestionKind, Sent, UnfitAnswer
from labelling.core.worker_words import filled, words_of
from labelling.exceptions import NotTaken
from labelling.models import Assignment, Campaign, Unit, Worker
from labelling.pages.current_worker import worker_at_work, worker_locked
from labelling.pages.frame import CampaignPage, guidelines_of, told
from labelling.pages.units import ShownUnit, shown_units
from labelling.work.answers import SentAnswer, give_answers
from labelling.work.checks import judge, qualification_results, right_answers
from labelling.work.completion import completion_code
from labelling.work.places import refuse_idle, take_units
from labelling.work.returns import give_back, stop

Stage = Worker.Stage
ENDED = (Stage.DONE, Stage.SCREENED_OUT, Stage.EXCLUDED)


@dataclass(frozen=True, slots=True)
class WorkProgress:
    """How much of their work a worker has done; `words` say it, `per_cent` is for the bar."""

    done: int
    total: int
    words: str

    @property
    def per_cent(self) -> int:
        return min(100, 100 * self.done // self.total) if self.total else 0


@dataclass(frozen=True, slots=True)
class ToldCheck:
    """What a worker is told of a check question that they have just answered."""

    is_right: bool
    answer: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class WorkPage(CampaignPage):
    """Units to answer. `again` is whether they were answered and may be answered anew."""

    template = "labelling/work.html"
    worker: Worker
    units: Sequence[ShownUnit]
    guidelines: SafeString
    progress: WorkProgress
    saved: str
    own_counts: str
    told: Sequence[ToldCheck]
    too_late: bool
    personal_link: str
    may_undo: bool
    may_give_back: bool
    again: bool
    is_sealed_again: bool


@dataclass(frozen=True, kw_only=True)
class NothingLeftPage(CampaignPage):
    """There is no unit for a worker at present; what they are told of what they sent last."""

    template = "labelling/nothing_left.html"
    progress: WorkProgress
    told: Sequence[ToldCheck]
    too_late: bool
    may_undo: bool


@dataclass(frozen=True, kw_only=True)
class WaitingPage(CampaignPage):
    """What somebody waits for who has answered all qualification questions; `progress` is of those who have.

    `code` where an outside platform wants one, `personal_link` where there is no account.
    """

    template = "labelling/waiting.html"
    told: Sequence[ToldCheck]
    answered: str
    progress: str
    code: str
    personal_link: str


@require_http_methods(["GET", "HEAD", "POST"])
@told
def work(request: HttpRequest, campaign: uuid.UUID) -> HttpResponse:
    """The page in hand; a posted one is kept, and leads to the next."""
    if request.method == "POST":
        return _take(request, campaign)
    worker = worker_at_work(request, campaign)
    if worker.stage == Stage.WAITING:
        is_let_in = judge(worker, database_now()).stage != Stage.WAITING
        return redirect("labelling:work", campaign) if is_let_in else _wait(request, worker)
    if worker.stage in ENDED:
        return redirect("labelling:end", campaign)
    if has_model(worker.campaign):
        return redirect("labelling:write", campaign)
    refuse_idle(worker)
    now = database_now()
    in_hand, sent_last = at_hand(worker, now)
    in_hand = in_hand or take_units(worker=worker, now=now)
    was_qualifying = worker.stage == Stage.QUALIFYING
    # All was answered, and whoever took the last answer may have been cut off before it was judged.
    if not in_hand and was_qualifying and judge(worker, now).stage != Stage.QUALIFYING:
        return redirect("labelling:work", campaign)
    if not in_hand:
        return nothing_left(request, worker, sent_last)
    return show_units(request, worker, in_hand, sent_last)


@require_safe
@told
def last(request: HttpRequest, campaign: uuid.UUID) -> HttpResponse:
    """What the worker answered last, to be answered anew: with the answer, or without it where it is sealed."""
    worker = worker_at_work(request, campaign)
    _, sent_last = at_hand(worker, database_now())
    answered = _may_change(sent_last)
    if not answered:
        raise NotTaken("There is no answer that could be changed.")
    return show_units(request, worker, answered, (), _answers_of(worker.campaign, answered), again=True)


@require_POST
@told
def stopped(request: HttpRequest, campaign: uuid.UUID) -> HttpResponse:
    """End the work by the worker's own wish."""
    stop(worker=worker_at_work(request, campaign), now=received_at(request))
    return redirect("labelling:end", campaign)


def at_hand(worker: Worker, now: dt.datetime) -> tuple[list[Assignment], list[Assignment]]:
    """What a worker has in hand, and what they sent last: one unit, or a page of them."""
    mine = worker.assignments
    rows = (mine.in_hand(now) | mine.sent_last()).select_related("unit").order_by("number")
    is_held = Assignment.Status.HELD
    return (
        [each for each in rows if each.status == is_held],
        [each for each in rows if each.status != is_held],
    )


def _may_change(sent_last: Sequence[Assignment]) -> list[Assignment]:
    """Those of them that are no check questions, whose answers were told."""
    return [each for each in sent_last if each.is_right is None]


def _take(request: HttpRequest, campaign: uuid.UUID) -> HttpResponse:
    """Keep what was sent; what is no answer is shown again with why."""
    now = received_at(request)
    returned = request.POST.get("give_back")
    sent = {uuid_of(name): _sent_of(request.POST, name) for name in request.POST.getlist("unit")}
    if returned:
        note = request.POST.get("why", "").replace("\0", "")
        worker = worker_at_work(request, campaign)
        give_back(assignment_id=uuid_of(returned), worker=worker, note=note, now=now)
        sent.pop(uuid_of(returned), None)
    elif not sent:
        raise UnfitAnswer("Nothing was sent. Open the page again, and answer what it shows.")
    answers = [_sent_answer(request.POST, name, fields) for name, fields in sent.items()]
    outcomes = give_answers(who=partial(worker_locked, request, campaign), answers=answers, now=now)
    for outcome in outcomes.values():
        if isinstance(outcome, NotTaken):
            raise outcome
    problems = {name: str(outcome) for name, outcome in outcomes.items() if isinstance(outcome, UnfitAnswer)}
    if returned or not problems:  # of a page from which one was given back, the others may be unanswered yet
        return redirect("labelling:work", campaign)
    worker = worker_at_work(request, campaign)
    _, sent_last = at_hand(worker, now)
    rows = worker.assignments.filter(pk__in=problems).select_related("unit").order_by("number")
    return show_units(request, worker, list(rows), sent_last, sent, problems)


def _sent_answer(posted: QueryDict, name: uuid.UUID, fields: Sent) -> SentAnswer:
    return SentAnswer(
        assignment_id=name,
        sent=fields,
        client_id=uuid_of(posted.get(f"{name}-client", "")),
        milliseconds=count_of(posted.get(f"{name}-ms", "")),
    )


def show_units(
    request: HttpRequest,
    worker: Worker,
    assignments: Sequence[Assignment],
    sent_last: Sequence[Assignment],
    sent: Mapping[uuid.UUID, Sent] | None = None,
    problems: Mapping[uuid.UUID, str] | None = None,
    *,
    again: bool = False,
) -> HttpResponse:
    """The page of these units, perhaps with what was sent of them and why it was no answer."""
    campaign = worker.campaign
    words = words_of(campaign.words)
    progress = progress_of(worker, words["progress"])
    page = WorkPage(
        campaign=campaign,
        words=words,
        worker=worker,
        units=shown_units(campaign, worker, assignments, sent or {}, problems or {}),
        guidelines=guidelines_of(campaign),
        progress=progress,
        saved=filled(words["saved"], done=progress.done, total=progress.total),
        own_counts=filled(words["own_counts"], done=worker.answered, minutes=worker.minutes),
        told=() if problems else _told(campaign, sent_last),
        too_late=_came_too_late(sent_last),
        personal_link=_personal_link(request, worker),
        may_undo=bool(_may_change(sent_last)),
        may_give_back=not again and worker.stage == Stage.WORKING,
        again=again,
        is_sealed_again=again and campaign.is_sealed,
    )
    return page.answer(request, HTTPStatus.UNPROCESSABLE_ENTITY if problems else HTTPStatus.OK)


def _wait(request: HttpRequest, worker: Worker) -> HttpResponse:
    """The page of a worker who waits to be let in; once the campaign is closed nobody is."""
    campaign = worker.campaign
    if campaign.status == Campaign.Status.CLOSED:
        return redirect("labelling:end", campaign.pk)
    words, awaited = words_of(campaign.words), campaign.qualification_median_of or 0
    _, sent_last = at_hand(worker, database_now())
    done, right = right_answers(worker, Unit.Part.QUALIFICATION)
    answered = min(awaited, len(qualification_results(campaign)))
    page = WaitingPage(
        campaign=campaign,
        words=words,
        told=_told(campaign, sent_last),
        answered=filled(words["waits_answered"], done=right, total=done),
        progress=filled(words["waits_progress"], done=answered, total=awaited) if awaited else "",
        code=completion_code(worker) if worker.source == Worker.Source.PANEL else "",
        personal_link=_personal_link(request, worker),
    )
    return page.answer(request)


def _personal_link(request: HttpRequest, worker: Worker) -> str:
    """The address that brings somebody without an account back."""
    back = reverse("labelling:back", args=[worker.key])
    return "" if worker.user_id else request.build_absolute_uri(back)


def nothing_left(request: HttpRequest, worker: Worker, sent_last: Sequence[Assignment]) -> HttpResponse:
    """The page of a worker for whom no unit is left."""
    campaign = worker.campaign
    words = words_of(campaign.words)
    page = NothingLeftPage(
        campaign=campaign,
        words=words,
        progress=progress_of(worker, words["progress"]),
        told=_told(campaign, sent_last),
        too_late=_came_too_late(sent_last),
        may_undo=bool(_may_change(sent_last)),
    )
    return page.answer(request)


def progress_of(worker: Worker, words: str) -> WorkProgress:
    """Of qualification questions while they are asked; then of what is to be labelled, or of the limit per worker.

    Check questions are among the units of the limit, and not among what is to be labelled.
    """
    campaign, most = worker.campaign, worker.campaign.most_per_worker
    if worker.stage == Stage.QUALIFYING:
        done, _ = right_answers(worker, Unit.Part.QUALIFICATION)
        total = campaign.units.filter(part=Unit.Part.QUALIFICATION).count()
    elif most is not None and most * (1 - campaign.check_share) < worker.units_asked:
        done, total = worker.answered - worker.qualification_answered, most
    else:
        done = worker.answered - worker.qualification_answered - worker.checks_seen
        total = worker.units_asked
    total = max(done, total)
    return WorkProgress(done, total, filled(words, done=done, total=total))


def has_model(campaign: Campaign) -> bool:
    """Whether texts are tried on a model, and the page of writing is the one to work on."""
    return hasattr(campaign, "asked_model")


def _told(campaign: Campaign, sent_last: Sequence[Assignment]) -> list[ToldCheck]:
    """What is to be told of the check questions among what a worker sent last."""
    kind, question = campaign.kind, campaign.asked
    return [
        ToldCheck(each.is_right, kind.in_words(kind.loaded(each.unit.answer), question), each.unit.reason)
        for each in sent_last
        if each.is_right is not None
    ]


def _came_too_late(sent_last: Sequence[Assignment]) -> bool:
    """Whether some of it came after its time, and every place of its unit was taken."""
    return any(not each.holds_place for each in sent_last)


def _answers_of(campaign: Campaign, answered: Sequence[Assignment]) -> dict[uuid.UUID, Sent]:
    """What forms would have sent for the newest answers; nothing for sealed ones."""
    found: dict[uuid.UUID, Sent] = {}
    for assignment in answered:
        newest = assignment.answers.order_by("version").last()
        if newest is not None and newest.value is not None:
            kind = campaign.kind
            found[assignment.pk] = {**_sent_for(kind, kind.loaded(newest.value)), "note": (newest.note,)}
    return found


def _sent_for(kind: QuestionKind, value: Value) -> Sent:
    """What a form sends for an answer."""
    return kind.sent(dict(zip(kind.fields, kind.cells(value), strict=True)))


def _sent_of(posted: QueryDict, name: str) -> Sent:
    """The fields of one unit, without its name."""
    begin = f"{name}-"
    return {field.removeprefix(begin): posted.getlist(field) for field in posted if field.startswith(begin)}


def uuid_of(text: str) -> uuid.UUID:
    """An id that a page has sent; NotTaken where it is none."""
    try:
        return uuid.UUID(text)
    except ValueError:
        raise NotTaken("The page that you sent is not one of ours. Open the work again.") from None


def count_of(text: str) -> int:
    """A number that the script has sent; 0 where it is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
