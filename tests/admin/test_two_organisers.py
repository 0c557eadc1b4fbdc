"""Two organisers at work at once: nothing that one saved is put back, nothing is published twice, and both are told."""

import re
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest
from django.db import connection, connections, transaction
from django.test import Client

from accounts.models import User
from benchmarks.models import Benchmark, Phase
from benchmarks.people.models import Role
from scoring.models import Batch
from tests.conftest import person, the_toy
from tests.people import appoint

SECONDS = 20
STALE = "This was changed since you opened the page, so nothing was saved."
on_postgres = [
    pytest.mark.postgres,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time"),
]


def two_of(benchmark: Benchmark) -> list[Client]:
    clients = []
    for name in ("first", "second"):
        appoint(benchmark, person(name), Role.OWNER)
        clients.append(Client())
        clients[-1].force_login(User.objects.get(email=f"{name}@example.org"))
    return clients


def fields_of(page: str) -> dict[str, str]:
    """What a form of the admin has in its inputs, texts and choices as it was opened."""
    found = dict(re.findall(r'<input[^>]*?name="([^"]+)"[^>]*?value="([^"]*)"', page))
    for name, text in re.findall(r'<textarea[^>]*?name="([^"]+)"[^>]*>([^<]*)', page):
        found[name] = text.strip()
    for name, options in re.findall(r'<select[^>]*?name="([^"]+)"[^>]*>(.*?)</select>', page, re.DOTALL):
        chosen = re.search(r'value="([^"]*)"\s+selected', options)
        found[name] = chosen[1] if chosen else ""
    return found


def while_locked(row: Phase, actions: Sequence[Callable[[], Any]]) -> list[Any]:
    """What the actions gave that were begun while somebody held the row, and went on once all waited for it."""

    def act(action: Callable[[], Any]) -> Any:
        try:
            return action()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(actions)) as pool:
        with transaction.atomic():
            Phase.objects.select_for_update().get(pk=row.pk)
            begun: list[Future[Any]] = [pool.submit(act, action) for action in actions]
            ends = time.monotonic() + SECONDS
            while _waiting() < len(actions):
                assert time.monotonic() < ends, "not all wait"
                time.sleep(0.02)
        return [one.result(SECONDS) for one in begun]


def _waiting() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        number: int = cursor.fetchone()[0]
    return number


@pytest.fixture
def phase(transactional_db: None, gold_keys: object) -> Phase:
    """Committed, so that other threads see it."""
    return the_toy().phases.get()


class TestAtOnce:
    pytestmark = on_postgres

    def test_of_two_who_save_a_phase_one_is_told_that_it_was_changed(self, phase):
        address = f"/admin/benchmarks/phase/{phase.pk}/change/"
        sent = []
        for client, title in zip(two_of(phase.benchmark), ("One", "Other"), strict=True):
            form = fields_of(client.get(address).content.decode()) | {"title": title}
            sent.append(partial(client.post, address, form))

        answers = while_locked(phase, sent)

        assert sorted(answer.status_code for answer in answers) == [200, 302]
        refused = next(answer for answer in answers if answer.status_code == 200)
        assert STALE in refused.content.decode()

    def test_of_two_who_close_a_phase_one_closes_it(self, phase):
        address = f"/admin/benchmarks/phase/{phase.pk}/close_now/"
        sent = []
        for client in two_of(phase.benchmark):
            form = fields_of(client.get(address).content.decode()) | {"confirmed": "yes"}
            sent.append(partial(client.post, address, form, follow=True))

        pages = [answer.content.decode() for answer in while_locked(phase, sent)]

        assert Batch.objects.filter(phase=phase).count() == 1
        assert sum("Nothing was done here" in page for page in pages) == 1
        assert sum("The phase was closed with" in page for page in pages) == 1


def test_texts_that_somebody_else_changed_meanwhile_are_not_put_back(toy):
    address = "/admin/benchmarks/benchmark/toy/edit_texts/"
    first, second = two_of(toy)
    opened = fields_of(second.get(address).content.decode()) | {"confirmed": "yes"}
    first.post(address, opened | {"summary": "As the first has it."})

    refused = second.post(address, opened | {"title": "Toys"}).content.decode()

    toy.refresh_from_db()
    assert STALE in refused
    assert (toy.spec.title, toy.spec.summary) != ("Toys", opened["summary"])
    assert toy.spec.summary == "As the first has it."
    second.post(address, fields_of(refused) | {"confirmed": "yes", "summary": "As the second has it."})
    assert Benchmark.objects.get(pk=toy.pk).spec.title == "Toys"


def test_whoever_hides_names_that_are_hidden_is_told_so(toy):
    address = "/admin/benchmarks/benchmark/toy/hide_names/"
    first, second = two_of(toy)
    first.post(address, {"confirmed": "yes"})

    told = second.post(address, {"confirmed": "yes"}, follow=True).content.decode()

    assert "are hidden already" in told
    assert "they have been read" not in told
