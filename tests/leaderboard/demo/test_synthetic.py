"""Made-up labels: as hard, as uneven and as repeatable as they claim to be."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.spec import FileFormat, LabelSet, MetricUse, TaskSpec
from leaderboard.demo import synthetic
from scoring.core.engine import score


def a_task(labels: tuple[str, ...], test_size: int = 4000) -> TaskSpec:
    return TaskSpec(
        id="mood",
        code="MOO",
        title="Mood",
        summary="",
        instructions="",
        licence="",
        citation="",
        test_size=test_size,
        output=LabelSet(labels),
        file=FileFormat("data/mood/predictions.csv", "ID", "Label"),
        metrics=(MetricUse("f1_macro", "F1 macro"),),
    )


def f1_macro(task: TaskSpec, gold: synthetic.Codes, predictions: synthetic.Codes) -> float:
    report = score(task.output, ["f1_macro"], gold.astype(np.uint16), predictions.astype(np.uint16))
    value = report.values[0].value
    assert value is not None
    return value


def test_gold_holds_every_label_of_the_task():
    task = a_task(tuple(f"label {number}" for number in range(77)), test_size=150)

    gold = synthetic.make_gold(task, np.random.default_rng(1))

    assert len(gold) == 150
    assert set(gold) == set(range(77))


@pytest.mark.parametrize("wanted", [0.55, 0.7, 0.85, 1.0])
def test_predictions_reach_the_wanted_f1(wanted):
    task = a_task(("bad", "good"))
    generator = np.random.default_rng(2)
    gold = synthetic.make_gold(task, generator)

    predictions = synthetic.make_predictions(gold, label_count=2, f1_macro=wanted, generator=generator)

    assert f1_macro(task, gold, predictions) == pytest.approx(wanted, abs=0.03)


def test_predictions_cannot_be_worse_than_guesses():
    task = a_task(("a", "b", "c"))
    generator = np.random.default_rng(3)
    gold = synthetic.make_gold(task, generator)

    predictions = synthetic.make_predictions(gold, label_count=3, f1_macro=0.0, generator=generator)

    assert f1_macro(task, gold, predictions) == pytest.approx(1 / 3, abs=0.05)


def test_most_frequent_label_answers_every_item_alike():
    assert synthetic.most_frequent(np.array([1, 0, 1, 1])).tolist() == [1, 1, 1, 1]


def test_csv_counts_ids_on_from_the_training_examples_and_quotes_commas():
    task = a_task(("bad", "good, even"), test_size=2)

    assert synthetic.to_csv(task, np.array([0, 1])) == b'ID,Label\n50,bad\n51,"good, even"\n'
