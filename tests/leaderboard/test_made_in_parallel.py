"""Boards and pages are the same whichever process makes them, and none is lost with a process."""

import logging
import os
import signal
from collections.abc import Callable
from functools import partial
from typing import NoReturn

import pytest
from django.db import connection

from benchmarks.models import Benchmark, Phase
from leaderboard.models import Page, Release
from leaderboard.pages.benchmark_pages import render_benchmark
from leaderboard.publication.reproduction import boards_with_all_digits
from leaderboard.rendering import made_in_parallel as module
from leaderboard.rendering.made_in_parallel import Late, made_in_parallel
from leaderboard.rendering.rendered_page import RenderedPage
from submissions.models import System
from tests.conftest import person
from tests.feelings import team_of
from tests.threads import at_once
from tests.weeks import CUT_OFF, HALF_WRONG, ONE_WRONG, run_batch, upload

COUNT = 40
HERE = os.getpid()

Act = Callable[[], object]


@pytest.fixture(autouse=True)
def three_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "cores", lambda: 3)
    monkeypatch.setattr(module, "ROWS_OF_CHILD", 1)


class Desk:
    """Groups of pages, each of which says which process has drawn it; `in_child` happens there before one is drawn."""

    def __init__(self, in_child: Act = lambda: None) -> None:
        self.in_child = in_child
        self.told, self.telling = os.pipe()
        self.groups = [Late(partial(self._draw, number), rows=1) for number in range(COUNT)]

    def _draw(self, number: int) -> list[RenderedPage]:
        if os.getpid() != HERE:
            os.write(self.telling, os.getpid().to_bytes(8))
            self.in_child()
        drawn_by = str(os.getpid()).encode()
        return [RenderedPage(f"/{number}/{name}", "text/plain", drawn_by) for name in "ab"]

    def child(self) -> int:
        """Wait until a child draws; returns which."""
        return int.from_bytes(os.read(self.told, 8))

    def paths(self) -> list[str]:
        return [page.path for group in self.groups for page in group.made()]

    def drawn_by(self) -> set[int]:
        return {int(page.body) for group in self.groups for page in group.made()}


PATHS = [f"/{number}/{name}" for number in range(COUNT) for name in "ab"]


def is_there(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def wait_for_ever() -> None:
    os.read(os.pipe()[0], 1)


def end_oneself() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def ask_the_database() -> None:
    Benchmark.objects.count()


def test_children_draw_and_pages_stand_in_their_order() -> None:
    desk = Desk()
    with made_in_parallel(desk.groups):
        child = desk.child()

    assert desk.paths() == PATHS
    assert child in desk.drawn_by()
    assert not is_there(child)


def test_what_is_drawn_is_kept() -> None:
    desk = Desk()
    with made_in_parallel(desk.groups):
        desk.child()
    drawn = [page for group in desk.groups for page in group.made()]

    with made_in_parallel(desk.groups):
        pass

    assert [page for group in desk.groups for page in group.made()] == drawn


def test_pages_of_a_child_that_is_killed_are_drawn_here(caplog: pytest.LogCaptureFixture) -> None:
    desk = Desk(end_oneself)
    with made_in_parallel(desk.groups):
        child = desk.child()

    assert desk.paths() == PATHS
    assert desk.drawn_by() == {HERE}
    assert not is_there(child)
    assert "is lost" in caplog.text


def test_pages_of_a_child_that_fails_are_drawn_here_and_its_error_is_told(
    caplog: pytest.LogCaptureFixture,
) -> None:
    desk = Desk(lambda: 1 / 0)
    with made_in_parallel(desk.groups):
        desk.child()

    assert desk.paths() == PATHS
    assert desk.drawn_by() == {HERE}
    assert "ZeroDivisionError" in caplog.text


def test_a_child_that_hangs_is_ended(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0)
    desk = Desk(wait_for_ever)
    with made_in_parallel(desk.groups):
        child = desk.child()

    assert desk.paths() == PATHS
    assert not is_there(child)
    assert "nothing came" in caplog.text


@pytest.mark.postgres
@pytest.mark.django_db
def test_a_child_cannot_use_the_connection_of_its_parent(
    toy: Benchmark, caplog: pytest.LogCaptureFixture
) -> None:
    assert Benchmark.objects.exists()
    desk = Desk(ask_the_database)
    with made_in_parallel(desk.groups):
        desk.child()

    assert desk.paths() == PATHS
    assert "may not use the database" in caplog.text
    assert Benchmark.objects.exists()
    assert connection.execute_wrappers == []


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, ValueError])
def test_whatever_ends_the_parents_work_leaves_no_child(error: type[BaseException]) -> None:
    desk, children = Desk(wait_for_ever), []

    def break_off() -> NoReturn:
        children.append(desk.child())
        raise error

    with pytest.raises(error), made_in_parallel(desk.groups):
        break_off()

    assert not is_there(children[0])


