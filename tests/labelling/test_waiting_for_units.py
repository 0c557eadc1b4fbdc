"""Whoever waits for a unit or a worker holds none meanwhile, so that no two can wait for each other."""

import datetime as dt
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from operator import attrgetter
from typing import Any, Self

import pytest
from django.db import connection, connections, transaction
from django.db.models import Model

from labelling.models import Unit, Worker
from labelling.work.places import take_units
from labelling.work.returns import return_lapsed, stop
from tests.crowds import NOW, hired, opened, say, text_unit

pytestmark = [
    pytest.mark.postgres,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time"),
]
SECONDS = 20


class Holder:
    """A transaction in a thread of its own that has locked a row; it does as it is told, until it is let go."""

    def __init__(self, row: Model) -> None:
        self.row = row
        self._thread = ThreadPoolExecutor(1)
        self._do(lambda: connection.set_autocommit(False))
        assert self.can_have(row)
        self.process = self._do(_process)

    def can_have(self, row: Model) -> bool:
        """Whether this transaction gets a row at once; it holds it from then on."""
        # Ordered by itself: the usual order would lock the campaign too.
        rows = type(row)._default_manager.filter(pk=row.pk).order_by("pk")
        return bool(self._do(lambda: list(rows.select_for_update(skip_locked=True))))

    def let_go(self, **changes: Any) -> None:
        """Change the row and commit."""
        rows = type(self.row)._default_manager.filter(pk=self.row.pk)
        if changes:
            self._do(lambda: rows.update(**changes))
        self._do(lambda: connection.commit())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._do(connections.close_all)
        self._thread.shutdown()

    def _do(self, what: Callable[[], Any]) -> Any:
        return self._thread.submit(what).result(SECONDS)


def _process() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        process: int = cursor.fetchone()[0]
    return process


def begun(action: Callable[[], Any]) -> Future[Any]:
    """An action that goes on in a thread of its own, whose connections are closed behind it."""

    def act() -> Any:
        try:
            return action()
        finally:
            connections.close_all()

    thread = ThreadPoolExecutor(1)
    outcome = thread.submit(act)
    thread.shutdown(wait=False)
    return outcome


def waited_for(*holders: Holder) -> Holder:
    """The one that somebody waits for, as soon as somebody does."""
    ends = time.monotonic() + SECONDS
    while time.monotonic() < ends:
        for holder in holders:
            with connection.cursor() as cursor:
                waiting = "SELECT count(*) FROM pg_stat_activity WHERE %s = ANY(pg_blocking_pids(pid))"
                cursor.execute(waiting, [holder.process])
                if cursor.fetchone()[0]:
                    return holder
        time.sleep(0.02)
    pytest.fail("nobody waits")


def test_who_finds_a_unit_full_holds_nothing_of_it_while_waiting_for_the_next(transactional_toy):
    campaign = opened(transactional_toy, 2, answers_wanted=1)
    (worker,) = hired(campaign)
    units = campaign.units.all()
    with Holder(units[0]) as one, Holder(units[1]) as other:
        taking = begun(lambda: take_units(worker=worker, now=NOW))
        first = waited_for(one, other)
        second = other if first is one else one
        first.let_go(taken=1)
        assert waited_for(second) is second
        assert second.can_have(first.row)
        second.let_go()
        assert [each.unit for each in taking.result(SECONDS)] == [second.row]


def test_who_waits_for_a_unit_holds_no_check_question(transactional_toy):
    questions = [text_unit(key, part="check", answer="good") for key in ("c1", "c2")]
    campaign = opened(transactional_toy, 1, more=questions, page_size=2, check_share=0.5)
    unit = campaign.units.get(part="main")
    # Of two questions one is asked beside the unit: chance has one or both asked of a page of two.
    page_of = {worker: _would_get(worker) for worker in hired(campaign, 20)}
    worker = next(worker for worker, page in page_of.items() if unit in page)
    (question,) = page_of[worker] - {unit}
    with Holder(unit) as holder:
        taking = begun(lambda: take_units(worker=worker, now=NOW))
        assert waited_for(holder) is holder
        assert holder.can_have(question)
        holder.let_go()
        assert {each.unit for each in taking.result(SECONDS)} == {unit, question}


def _would_get(worker: Worker) -> set[Unit]:
    with transaction.atomic():
        page = take_units(worker=worker, now=NOW)
        transaction.set_rollback(True)
    return {each.unit for each in page}


def test_who_stops_holds_none_of_their_units_while_somebody_decides_about_them(transactional_toy):
    campaign = opened(transactional_toy, 2, page_size=2)
    (worker,) = hired(campaign)
    page = take_units(worker=worker, now=NOW)
    with Holder(worker) as holder:
        stopping = begun(lambda: stop(worker=worker, now=NOW))
        assert waited_for(holder) is holder
        assert all(holder.can_have(each) for each in [*page, *campaign.units.all()])
        holder.let_go()
        stopping.result(SECONDS)
    assert [*campaign.units.values_list("taken", flat=True)] == [0, 0]


def test_who_answers_late_waits_for_all_their_units_in_the_order_in_which_exclusions_do(transactional_toy):
    campaign = opened(transactional_toy, 2, page_size=2)
    (worker,) = hired(campaign)
    answered, late = sorted(take_units(worker=worker, now=NOW), key=attrgetter("unit_id"))
    say(answered)
    assert return_lapsed(NOW + dt.timedelta(hours=1)) == 1
    with Holder(answered.unit) as holder:
        answering = begun(lambda: say(late, at=NOW + dt.timedelta(hours=1)))
        assert waited_for(holder) is holder
        assert holder.can_have(late.unit)
        holder.let_go()
        assert answering.result(SECONDS).was_late
    assert [*campaign.units.values_list("taken", flat=True)] == [1, 1]
