"""The page on which a worker writes texts that a model is to take for something else, and sees what it said."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.safestring import SafeString
from django.views.decorators.http import require_http_methods

from accounts.server.clock import database_now, received_at
from labelling.core.questions.question import UnfitAnswer
from labelling.core.questions.writing import LONGEST_TEXT
from labelling.core.worker_words import filled, words_of
from labelling.exceptions import NotTaken
from labelling.models import MOST_TRIES, Assignment, Attempt, Campaign, Worker
from labelling.pages.current_worker import worker_at_work
from labelling.pages.frame import CampaignPage, calm, guidelines_of
from labelling.pages.work import ENDED, WorkProgress, count_of, has_model, nothing_left, progress_of, uuid_of
from labelling.predictors.handing_in import hand_in
from labelling.predictors.tries import try_text
from labelling.work.checks import judge
from labelling.work.places import take_units
from labelling.work.readiness import TARGET


@dataclass(frozen=True, slots=True)
class ShownTry:
    """One try: its text, what the model saw in words, and of each label its score (0 to 1) and the bar's per cent."""

    pk: uuid.UUID
    text: str
    state: str
    number: str
    saw: str
    is_fooling: bool
    scores: Sequence[tuple[str, float, int, bool]]
    may_be_taken: bool


@dataclass(frozen=True, kw_only=True)
class WritingPage(CampaignPage):
    """A text to write. `draft` is what the text area holds, `is_waiting` whether the model is being asked.

    `offered` is the try that may be handed in, if any, and `is_used_up` whether there are no further ones.
    """

    template = "labelling/writing.html"
    name: uuid.UUID
    client_id: uuid.UUID
    heading: str
    target: str
    prompts: Sequence[tuple[str, str]]
    draft: str
    longest: int
    tries: Sequence[ShownTry]
    tries_used: str
    offered: ShownTry | None
    confirm: str
    is_waiting: bool
    is_used_up: bool
    guidelines: SafeString
    progress: WorkProgress
    problem: str


@require_http_methods(["GET", "HEAD", "POST"])
@calm
def write(request: HttpRequest, campaign: Campaign) -> HttpResponse:
    """What is to be written and what was tried; a posted text is put to the model, or handed in."""
    worker = worker_at_work(request, campaign.pk)
    if worker.stage in ENDED:
        return redirect("labelling:end", campaign.pk)
    if worker.stage == Worker.Stage.WAITING or not has_model(campaign):
        return redirect("labelling:work", campaign.pk)
    draft, problem, status = "", "", HTTPStatus.OK
    if request.method == "POST":
        try:
            return _take(request, campaign, worker)
        except (NotTaken, UnfitAnswer) as refusal:
            draft, problem = request.POST.get("text", ""), str(refusal)
            is_unfit = isinstance(refusal, UnfitAnswer)
            status = HTTPStatus.UNPROCESSABLE_ENTITY if is_unfit else HTTPStatus.CONFLICT
    in_hand = take_units(worker=worker, now=database_now())
    if not in_hand:
        return nothing_left(request, worker, list(worker.assignments.sent_last().select_related("unit")))
    return _page(campaign, worker, in_hand[0], draft, problem).answer(request, status)


def _take(request: HttpRequest, campaign: Campaign, worker: Worker) -> HttpResponse:
    now, sent = received_at(request), request.POST
    if taken := sent.get("take"):
        hand_in(attempt_id=uuid_of(taken), worker=worker, milliseconds=count_of(sent.get("ms", "")), now=now)
        judge(worker, now)
    else:
        try_text(
            assignment_id=uuid_of(sent.get("unit", "")),
            worker=worker,
            sent={"text": sent.getlist("text")},
            client_id=uuid_of(sent.get("client", "")),
            now=now,
        )
    return redirect("labelling:write", campaign.pk)


def _page(
    campaign: Campaign, worker: Worker, assignment: Assignment, draft: str, problem: str
) -> WritingPage:
    words, unit, question = words_of(campaign.words), assignment.unit, campaign.asked
    label = campaign.kind.in_words(str(unit.source.get(TARGET, "")), question)
    attempts = list(assignment.attempts.order_by("-asked_at"))
    used = [each for each in attempts if not each.given_back]
    is_waiting = any(each.state == Attempt.State.WAITING for each in attempts)
    is_used_up = len(used) >= MOST_TRIES and not is_waiting
    tries = [_shown(campaign, each, is_used_up=is_used_up and each is used[0]) for each in attempts]
    return WritingPage(
        campaign=campaign,
        words=words,
        name=assignment.pk,
        client_id=uuid.uuid4(),
        heading=filled(question.text, label=label),
        target="" if "{label}" in question.text or not label else filled(words["target"], label=label),
        prompts=[(heading, text) for item in unit.shown for heading, text in item],
        draft=draft or next((each.text for each in attempts), ""),
        longest=LONGEST_TEXT,
        tries=tries,
        tries_used=filled(words["tries_used"], done=len(used), total=MOST_TRIES),
        offered=next((each for each in tries if each.may_be_taken), None),
        confirm=filled(words["confirm"], label=label),
        is_waiting=is_waiting,
        is_used_up=is_used_up,
        guidelines=guidelines_of(campaign),
        progress=progress_of(worker, words["progress"]),
        problem=problem,
    )


def _shown(campaign: Campaign, attempt: Attempt, *, is_used_up: bool) -> ShownTry:
    words, question = words_of(campaign.words), campaign.asked
    said = attempt.prediction or {}
    label = str(said.get("label", ""))
    scores = {str(name): float(score) for name, score in said.get("scores", {}).items()}
    return ShownTry(
        pk=attempt.pk,
        text=attempt.text,
        state=attempt.state,
        number=filled(words["try_number"], number=attempt.number),
        saw=filled(words["model_saw"], label=campaign.kind.in_words(label, question)) if said else "",
        is_fooling=bool(attempt.is_fooling),
        scores=[
            (option.text, scores[option.value], _width(scores[option.value]), option.value == label)
            for option in question.options
            if option.value in scores
        ],
        may_be_taken=bool(said) and (bool(attempt.is_fooling) or is_used_up),
    )


def _width(score: float) -> int:
    return max(0, min(100, round(100 * score)))
