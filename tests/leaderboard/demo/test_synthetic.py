"""Made-up answers: as hard, as uneven and as repeatable as they claim to be."""

import numpy as np
import pytest

from catalogue.answers import Label, LabelSubset, Number, OrderedClass
from demo.material.answers import make_gold, make_predictions
from scoring.core.engine import score

LABELS = Label(("bad", "good", "unknown"), never_right=("unknown",))
KINDS = [
    (LABELS, "f1_macro"),
    (OrderedClass(-3, 3), "pearson"),
    (Number(0, 1), "pearson"),
    (LabelSubset(("anger", "fear", "joy", "love")), "jaccard"),
]


def value_of(output, metric, gold, predictions) -> float:
    value = score(output, [metric], gold, predictions).values[0].value
    assert value is not None
    return value


def test_gold_holds_every_label_that_can_be_right():
    output = Label(tuple(f"label {number}" for number in range(77)), never_right=("label 5",))

    gold = make_gold(output, 150, np.random.default_rng(1))

    assert len(gold) == 150
    assert set(gold.tolist()) == set(range(77)) - {5}


@pytest.mark.parametrize(("output", "metric"), KINDS)
@pytest.mark.parametrize("wanted", [0.6, 0.75, 0.9])
def test_predictions_reach_the_wanted_score(output, metric, wanted):
    generator = np.random.default_rng(2)
    gold = make_gold(output, 4000, generator)

    predictions = make_predictions(output, gold, wanted=wanted, generator=generator)

    assert value_of(output, metric, gold, predictions) == pytest.approx(wanted, abs=0.05)


@pytest.mark.parametrize(("output", "metric"), KINDS)
def test_predictions_that_are_to_be_perfect_are_the_gold_labels(output, metric):
    generator = np.random.default_rng(3)
    gold = make_gold(output, 300, generator)

    predictions = make_predictions(output, gold, wanted=1.0, generator=generator)

    assert predictions.tolist() == gold.tolist()


@pytest.mark.parametrize(("output", "metric"), KINDS)
def test_answers_lie_in_the_range_of_the_task(output, metric):
    generator = np.random.default_rng(4)
    gold = make_gold(output, 2000, generator)

    predictions = make_predictions(output, gold, wanted=0.3, generator=generator)

    low, high = (output.low, output.high) if hasattr(output, "low") else (0, 2 ** len(output.names) - 1)
    assert low <= gold.min() <= gold.max() <= high
    assert low <= predictions.min() <= predictions.max() <= high


def test_predictions_cannot_be_worse_than_guesses():
    output = Label(("a", "b", "c"))
    generator = np.random.default_rng(5)
    gold = make_gold(output, 4000, generator)

    predictions = make_predictions(output, gold, wanted=0.0, generator=generator)

    assert value_of(output, "f1_macro", gold, predictions) == pytest.approx(1 / 3, abs=0.05)


def test_same_generator_makes_the_same_answers():
    made = [make_gold(Number(0, 1), 50, np.random.default_rng(6)).tolist() for _ in range(2)]

    assert made[0] == made[1]
