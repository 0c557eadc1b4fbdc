"""Beat asks each question as a task of its own, and takes it back before it asks again."""

import pytest

from config.celery import app
from leaderboard.publication import services

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
