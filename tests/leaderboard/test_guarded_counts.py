"""How many items have each label is told of labels that were ranked by, and of no others."""

import datetime as dt

import pytest
from django.test import Client

from benchmarks.models import Benchmark
from leaderboard.publication.services import refresh_stale
from scoring.definitions.renewal import renew_items
from scoring.gold.versions import load_gold
from tests.conftest import NOW
from tests.quiz import DEFINITION, GOLD, WEEKLY, as_file, end_now, make_quiz, new_system, send
from tests.weeks import CUT_OFF, run_batch

pytestmark = [pytest.mark.thorough, pytest.mark.usefixtures("gold_keys")]

HOUR = dt.timedelta(hours=1)
PRACTICE = """
    splits: [{id: test, title: Test}, {id: dev, title: Dev, file: "{task}_dev.csv"}]
"""


def load_with_counts(benchmark: Benchmark, data: bytes) -> None:
    load_gold(
        task=benchmark.tasks.get(),
        data=data,
        file_name="quiz.csv",
        now=NOW,
        confirm_clues=True,
        show_class_counts=True,
    )
    refresh_stale()


def is_told() -> bool:
    """Whether the page of the task says how many items have each label."""
    return b"<code>no</code></th>" in Client().get("/benchmarks/quiz/tasks/quiz/").content


def test_not_before_there_is_a_phase_whose_rule_would_say_so(sync):
    start = (
        DEFINITION.replace("    labels:", PRACTICE[1:] + "    labels:")
        .replace("RULE", "exact")
        .replace("CUT_OFF", WEEKLY)
    )
    benchmark = sync(start.replace("    quota:", "    targets: [{task: quiz, split: dev}]\n    quota:"))
    load_with_counts(benchmark, as_file(GOLD))
    assert not is_told()


def test_from_the_final_on_until_the_items_are_renewed(sync):
    phase = make_quiz(sync, "open")
    load_with_counts(phase.benchmark, as_file(GOLD))
    send(new_system("Larch"), phase, range(100), at=CUT_OFF - HOUR)
    end_now(CUT_OFF)
    assert not is_told()
    run_batch(CUT_OFF)
    refresh_stale()
    assert is_told()

    new = as_file(GOLD).replace(b"q1,", b"new,")
    renew_items(
        task=phase.benchmark.tasks.get(),
        data=new,
        file_name="quiz.csv",
        now=CUT_OFF + HOUR,
        confirm_clues=True,
    )
    load_with_counts(phase.benchmark, new)
    assert not is_told()
