"""Take answers: each is kept for ever, and one that is sent twice counts once."""

import datetime as dt
import json
import uuid
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Exists, Q

from labelling.core.answers import Value
from labelling.core.questions.question import Sent, UnfitAnswer, one
from labelling.exceptions import NotTaken
from labelling.models import Answer, Assignment, Campaign, Unit, Worker
from labelling.work.checks import judge_locked
from labelling.work.places import GIVEN_UNITS, take_page, take_place
from scoring.gold.versions import public_key
from submissions.intake.sealing import seal_file

Status = Assignment.Status
LONGEST_NOTE = 500
MOST_VERSIONS = 50
_SLOWEST = 3_600_000  # a page that was left open for longer says nothing of the work


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """An answer that is kept; of a check question whether it is right, and what would be, in words.

    `was_late` is whether it came after its time, so that a place had to be looked for.
    """

    answer: Answer
    is_right: bool | None = None
    told: str = ""
    was_late: bool = False


@dataclass(frozen=True, slots=True)
class SentAnswer:
    """What was sent of one unit. `client_id` was made by the page: with it an answer that comes again is known."""

    assignment_id: uuid.UUID
    sent: Sent
    client_id: uuid.UUID
    milliseconds: int


Outcome = KeptAnswer | NotTaken | UnfitAnswer
"""What became of an answer: it is kept, or why it is not."""


@transaction.atomic
def give_answers(
    *, who: Callable[[], Worker], answers: Sequence[SentAnswer], now: dt.datetime
) -> dict[uuid.UUID, Outcome]:
    """Keep what was sent of a page, each answer by itself, judge the worker, and take the next page for them.

    The worker is judged where a question with a known answer was among them. The next page is taken where nothing is
    in hand any more and nothing was refused; in all other cases `take_units` does it when they come for it.

    who : reads the worker with the campaign, and locks them
    Returns what became of each by its assignment.
    """
    # The worker first, as whoever gives and excludes does: so no two of them wait for each other.
    worker = who()
    outcomes, held = _keep(worker, answers, now)
    kept = [outcome for outcome in outcomes.values() if isinstance(outcome, KeptAnswer)]
    # Nobody waits for a unit while holding another: with the place of a late answer no page is taken.
    is_plain = len(kept) == len(outcomes) and not any(each.was_late for each in kept)
    if any(each.is_right is not None for each in kept):
        judge_locked(worker, now)
    if is_plain and not held and worker.stage in GIVEN_UNITS and worker.campaign.is_open:
        take_page(worker, now)
    _store_counts(worker)
    return outcomes


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
    one = SentAnswer(assignment_id, sent, client_id, milliseconds)
    with transaction.atomic():
        locked = Worker.objects.with_campaign().select_for_update(of=("self",)).get(pk=worker.pk)
        outcomes, _ = _keep(locked, [one], now)
        _store_counts(locked)
    outcome = outcomes[assignment_id]
    if not isinstance(outcome, KeptAnswer):
        raise outcome
    return outcome


def _keep(
    worker: Worker, answers: Sequence[SentAnswer], now: dt.datetime
) -> tuple[dict[uuid.UUID, Outcome], bool]:
    """What becomes of each answer of a locked worker, and whether anything is left in their hands."""
    names = [each.client_id for each in answers]
    concerned = Q(pk__in=[each.assignment_id for each in answers]) | Q(status=Status.HELD, expires_at__gt=now)
    rows = worker.assignments.filter(concerned).select_for_update(of=("self",)).select_related("unit")
    known = rows.annotate(is_resent=Exists(Answer.objects.filter(client_id__in=names))).order_by("unit_id")
    found = {assignment.pk: assignment for assignment in known}
    earlier = {}
    if any(getattr(assignment, "is_resent", False) for assignment in found.values()):
        sent_before = Answer.objects.filter(client_id__in=names).select_related("assignment__unit")
        earlier = {answer.client_id: answer for answer in sent_before}
    by_name = {each.assignment_id: each for each in answers}
    _lock_places(worker, [each for each in found.values() if each.pk in by_name])
    outcomes: dict[uuid.UUID, Outcome] = {}
    for name in [
        *(each for each in found if each in by_name),
        *(each for each in by_name if each not in found),
    ]:
        one = by_name[name]
        try:
            outcomes[name] = _kept(worker, found.get(name), one, earlier.get(one.client_id), now)
        except (NotTaken, UnfitAnswer) as refusal:  # raised before anything is written
            outcomes[name] = refusal
    return outcomes, any(assignment.status == Status.HELD for assignment in found.values())


