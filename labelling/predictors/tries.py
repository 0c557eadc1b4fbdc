"""Try a text on the model: it is stored at once, and a worker asks an endpoint, so that no page waits for one."""

import datetime as dt
import hashlib
import uuid

from django.db import transaction

from labelling.core.questions.question import Sent
from labelling.exceptions import NotTaken
from labelling.models import MOST_TRIES, AskedModel, Assignment, Attempt, Worker
from labelling.predictors.prediction import Prediction
from labelling.predictors.trained import told_at_once
from labelling.work.places import refuse_idle
from labelling.work.readiness import TARGET

MOST_PER_MINUTE = 20
_MINUTE = dt.timedelta(minutes=1)


def try_text(
    *, assignment_id: uuid.UUID, worker: Worker, sent: Sent, client_id: uuid.UUID, now: dt.datetime
) -> Attempt:
    """Put a text to the campaign's model; the same `client_id` again changes nothing.

    A model that was trained here answers at once, and so does the store a text that the same version was asked before.
    Otherwise the attempt waits until a worker process has asked (`labelling.predictors.asking`).

    Raises
    ------
    NotTaken
        If the unit is not in the worker's hands, its tries are used up, the text was tried on it before, or the worker
        has asked too often within a minute.
    NotAtWork
        If the campaign is paused, closed or over for the worker.
    UnfitAnswer
        If it is no text that can be handed in.
    """
    earlier = Attempt.objects.filter(client_id=client_id, assignment__worker=worker).first()
    if earlier is not None:
        return earlier
    with transaction.atomic():
        # The worker first, as wherever answers are taken: so tries of one person are counted one after the other.
        locked = Worker.objects.select_for_update(of=("self",)).select_related("campaign").get(pk=worker.pk)
        refuse_idle(locked)
        assignment = _in_hand(assignment_id, locked)
        campaign, unit = locked.campaign, assignment.unit
        model = AskedModel.objects.filter(campaign=campaign).first()
        if model is None:
            raise NotTaken("No model is asked in this campaign. Hand your text in.")
        text = str(campaign.kind.read(sent, campaign.asked, unit.items))
        attempt = Attempt(
            assignment=assignment,
            model=model,
            number=_next_number(assignment, text, now),
            client_id=client_id,
            text=text,
            text_sha256=text_digest(text),
            target=str(unit.source.get(TARGET, "")),
            asked_at=now,
        )
        if known := known_prediction(model, attempt.text_sha256) or told_at_once(model, text):
            judge_attempt(attempt, known, now)
        attempt.save(force_insert=True)
    return attempt


def tries_left(assignment: Assignment) -> int:
    """How many more texts may be tried on a unit, 0 to `MOST_TRIES`."""
    return MOST_TRIES - assignment.attempts.used().count()


def known_prediction(model: AskedModel, text_sha256: str) -> Prediction | None:
    """What the model's version said of the same text, if it was asked before."""
    if not model.version:
        return None
    asked = Attempt.objects.answered().filter(
        model=model, text_sha256=text_sha256, model_version=model.version
    )
    kept = asked.values_list("prediction", flat=True).first()
    return Prediction.from_json(kept) if kept else None


def judge_attempt(attempt: Attempt, prediction: Prediction, now: dt.datetime) -> None:
    """Note in an attempt what the model said; whether it was fooled follows from that and the target alone."""
    attempt.prediction = prediction.as_json()
    attempt.model_version = prediction.model_version
    attempt.is_fooling = prediction.label != attempt.target
    attempt.answered_at = now


def text_digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _in_hand(assignment_id: uuid.UUID, worker: Worker) -> Assignment:
    found = Assignment.objects.select_for_update(of=("self",)).select_related("unit")
    assignment = found.filter(pk=assignment_id, worker=worker).first()
    if assignment is None:
        raise NotTaken("This was not given to you. Go on with the one that is shown.")
    if assignment.status != Assignment.Status.HELD:
        raise NotTaken(f"This is not in your hands any more: {assignment.get_status_display()}.")
    return assignment


def _next_number(assignment: Assignment, text: str, now: dt.datetime) -> int:
    """The number of the next try of a unit; NotTaken where there is none."""
    used = {attempt.number: attempt for attempt in assignment.attempts.used()}
    if any(attempt.text == text for attempt in used.values()):
        raise NotTaken("You have tried this very text. Change it and ask again; it used up no try.")
    number = next((number for number in range(1, MOST_TRIES + 1) if number not in used), None)
    if number is None:
        raise NotTaken(f"All {MOST_TRIES} tries are used. Hand in what you have, or go on to the next.")
    lately = Attempt.objects.filter(assignment__worker=assignment.worker_id, asked_at__gt=now - _MINUTE)
    if lately.count() >= MOST_PER_MINUTE:
        raise NotTaken(
            f"You have asked {MOST_PER_MINUTE} times within a minute. Wait a little and ask again."
        )
    return number
