"""Take answers: each is kept for ever, and one that is sent twice counts once."""

import datetime as dt
import json
import uuid
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import F

from labelling.core.answers import Value
from labelling.core.questions.question import Sent, UnfitAnswer, one
from labelling.exceptions import NotTaken
from labelling.models import Answer, Assignment, Campaign, Worker
from labelling.work.places import take_place
from scoring.gold.versions import public_key
from submissions.intake.sealing import seal_file

Status = Assignment.Status
LONGEST_NOTE = 500
MOST_VERSIONS = 50
_SLOWEST = 3_600_000  # a page that was left open for longer says nothing of the work


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """An answer that is kept; of a check question whether it is right, and what would be, in words."""

    answer: Answer
    is_right: bool | None = None
    told: str = ""


def give_answer(
    *,
    assignment_id: uuid.UUID,
    worker: Worker,
    sent: Sent,
    client_id: uuid.UUID,
    milliseconds: int,
    now: dt.datetime,
) -> KeptAnswer:
    """Keep an answer, or a new version of one; the same `client_id` again changes nothing.

    An answer that comes late counts if a place of its unit is still free; else it is kept, and counts for pay alone.

    Raises
    ------
    NotTaken
        If the unit is not the worker's, was given back, or the campaign takes no answers any more.
    UnfitAnswer
        If it is no answer to the question.
    """
    with transaction.atomic():
        # The worker first, as whoever gives and excludes does: so no two of them wait for each other.
        Worker.objects.select_for_update().get(pk=worker.pk)
        earlier = Answer.objects.filter(client_id=client_id).select_related("assignment__worker").first()
        if earlier is not None and earlier.assignment.worker_id == worker.pk:
            return _taken(earlier)
        if earlier is not None:
            raise NotTaken("This answer was sent before, by somebody else. Open the page again.")
        found = Assignment.objects.select_for_update(of=("self",)).filter(pk=assignment_id, worker=worker)
        assignment = found.select_related("unit", "worker__campaign").first()
        if assignment is None:
            raise NotTaken("This text was not given to you. Go on with the one that is shown.")
        _refuse(assignment)
        campaign, unit = assignment.worker.campaign, assignment.unit
        value = campaign.kind.read(sent, campaign.asked, unit.items)
        note = _note(sent)
        version = assignment.answers.count() + 1
        if version > MOST_VERSIONS:
            raise NotTaken(f"This answer was changed {MOST_VERSIONS} times already, and stays as it is.")
        answer = Answer(
            assignment=assignment,
            version=version,
            client_id=client_id,
            milliseconds=max(0, min(milliseconds, _SLOWEST)),
            given_at=now,
            **answer_content(campaign, unit.part, value, note),
        )
        answer.save(force_insert=True)
        if version == 1:
            _count(assignment, answer, value, now)
    return _taken(answer)


def _refuse(assignment: Assignment) -> None:
    """NotTaken where no answer is taken."""
    worker, campaign = assignment.worker, assignment.worker.campaign
    if campaign.status in (Campaign.Status.DRAFT, Campaign.Status.CLOSED):
        raise NotTaken("This campaign is closed, and takes no answers any more. What you did before counts.")
    if assignment.status == Status.RETURNED:
        raise NotTaken("You have given this text back. Go on with the one that is shown.")
    if worker.stage in (Worker.Stage.EXCLUDED, Worker.Stage.SCREENED_OUT):
        raise NotTaken(worker.stage_because or "Your part in this campaign has ended.")
    if assignment.is_right is not None:
        raise NotTaken("This was a check question: its answer was told, and cannot be changed.")


def _note(sent: Sent) -> str:
    note = " ".join(one(sent, "note").split())
    if len(note) > LONGEST_NOTE or "\0" in note:
        raise UnfitAnswer(f"The note has {len(note)} characters; at most {LONGEST_NOTE} are taken.")
    return note


def answer_content(campaign: Campaign, part: str, value: Value, note: str) -> dict[str, Any]:
    """The columns that hold an answer: a sealed box, or plain ones where it can tell of nothing hidden."""
    kept = campaign.kind.kept(value)
    if not campaign.is_sealed or part != "main":
        return {"value": kept, "note": note}
    sealed = seal_file(json.dumps([kept, note]).encode(), public_key())
    return {"box": sealed.ciphertext, "commitment": sealed.commitment}


def _count(assignment: Assignment, answer: Answer, value: Value, now: dt.datetime) -> None:
    """Note the first answer of an assignment in its unit and its worker."""
    campaign, unit, worker = assignment.worker.campaign, assignment.unit, assignment.worker
    if assignment.status == Status.EXPIRED:
        assignment.holds_place = take_place(unit.pk)
    is_check = unit.part != "main"
    assignment.status, assignment.answered_at = Status.ANSWERED, now
    assignment.is_right = value == campaign.kind.loaded(unit.answer) if is_check else None
    assignment.save(update_fields=["status", "answered_at", "holds_place", "is_right"])
    is_quick = answer.milliseconds < 1000 * campaign.seconds_least
    Worker.objects.filter(pk=worker.pk).update(
        answered=F("answered") + 1,
        checks_seen=F("checks_seen") + int(is_check),
        checks_right=F("checks_right") + int(assignment.is_right is True),
        milliseconds=F("milliseconds") + answer.milliseconds,
        quick=F("quick") + int(is_quick),
        seen_at=now,
    )


def _taken(answer: Answer) -> KeptAnswer:
    assignment = answer.assignment
    if assignment.is_right is None:
        return KeptAnswer(answer)
    campaign, unit = assignment.worker.campaign, assignment.unit
    right = campaign.kind.in_words(campaign.kind.loaded(unit.answer), campaign.asked)
    return KeptAnswer(answer, assignment.is_right, f"{right}. {unit.reason}".strip())