def _lock_places(worker: Worker, assignments: Iterable[Assignment]) -> None:
    """Before late answers look for places: their units and all that the worker has a place of, in one order.

    One of the answers may have the worker excluded, and places are freed in that order.
    """
    late = [assignment.unit_id for assignment in assignments if assignment.status == Status.EXPIRED]
    if late:
        placed = worker.assignments.filter(holds_place=True).values("unit")
        units = Unit.objects.filter(Q(pk__in=late) | Q(pk__in=placed))
        list(units.order_by("pk").select_for_update().values_list("pk"))


def _kept(
    worker: Worker, assignment: Assignment | None, one: SentAnswer, earlier: Answer | None, now: dt.datetime
) -> KeptAnswer:
    if earlier is not None and earlier.assignment.worker_id == worker.pk:
        return _taken(earlier)
    if earlier is not None:
        raise NotTaken("This answer was sent before, by somebody else. Open the page again.")
    if assignment is None:
        raise NotTaken("This text was not given to you. Go on with the one that is shown.")
    _refuse(assignment)
    campaign, unit = worker.campaign, assignment.unit
    value = campaign.kind.read(one.sent, campaign.asked, unit.items)
    note = _note(one.sent)
    version = 1 + (assignment.answers.count() if assignment.status == Status.ANSWERED else 0)
    if version > MOST_VERSIONS:
        raise NotTaken(f"This answer was changed {MOST_VERSIONS} times already, and stays as it is.")
    answer = Answer(
        assignment=assignment,
        version=version,
        client_id=one.client_id,
        milliseconds=max(0, min(one.milliseconds, _SLOWEST)),
        given_at=now,
        **answer_content(campaign, unit.part, value, note),
    )
    answer.save(force_insert=True)
    was_late = assignment.status == Status.EXPIRED
    if version == 1:
        _count(assignment, answer, value, now)
    return _taken(answer, was_late=was_late)


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
    is_check = unit.part == Unit.Part.CHECK
    assignment.status, assignment.answered_at = Status.ANSWERED, now
    assignment.is_right = None if unit.part == Unit.Part.MAIN else value == campaign.kind.loaded(unit.answer)
    assignment.save(update_fields=["status", "answered_at", "holds_place", "is_right"])
    worker.answered += 1
    worker.checks_seen += int(is_check)
    worker.checks_right += int(is_check and assignment.is_right is True)
    worker.qualification_answered += int(unit.part == Unit.Part.QUALIFICATION)
    worker.milliseconds += answer.milliseconds
    worker.quick += int(answer.milliseconds < 1000 * campaign.seconds_least)
    worker.seen_at = now


def _store_counts(worker: Worker) -> None:
    """Store what was counted in a locked worker."""
    counts = ("answered", "checks_seen", "checks_right", "qualification_answered", "milliseconds", "quick")
    worker.save(update_fields=[*counts, "given", "seen_at"])


def _taken(answer: Answer, *, was_late: bool = False) -> KeptAnswer:
    assignment = answer.assignment
    if assignment.is_right is None:
        return KeptAnswer(answer, was_late=was_late)
    campaign, unit = assignment.worker.campaign, assignment.unit
    right = campaign.kind.in_words(campaign.kind.loaded(unit.answer), campaign.asked)
    return KeptAnswer(answer, assignment.is_right, f"{right}. {unit.reason}".strip(), was_late)
