"""Whoever asks without pause while a batch is scored and published sees the old board, and then the new one."""

import threading
from dataclasses import dataclass, field

import pytest
from django.db import connections
from django.test import Client

from accounts.models import User
from leaderboard.models import Page, Release
from leaderboard.publication.services import publish_ready
from scoring.queue.batches import close_due, finish_batches
from scoring.queue.runs import score_all_due
from tests.api.conftest import content
from tests.weeks import CUT_OFF, HALF_WRONG, ONE_WRONG, WEEK, run_batch, upload

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

NEW = "/benchmarks/toy/releases/2"
Answer = tuple[int, bytes]


@dataclass(frozen=True)
class Look:
    """What one address answered, and whether the release was there before it was asked, and after."""

    path: str
    answer: Answer
    was_released: bool
    is_released: bool


@dataclass
class Reader:
    """Somebody who asks some addresses in turn, over and over, in a thread of its own."""

    paths: list[str]
    user: User
    looks: list[Look] = field(default_factory=list)
    stop: threading.Event = field(default_factory=threading.Event)

    def await_rounds(self, thread: threading.Thread, rounds: int) -> None:
        """Wait until every address has been asked ``rounds`` times more (or the reader has ended)."""
        enough = len(self.looks) + rounds * len(self.paths)
        while len(self.looks) < enough and thread.is_alive():
            self.stop.wait(0.02)

    def read(self) -> None:
        try:
            browser = Client(raise_request_exception=False)
            browser.force_login(self.user)
            while not self.stop.is_set():
                for path in self.paths:
                    before = Release.objects.filter(number=2).exists()
                    found = answer(browser, path)
                    self.looks.append(Look(path, found, before, Release.objects.filter(number=2).exists()))
        finally:
            connections.close_all()


def answer(browser: Client, path: str) -> Answer:
    found = browser.get(path)
    return found.status_code, content(found)


@pytest.mark.thorough
def test_no_address_shows_a_score_before_its_release_or_an_old_one_after_it(system, phase, outsider):
    upload(system, phase, mood=HALF_WRONG)
    run_batch(CUT_OFF)
    upload(system, phase, mood=ONE_WRONG, at=CUT_OFF + WEEK / 7)
    paths = sorted(Page.objects.filter(pk__startswith="/benchmarks/toy").values_list("pk", flat=True))
    paths = [path for path in paths if "/releases/1" not in path]
    paths += [f"{NEW}/", f"{NEW}.json", f"{NEW}.csv", f"/systems/{system.pk}/", "/api/v1/submissions/"]
    paths += [f"/api/v1/benchmarks/toy/{end}" for end in ("releases/", "releases/latest/", "releases/2/")]
    browser = Client()
    browser.force_login(outsider)
    old = {path: answer(browser, path) for path in paths}

    reader = Reader(paths, outsider)
    thread = threading.Thread(target=reader.read)
    thread.start()
    try:
        now = CUT_OFF + WEEK
        for step in (close_due, score_all_due, finish_batches):
            step(now)
            reader.await_rounds(thread, 1)
        publish_ready(now)
        reader.await_rounds(thread, 3)
    finally:
        reader.stop.set()
        thread.join(timeout=60)

    new = {path: answer(browser, path) for path in paths}
    assert sum(old[path] != new[path] for path in paths) > 10
    early = [look for look in reader.looks if not look.is_released]
    late = [look for look in reader.looks if look.was_released]
    assert {look.path for look in early} == set(paths)
    assert {look.path for look in early if look.answer != old[look.path]} == set()
    assert {look.path for look in late if look.answer != new[look.path]} == set()
