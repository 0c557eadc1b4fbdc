"""What check and qualification questions say of a worker, after each of their answers."""

import datetime as dt

from django.db.models import Count, Q

from labelling.core.quality import CheckRule
from labelling.models import Assignment, Unit, Worker
from labelling.work.exclusions import exclude

Stage, Part = Worker.Stage, Unit.Part


def judge(worker: Worker, now: dt.datetime) -> Worker:
    """The worker, let in, screened out or excluded where their answers to questions with a known answer say so."""
    worker.refresh_from_db()
    return judge_locked(worker, now)


def judge_locked(worker: Worker, now: dt.datetime) -> Worker:
    """The same of a worker who was read and locked in this transaction."""
    if worker.stage == Stage.QUALIFYING:
        _judge_qualification(worker)
    elif worker.stage == Stage.WORKING:
        _judge_checks(worker, now)
    return worker


def right_answers(worker: Worker, part: str) -> tuple[int, int]:
    """How many questions of a part a worker has answered, and how many rightly."""
    answered = worker.assignments.filter(unit__part=part, status=Assignment.Status.ANSWERED)
    counts = answered.aggregate(answered=Count("pk"), right=Count("pk", filter=Q(is_right=True)))
    return counts["answered"], counts["right"]


def _judge_qualification(worker: Worker) -> None:
    campaign = worker.campaign
    asked = campaign.units.filter(part=Part.QUALIFICATION).count()
    answered, right = right_answers(worker, Part.QUALIFICATION)
    if answered < asked:
        return
    threshold = campaign.qualification_threshold
    if threshold is None or not CheckRule(threshold, least=0).excludes(right, asked):
        worker.stage, worker.stage_because = Stage.WORKING, ""
    else:
        worker.stage = Stage.SCREENED_OUT
        worker.stage_because = (
            f"You answered {right} of {asked} qualification questions as expected, and "
            f"{_least(threshold, asked)} are needed to go on. Your work on them is paid. Thank you."
        )
    worker.save(update_fields=["stage", "stage_because"])


def _judge_checks(worker: Worker, now: dt.datetime) -> None:
    campaign = worker.campaign
    seen, right = right_answers(worker, Part.CHECK)
    if not CheckRule(campaign.check_threshold, campaign.check_least).excludes(right, seen):
        return
    reason = (
        f"{right} of {seen} check questions were answered as expected; at least "
        f"{100 * campaign.check_threshold:g} % are needed."
    )
    exclude(
        worker=worker,
        rule="check_questions",
        reason=f"{reason} All work is paid.",
        numbers={"seen": seen, "right": right, "threshold": campaign.check_threshold},
        now=now,
    )
    worker.refresh_from_db(fields=["stage", "stage_because"])


def _least(threshold: float, asked: int) -> int:
    return next(
        right for right in range(asked + 1) if not CheckRule(threshold, least=0).excludes(right, asked)
    )
