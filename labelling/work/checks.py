"""What check and qualification questions say of a worker, after each of their answers."""

import datetime as dt
from math import ceil

from django.db import transaction
from django.db.models import Count, Q

from labelling.core.quality import CheckRule, QualificationResult, qualify
from labelling.models import Assignment, Campaign, Unit, Worker
from labelling.work.exclusions import exclude

Stage, Part = Worker.Stage, Unit.Part


def judge(worker: Worker, now: dt.datetime) -> Worker:
    """The worker, let in, screened out or excluded where their answers to questions with a known answer say so."""
    worker.refresh_from_db()
    if worker.stage == Stage.WAITING:
        _judge_qualification(worker)
        return worker
    return judge_locked(worker, now)


def judge_locked(worker: Worker, now: dt.datetime) -> Worker:
    """The same of a worker who was read and locked in this transaction; who waits is left to `judge`.

    Whoever judges all who wait locks them: so nobody who waits may be locked before the campaign is.
    """
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


def qualification_results(campaign: Campaign) -> list[QualificationResult]:
    """What everybody who has answered all qualification questions got right, whatever became of them since."""
    asked = campaign.units.filter(part=Part.QUALIFICATION).count()
    done = Q(assignments__unit__part=Part.QUALIFICATION, assignments__status=Assignment.Status.ANSWERED)
    rows = campaign.workers.annotate(
        done=Count("assignments", filter=done),
        right=Count("assignments", filter=done & Q(assignments__is_right=True)),
    )
    finished = rows.filter(done=asked, done__gt=0).values_list("pk", "right")
    return [QualificationResult(worker, asked, right) for worker, right in finished]


def _judge_qualification(worker: Worker) -> None:
    campaign = worker.campaign
    asked = campaign.units.filter(part=Part.QUALIFICATION).count()
    answered, right = right_answers(worker, Part.QUALIFICATION)
    if answered < asked:
        return
    threshold = campaign.qualification_threshold
    if campaign.qualification_median_of is not None and asked:
        _judge_by_median(worker)
    elif threshold is None or not CheckRule(threshold, least=0).excludes(right, asked):
        _move(worker, Stage.WORKING)
    else:
        _move(worker, Stage.SCREENED_OUT, _too_few(right, asked, _least(threshold, asked)))
    worker.refresh_from_db(fields=["stage", "stage_because"])


@transaction.atomic
def _judge_by_median(worker: Worker) -> None:
    """Judge all who wait, once enough have answered; of two who come at once the second sees the first."""
    campaign = Campaign.objects.select_for_update(no_key=True).get(pk=worker.campaign_id)
    results = qualification_results(campaign)
    found = qualify(results, least=1, fewest_workers=campaign.qualification_median_of or 1)
    if found.needed is None:
        _move(worker, Stage.WAITING)
        return
    of_worker = {each.worker: each for each in results}
    for one in campaign.workers.filter(Q(pk=worker.pk) | Q(stage=Stage.WAITING)).order_by("pk"):
        if one.pk in found.advancing:
            _move(one, Stage.WORKING)
        elif one.pk in of_worker:
            result = of_worker[one.pk]
            needed = ceil(found.needed * result.answered)
            _move(one, Stage.SCREENED_OUT, _too_few(result.right, result.answered, needed, is_median=True))


def _move(worker: Worker, stage: Worker.Stage, because: str = "") -> None:
    """Put a worker into a stage, unless an organiser has decided about them meanwhile, or they have stopped."""
    undecided = Worker.objects.filter(pk=worker.pk, stage__in=[Stage.QUALIFYING, Stage.WAITING])
    undecided.update(stage=stage, stage_because=because)


def _too_few(right: int, asked: int, needed: int, *, is_median: bool = False) -> str:
    why = " (the median of those who have answered them)" if is_median else ""
    return (
        f"You answered {right} of {asked} qualification questions as expected, and {needed} are needed to go "
        f"on{why}. Your work on them is paid. Thank you."
    )


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