def test_an_error_of_a_page_is_that_of_drawing_it_here() -> None:
    def fail() -> NoReturn:
        raise LookupError("no such row")

    with pytest.raises(LookupError, match="no such row"), made_in_parallel([Late(fail, rows=9)]):
        pass


def test_a_handler_of_a_signal_does_not_run_in_a_child() -> None:
    desk = Desk(partial(signal.raise_signal, signal.SIGUSR1))
    before = signal.signal(signal.SIGUSR1, lambda *_: os.write(desk.telling, bytes(8)))
    try:
        with made_in_parallel(desk.groups):
            pids = {desk.child()}
    finally:
        signal.signal(signal.SIGUSR1, before)
    os.set_blocking(desk.told, False)
    while told := _rest(desk):
        pids.add(int.from_bytes(told))
    assert 0 not in pids


def _rest(desk: Desk) -> bytes:
    try:
        return os.read(desk.told, 8)
    except BlockingIOError:
        return b""


def test_pages_are_drawn_here_where_no_process_can_be_started(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse() -> int:
        raise BlockingIOError("too many processes")

    monkeypatch.setattr(os, "fork", refuse)
    desk = Desk()
    with made_in_parallel(desk.groups):
        pass

    assert desk.drawn_by() == {HERE}
    assert "no further process" in caplog.text
    assert not signal.pthread_sigmask(signal.SIG_BLOCK, ())


def no_child(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fork", lambda: pytest.fail("a child"))


def draw_all() -> set[int]:
    desk = Desk()
    with made_in_parallel(desk.groups):
        pass
    return desk.drawn_by()


def test_one_core_has_no_child(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "cores", lambda: 1)
    no_child(monkeypatch)
    assert draw_all() == {HERE}


def test_little_work_has_no_child(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ROWS_OF_CHILD", COUNT + 1)
    no_child(monkeypatch)
    assert draw_all() == {HERE}


def test_a_thread_beside_others_has_no_child(monkeypatch: pytest.MonkeyPatch) -> None:
    no_child(monkeypatch)
    assert at_once([draw_all]) == [{HERE}]


def noted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The processes that are started from now on."""
    children, fork = list[int](), os.fork

    def note() -> int:
        children.append(fork())
        return children[-1]

    monkeypatch.setattr(os, "fork", note)
    return children


def warnings(caplog: pytest.LogCaptureFixture) -> list[logging.LogRecord]:
    return [record for record in caplog.records if record.levelno >= logging.WARNING]


@pytest.mark.postgres
def test_boards_made_by_several_are_those_that_are_made_alone(
    system: System, phase: Phase, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    Phase.objects.update(counting=Phase.CountingRule.BEST)
    phase.refresh_from_db()
    upload(team_of(person("southerner"), "South", "Alder")[1], phase, mood=ONE_WRONG)
    for mood in (HALF_WRONG, ONE_WRONG):  # of which one is chosen, by what is read of both
        upload(system, phase, mood=mood)
    run_batch(CUT_OFF)
    release = Release.objects.get()

    no_child(monkeypatch)
    monkeypatch.setattr(module, "cores", lambda: 1)
    alone = boards_with_all_digits(release)
    monkeypatch.undo()
    monkeypatch.setattr(module, "cores", lambda: 3)
    monkeypatch.setattr(module, "ROWS_OF_CHILD", 1)
    children = noted(monkeypatch)
    by_several = boards_with_all_digits(release)

    assert len(children) == 2
    assert by_several == alone
    assert [*by_several] == [*alone]
    assert alone["mood"].rows[0].tries == 2
    assert not warnings(caplog)


@pytest.mark.postgres
def test_a_release_drawn_by_several_is_the_one_that_is_drawn_alone(
    system: System, phase: Phase, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    upload(system, phase)
    children = noted(monkeypatch)
    run_batch(CUT_OFF)
    assert children
    no_child(monkeypatch)
    monkeypatch.setattr(module, "cores", lambda: 1)

    alone = {page.path: page.body for page in render_benchmark(phase.benchmark)}

    stored = {page.path: bytes(page.body) for page in Page.objects.filter(pk__in=alone)}
    assert stored == alone
    assert not warnings(caplog)
