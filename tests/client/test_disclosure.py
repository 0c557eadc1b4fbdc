"""What the command says where a phase shows less than exact scores."""

import io
from typing import Any

import pytest
from django.utils import timezone
from rich.console import Console

from benchmarks.models import Phase
from client import show
from tests.weeks import WEEK

SUBMISSION: dict[str, Any] = {
    "system_name": "Larch",
    "phase": "quiz/main",
    "file_name": "quiz.csv",
    "received_at": "2026-11-18T12:00:00Z",
    "submitted_by": "Larch",
    "status_sentence": "Published.",
    "next_step": {"sentence": "Nothing more is to do."},
}
SCORE = {
    "task": "quiz",
    "split": "test",
    "metric": "accuracy",
    "value": 0.68,
    "undefined": "",
    "deviation": None,
    "seeds": 1,
    "release": 1,
}


def status(**more: str) -> str:
    out = io.StringIO()
    show.show_status(Console(file=out, width=200), SUBMISSION | {"scores": [SCORE | more]})
    return out.getvalue()


def test_status_says_that_a_score_is_shown_by_a_rule():
    said = " ".join(status(disclosure="protected").split())
    assert "These numbers are provisional and carry noise" in said
    assert "The half of the items that is kept back ranks when the phase closes." in said


def test_status_names_a_rule_that_only_the_server_knows():
    assert "These are no exact scores: the phase shows them by its rule “whisper”." in status(
        disclosure="whisper"
    )


@pytest.mark.parametrize("more", [{"disclosure": ""}, {}], ids=["exact", "older server"])
def test_status_says_nothing_of_rules_where_scores_are_exact(more):
    assert "rule" not in status(**more)


@pytest.mark.django_db(transaction=True)
def test_benchmarks_are_listed_with_the_rule_of_their_phases(run, server):
    assert "rule" not in run("benchmarks").stdout
    Phase.objects.update(
        disclosure="protected", counting="best", one_per_team=True, closes_at=timezone.now() + WEEK
    )
    said = " ".join(run("benchmarks").stdout.split())
    assert "; scores of half of the items with noise are shown until it closes on " in said
    assert ", then the other half ranks" in said
    Phase.objects.update(disclosure="sealed", counting="latest", one_per_team=False, weekday=None)
    said = " ".join(run("benchmarks").stdout.split())
    assert "; no score is shown before it closes on " in said
    assert ", then all exactly" in said
