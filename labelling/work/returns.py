"""Places that come back: units that are given back or were not answered in time."""

import datetime as dt
import uuid

from django.db import transaction
from django.db.models import F

from labelling.exceptions import NotTaken
from labelling.models import Assignment, Unit, Worker
from labelling.querysets import AssignmentQuerySet
from labelling.work.places import refuse_idle

Status = Assignment.Status
LONGEST_NOTE = 500


def give_back(*, assignment_id: uuid.UUID, worker: Worker, note: str, now: dt.datetime) -> None:
    """Give a unit back unanswered, with a note on why; it is on offer again, and never to this worker.

    Raises
    ------
    NotTaken
        If the worker does not have it in hand, or it is a qualification question, which nobody else can answer.
    """
    held = Assignment.objects.filter(pk=assignment_id, worker=worker)
    if held.filter(unit__part=Unit.Part.QUALIFICATION).exists():
        raise NotTaken(
            "These first questions have to be answered as well as you can; none can be given back."
        )
    if not end_held(held, Status.RETURNED, note[:LONGEST_NOTE]):
        raise NotTaken("This text is not in your hands any more.")
    Worker.objects.filter(pk=worker.pk).update(seen_at=now)


@transaction.atomic
def stop(*, worker: Worker, now: dt.datetime) -> None:
    """End a worker's part by their own wish: what they hold is given back, and what they answered counts.

    Who waits to be let in goes on waiting.
    """
    locked = Worker.objects.select_for_update(of=("self",)).get(pk=worker.pk)
    give_up(locked)
    at_work = Worker.objects.filter(pk=locked.pk).at_work().exclude(stage=Worker.Stage.WAITING)
    at_work.update(stage=Worker.Stage.DONE, stage_because="", seen_at=now)


def give_up(worker: Worker) -> None:
    """Give back all that a worker holds; the worker was locked in this transaction."""
    end_held(worker.assignments.all(), Status.RETURNED)


@transaction.atomic
def go_on(*, worker: Worker, now: dt.datetime) -> None:
    """Take a worker who had stopped back to work, or to the qualification questions that they had not finished.

    Raises
    ------
    NotAtWork
        If they have not stopped by themselves, or the campaign is not open.
    """
    locked = Worker.objects.select_for_update(of=("self",)).select_related("campaign").get(pk=worker.pk)
    if locked.stage == Worker.Stage.DONE:
        locked.stage = Worker.Stage.QUALIFYING if _has_to_qualify(locked) else Worker.Stage.WORKING
        locked.stage_because, locked.seen_at = "", now
        locked.save(update_fields=["stage", "stage_because", "seen_at"])
    refuse_idle(locked)


def _has_to_qualify(worker: Worker) -> bool:
    """Whether qualification questions are left, or all were answered and nobody has judged them yet."""
    answered = worker.assignments.filter(status=Status.ANSWERED).values("unit")
    questions = Unit.objects.of(worker.campaign, Unit.Part.QUALIFICATION)
    if questions.exclude(pk__in=answered).exists():
        return True
    was_let_in = worker.assignments.exclude(unit__part=Unit.Part.QUALIFICATION).exists()
    return questions.exists() and not was_let_in


def return_lapsed(now: dt.datetime) -> int:
    """Put units that were not answered in time on offer again; returns how many. Two at once return each once."""
    lapsed = Assignment.objects.lapsed(now).values_list("pk", flat=True)
    return sum(end_held(Assignment.objects.filter(pk=each), Status.EXPIRED) for each in list(lapsed))


def end_held(assignments: AssignmentQuerySet, status: Assignment.Status, note: str = "") -> int:
    """End those of one worker's assignments that are still held, and free their places; returns how many."""
    return free_places(assignments.held(), status=status, note=note)


@transaction.atomic
def free_places(assignments: AssignmentQuerySet, **changes: str) -> int:
    """Change one worker's assignments and put their units on offer again; returns how many assignments.

    Assignments are locked before units, and both in the order of units, so that no two who free places wait for each
    other. Whoever takes places holds no unit while waiting for another, see `places`.
    """
    rows = assignments.order_by("unit_id").select_for_update(of=("self",))
    ended = list(rows.values_list("pk", "unit", "holds_place"))
    Assignment.objects.filter(pk__in=[pk for pk, _, _ in ended]).update(holds_place=False, **changes)
    units = Unit.objects.filter(pk__in=[unit for _, unit, held_place in ended if held_place])
    locked = list(units.order_by("pk").select_for_update().values_list("pk", flat=True))
    Unit.objects.filter(pk__in=locked).update(taken=F("taken") - 1)
    return len(ended)
