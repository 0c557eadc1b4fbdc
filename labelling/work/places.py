"""Give units to workers: a place of a unit is taken under its lock, so that no unit is given too often."""

import datetime as dt
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from random import Random

from django.db import transaction
from django.db.models import Case, F, QuerySet, When

from labelling.exceptions import NotAtWork
from labelling.models import Assignment, Unit, Worker

Stage, Part = Worker.Stage, Unit.Part
GIVEN_UNITS = frozenset({Stage.QUALIFYING, Stage.WORKING})
_PATIENCE = 20  # how many units are waited for before a worker is told that none is left
_PRIME = 1_000_003  # larger than any number of units, so that each worker's order is a permutation


@transaction.atomic
def take_units(*, worker: Worker, now: dt.datetime) -> list[Assignment]:
    """The units that a worker has in hand: those of an unfinished page, or else a new page; empty where none is left.

    Units with the fewest answers come first, and among these the order is drawn per worker from the campaign's seed.
    A unit comes to a worker once and never again.

    Raises
    ------
    NotAtWork
        If the campaign is not open or the worker's part in it has ended.
    """
    worker = Worker.objects.with_campaign().select_for_update(of=("self",)).get(pk=worker.pk)
    refuse_idle(worker)
    if worker.stage == Stage.QUALIFYING:
        _renew(worker, now)
    in_hand = worker.assignments.in_hand(now).select_related("unit").order_by("number")
    if not in_hand and take_page(worker, now):
        worker.seen_at = now
        worker.save(update_fields=["given", "seen_at"])
        in_hand = in_hand.all()
    return list(in_hand)


def take_page(worker: Worker, now: dt.datetime) -> int:
    """Take a new page for a worker with nothing in hand, who was read and locked in this transaction.

    Returns of how many units it is, by which `given` has grown; whoever calls stores the worker.
    """
    expires_at = now + dt.timedelta(minutes=worker.campaign.lease_minutes)
    page = [
        Assignment(unit_id=unit.pk, worker=worker, number=number, given_at=now, expires_at=expires_at)
        for number, unit in enumerate(_units(worker), start=worker.given + 1)
    ]
    Assignment.objects.bulk_create(page)
    worker.given += len(page)
    return len(page)


def _renew(worker: Worker, now: dt.datetime) -> None:
    """Give qualification questions that were not answered in time once more: all of them must be answered."""
    expires_at = now + dt.timedelta(minutes=worker.campaign.lease_minutes)
    lapsed = worker.assignments.filter(unit__part=Part.QUALIFICATION, status__in=["expired", "returned"])
    for assignment in lapsed.order_by("unit_id"):  # as places are freed, lest two wait for each other
        assignment.holds_place = take_place(assignment.unit_id)
        assignment.status, assignment.expires_at = Assignment.Status.HELD, expires_at
        assignment.save(update_fields=["status", "expires_at", "holds_place"])


def refuse_idle(worker: Worker) -> None:
    """NotAtWork where a worker is to be given nothing."""
    campaign = worker.campaign
    if campaign.why_paused:
        raise NotAtWork(campaign.why_paused)
    if not campaign.is_open:
        raise NotAtWork("This campaign is closed. Thank you for your work.")
    if worker.stage not in GIVEN_UNITS:
        raise NotAtWork(worker.stage_because or f"{worker.get_stage_display().capitalize()}.")


def units_left(worker: Worker) -> int | None:
    """How many more units a worker may be given by the campaign's limit; None where there is no limit.

    Qualification questions are beside it: else whoever has answered them all might get nothing to label.
    """
    most = worker.campaign.most_per_worker
    if most is None:
        return None
    return max(0, most - worker.assignments.exclude(unit__part=Part.QUALIFICATION).count())


def _units(worker: Worker) -> Iterator[Unit]:
    """Units with a place taken for the worker, at most a page of them, of which the ids alone are read."""
    campaign = worker.campaign
    if worker.stage == Stage.QUALIFYING:
        yield from _taken(worker, Part.QUALIFICATION, campaign.page_size)
        return
    left = units_left(worker)
    size = campaign.page_size if left is None else min(campaign.page_size, left)
    # Which of a worker's units are checks follows from the seed alone, whoever asks how often.
    checks = sum(
        Random(f"{campaign.order_seed}/{worker.number}/{worker.given + place}").random()  # noqa: S311  # an order, not a secret
        < campaign.check_share
        for place in range(1, size + 1)
    )
    if checks and not _candidates(worker, Part.MAIN).exists():
        return  # nobody is asked check questions alone
    page = _page(worker, size, checks)
    Random(f"{campaign.order_seed}/{worker.number}/page/{worker.given}").shuffle(page)  # noqa: S311  # an order, not a secret
    yield from page


