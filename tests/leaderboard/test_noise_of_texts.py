"""Under `protected`, answers that are texts carry noise by what they say, not by how memory holds them."""

import datetime as dt
import json
from collections.abc import Sequence

import pytest

from benchmarks.models import Phase
from scoring.gold.versions import load_gold
from scoring.models import Disclosed, Score
from submissions.models import System
from submissions.services import PredictionUpload, submit_predictions
from tests.conftest import NOW
from tests.quiz import DEFINITION, ITEMS, WEEKLY, new_system
from tests.weeks import CUT_OFF, run_batch

pytestmark = pytest.mark.thorough

# Equally long, and longer than the fifteen bytes of text that an array holds within itself.
LABELS = ("needs more evidence", "needs more examples")
HOUR = dt.timedelta(hours=1)


def lists_of(labels: Sequence[str]) -> bytes:
    rows = ({"ID": f"q{at}", "Label": [label]} for at, label in enumerate(labels))
    return "".join(f"{json.dumps(row)}\n" for row in rows).encode()


def labels_that_turn(every: int) -> list[str]:
    return [LABELS[at % every == 0] for at in range(ITEMS)]


@pytest.fixture
def listed(sync, gold_keys) -> Phase:
    """A protected phase of a task whose answers are lists of labels."""
    lists = (
        "{path: quiz.jsonl, dialect: json_lines, id_column: ID, label_column: Label}",
        "{kind: many_labels}",
    )
    benchmark = sync(
        DEFINITION.replace("RULE", "protected")
        .replace("CUT_OFF", WEEKLY)
        .replace('{path: "{task}.csv", id_column: ID, label_column: Label}', lists[0])
        .replace('labels: ["no", "yes"]', f"labels: [{', '.join(LABELS)}]\n    output: {lists[1]}")
        .replace("name: accuracy, title: Accuracy", "name: exact_match, title: Exact match")
    )
    gold = lists_of(labels_that_turn(2))
    load_gold(task=benchmark.tasks.get(), data=gold, file_name="quiz.jsonl", now=NOW, confirm_clues=True)
    return benchmark.phases.get()


def send(system: System, phase: Phase, labels: Sequence[str]) -> None:
    user = system.team.members.get()
    data = lists_of(labels)
    at = CUT_OFF - HOUR
    submit_predictions(
        PredictionUpload(
            system=system, phase=phase, user=user, data=data, file_name="quiz.jsonl", received_at=at
        )
    )


def test_other_texts_of_the_same_lengths_carry_noise_of_their_own(listed):
    """Under the same noise their difference is exact, and coin weighing reads the labels off it."""
    for name, every in (("Larch", 2), ("Oak", 3)):
        send(new_system(name), listed, labels_that_turn(every))
    run_batch(CUT_OFF)

    larch, oak = (score.value or 0 for score in Score.objects.order_by("run__submission"))
    displayed = Disclosed.objects.earliest("pk").run.item_count or 0
    items_apart = (larch - oak) * displayed
    assert abs(items_apart - round(items_apart)) > 1e-6


def test_the_same_texts_carry_the_same_noise(listed):
    for name in ("Larch", "Oak"):
        send(new_system(name), listed, labels_that_turn(3))
    run_batch(CUT_OFF)

    assert len(set(Score.objects.values_list("value", flat=True))) == 1
    assert Score.objects.count() == 2
