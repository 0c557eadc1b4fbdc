"""Beat asks each question as a task of its own, and takes it back before it asks again."""

import datetime as dt
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import time_machine
from celery.utils.imports import instantiate

from config.celery import SWEEPS, app
from leaderboard.publication import services
from tests.conftest import NOW

ENTRIES = app.conf.beat_schedule


@pytest.fixture(autouse=True)
def _found() -> None:
    app.loader.import_default_modules()


def test_every_sweep_is_asked_for():
    sweeps = {name for name in app.tasks if name.startswith("heldout.sweep.")}
    assert {entry["task"] for entry in ENTRIES.values()} == sweeps


@pytest.mark.parametrize("name", ENTRIES)
def test_a_question_expires_before_it_is_asked_again(name):
    entry = ENTRIES[name]
    assert 0 < entry["options"]["expires"] < entry["schedule"]


def test_a_duty_that_fails_skips_no_other(db, monkeypatch):
    def _crash():
        raise ValueError

    monkeypatch.setattr(services, "enter_in_ledger", _crash)
    failed = [
        entry["task"]
        for entry in ENTRIES.values()
        if app.tasks[entry["task"]].apply(throw=False).state == "FAILURE"
    ]
    assert failed == ["heldout.sweep.enter_in_ledger"]


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., set[str]]]:
    """What beat asks within a minute and a second, after the clock was moved and beat, if need be, restarted."""
    names: list[str] = []

    def _start() -> Any:
        started = instantiate(app.conf.beat_scheduler, app=app, schedule_filename=str(tmp_path / "schedule"))
        monkeypatch.setattr(started, "producer", None)
        monkeypatch.setattr(started, "apply_entry", lambda entry, producer: names.append(entry.name))
        return started

    with time_machine.travel(NOW, tick=False) as clock:
        running = [_start()]

        def _asked(moved: dt.timedelta = dt.timedelta(), is_restarted: bool = False) -> set[str]:
            clock.shift(moved)
            if is_restarted:
                running.pop().close()
                running.append(_start())
            names.clear()
            for _ in range(61):
                clock.shift(1)
                while running[0].tick() == 0:
                    pass
            return set(names)

        yield _asked
        running[0].close()


@pytest.mark.parametrize("moved", [dt.timedelta(days=-1), dt.timedelta(hours=-1), dt.timedelta(days=1)])
@pytest.mark.parametrize("is_restarted", [False, True])
def test_beat_asks_on_after_the_clock_was_moved(asked, moved, is_restarted):
    each_minute = {name for name, seconds in SWEEPS.items() if seconds <= 60}
    assert asked() == each_minute
    assert asked(moved, is_restarted) >= each_minute
