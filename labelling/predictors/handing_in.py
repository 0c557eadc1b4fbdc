"""Hand in a text that was tried on the model: one that fooled it, or the last when all tries are used."""

import datetime as dt
import uuid

from labelling.exceptions import NotTaken
from labelling.models import Attempt, Worker
from labelling.predictors.tries import tries_left
from labelling.work.answers import KeptAnswer, give_answer


def hand_in(*, attempt_id: uuid.UUID, worker: Worker, milliseconds: int, now: dt.datetime) -> KeptAnswer:
    """Make a tried text the answer about its unit. The same attempt again changes nothing.

    Raises
    ------
    NotTaken
        If it is not the worker's, the model has not answered it, or it did not fool the model and tries are left.
    """
    mine = Attempt.objects.answered().filter(assignment__worker=worker)
    attempt = mine.select_related("assignment").filter(pk=attempt_id).first()
    if attempt is None:
        raise NotTaken("This text was not tried, or the model has not answered yet.")
    if not attempt.is_fooling and tries_left(attempt.assignment):
        raise NotTaken(
            "The model was not fooled by this text, and you have tries left. Change it and ask again."
        )
    return give_answer(
        assignment_id=attempt.assignment_id,
        worker=worker,
        sent={"text": (attempt.text,)},
        client_id=attempt.pk,
        milliseconds=milliseconds,
        now=now,
    )
