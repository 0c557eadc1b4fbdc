"""Scores from before resamples were kept get theirs by a command."""

import io

import pytest
from django.core.management import CommandError, call_command

from benchmarks.models import Phase
from scoring.models import RunReplicates, Score
from submissions.models import System
from tests.weeks import CUT_OFF, ONE_WRONG, run_batch, upload

pytestmark = pytest.mark.postgres


def fill(*arguments: str) -> str:
    out = io.StringIO()
    call_command("fill_replicates", *arguments, stdout=out)
    return out.getvalue()


def kept() -> list[tuple[int, bytes]]:
    return sorted((row.run_id, bytes(row.packed)) for row in RunReplicates.objects.all())


@pytest.fixture
def old(system: System, phase: Phase) -> list[tuple[int, bytes]]:
    """Two scored splits without resamples; what these would be."""
    upload(system, phase, mood=ONE_WRONG)
    run_batch(CUT_OFF)
    before = kept()
    RunReplicates.objects.all().delete()
    return before


def test_what_is_filled_in_is_what_would_have_been_kept(old):
    scores = list(Score.objects.values())

    assert fill("toy") == "2 scored splits have resamples now; 0 still have none.\n"

    assert kept() == old
    assert list(Score.objects.values()) == scores


def test_filling_in_twice_changes_nothing(old):
    fill()
    assert fill() == "0 scored splits have resamples now; 0 still have none.\n"
    assert kept() == old


def test_without_the_key_nothing_can_be_drawn(old, settings):
    settings.GOLD_PRIVATE_KEY_FILE = ""
    with pytest.raises(CommandError, match="key to the gold labels"):
        fill()


def test_an_unknown_benchmark_is_said_to_be_unknown(db):
    with pytest.raises(CommandError, match="There is no benchmark none"):
        fill("none")
