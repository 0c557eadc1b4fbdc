"""Demo data come whole or not at all, and only where they belong."""

import pytest
from django.core.management import CommandError, call_command

from accounts.models import User
from demo import story
from demo.stories import raft
from tests.conftest import NOW

pytestmark = pytest.mark.thorough


def test_story_that_is_broken_off_leaves_nothing(db, gold_keys, monkeypatch):
    def break_off():
        raise KeyboardInterrupt

    monkeypatch.setattr(story, "refresh_stale", break_off)
    monkeypatch.setattr(raft, "WEEKS", 1)

    with pytest.raises(KeyboardInterrupt):
        story.tell(now=NOW, password="a password of this folder", only=["raft"])

    assert not story.is_told()
    assert not User.objects.exists()


def test_demo_data_are_refused_outside_a_demo(db):
    with pytest.raises(CommandError, match="HELDOUT_MODE=demo"):
        call_command("make_demo_data")


def test_unknown_benchmark_is_told_which_there_are(gold_keys, db, settings, monkeypatch):
    settings.SYNTHETIC_DEMO = True
    monkeypatch.setenv("HELDOUT_DEMO_BENCHMARKS", "raft,stence")

    with pytest.raises(
        CommandError, match=r"names 'stence'\. The demo has raft, ait2018, stance, dynasent, bibi"
    ):
        call_command("make_demo_data")


def test_demo_data_are_refused_where_a_benchmark_is_there_already(toy, settings):
    settings.SYNTHETIC_DEMO = True

    with pytest.raises(CommandError, match="benchmarks that are not the demo's"):
        call_command("make_demo_data")