def _page(worker: Worker, size: int, checks: int) -> list[Unit]:
    """Up to `size` units, of them up to `checks` check questions; these alone only where all are to be."""
    if checks in (0, size):
        checked = list(_taken(worker, Part.CHECK, checks))
        return [*_taken(worker, Part.MAIN, size - len(checked), may_wait=not checked), *checked]
    with transaction.atomic():
        checked = list(_taken(worker, Part.CHECK, checks))
        main = list(_taken(worker, Part.MAIN, size - len(checked), may_wait=not checked))
        if main or not checked:
            return [*main, *checked]
        # All others are in somebody's hands at this moment, and are waited for with empty hands.
        transaction.set_rollback(True)
    main = list(_taken(worker, Part.MAIN, size - checks))
    return [*main, *_taken(worker, Part.CHECK, checks, may_wait=False)] if main else []


def _taken(worker: Worker, part: str, count: int, *, may_wait: bool = True) -> Iterator[Unit]:
    """Up to `count` units of a part; of two workers who ask for the last place of one, one gets it.

    may_wait : whether the worker holds no unit, and so may wait for one
    """
    if count <= 0:
        return
    if part == Part.MAIN and worker.campaign.judges_systems:
        yield from _in_turns(worker, count, may_wait=may_wait)
    else:
        yield from _placed(_candidates(worker, part), count, may_wait=may_wait)


def _in_turns(worker: Worker, count: int, *, may_wait: bool) -> Iterator[Unit]:
    """Up to `count` units, each of a turn of which the worker has had fewest: they see systems equally often."""
    had = worker.assignments.filter(unit__part=Part.MAIN).values_list("unit__turn", flat=True)
    times, given = Counter(had), list[int]()
    while len(given) < count:
        seldom = (
            [Case(*(When(turn=turn, then=seen) for turn, seen in times.items()), default=0)] if times else []
        )
        left = _candidates(worker, Part.MAIN).exclude(pk__in=given)
        ordered = left.order_by(*seldom, *left.query.order_by)
        unit = next(_placed(ordered, 1, may_wait=may_wait and not given), None)
        if unit is None:
            return
        times[unit.turn] += 1
        given.append(unit.pk)
        yield unit


def _placed(candidates: QuerySet[Unit], count: int, *, may_wait: bool) -> Iterator[Unit]:
    """Up to `count` of these units with a place taken.

    Nobody waits for a unit while holding another, so that no two workers can wait for each other: units that are in
    somebody's hands at this moment are passed over, and waited for only by whoever holds none.
    """
    taken = list(candidates.select_for_update(skip_locked=True)[:count])
    if taken:
        Unit.objects.filter(pk__in=[unit.pk for unit in taken]).update(taken=F("taken") + 1)
    elif may_wait:
        taken = list(islice((unit for unit in candidates[:_PATIENCE] if take_place(unit.pk)), 1))
    yield from taken


def _candidates(worker: Worker, part: str) -> QuerySet[Unit]:
    own_order = (F("draw") * (2 * worker.number + 1) + worker.campaign.order_seed % _PRIME) % _PRIME
    units: QuerySet[Unit] = (
        Unit.objects.of(worker.campaign, part).on_offer().new_to(worker).only("pk", "turn")
    )
    if part == Part.QUALIFICATION:
        return units.order_by("draw")
    return units.order_by("taken", own_order, "pk") if part == Part.MAIN else units.order_by(own_order, "pk")


def take_place(unit_id: int) -> bool:
    """Take a place of a unit, if one is free; where none is, nothing of it is held.

    PostgreSQL locks a row that somebody else has changed, to see whether it still fits, and keeps it locked where it
    does not; only the end of a transaction, or of a part of one, lets it go.
    """
    with transaction.atomic():
        is_taken = bool(Unit.objects.on_offer().filter(pk=unit_id).update(taken=F("taken") + 1))
        if not is_taken:
            transaction.set_rollback(True)
    return is_taken
