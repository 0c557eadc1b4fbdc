"""Resamples of the cells of a confusion matrix are resamples of its items."""

import numpy as np
import pytest

from catalogue.answers import Label, Number, OrderedClass
from catalogue.comparison import Comparison
from scoring.core.engine import score
from scoring.core.uncertainty.replicates import replicate_scores
from scoring.core.uncertainty.single_system import CellResamples, cell_scores, intervals_of
from scoring.core.uncertainty.weights import item_weights

METRICS = ("accuracy", "f1_macro", "f1_micro", "f1_weighted", "precision_macro", "recall_macro")


def labels(label_count: int, item_count: int = 600) -> Comparison:
    random = np.random.default_rng(label_count)
    gold, other = random.integers(label_count, size=(2, item_count))
    predicted = np.where(random.random(item_count) < 0.7, gold, other)
    output = Label(names=tuple(f"label {code}" for code in range(label_count)))
    return Comparison(output, gold.astype(np.uint8), predicted.astype(np.uint8))


@pytest.mark.parametrize("label_count", [2, 4, 40], ids=["2", "4", "40"])
def test_they_spread_as_resamples_of_items_do(label_count):
    comparison = labels(label_count)

    cells = cell_scores(comparison, METRICS, b"seed", 4_000)

    items = replicate_scores(comparison, METRICS, item_weights(b"seed", 600, 4_000))
    for name in METRICS:
        assert cells[name].mean() == pytest.approx(items[name].mean(), abs=0.002), name
        assert cells[name].std() == pytest.approx(items[name].std(), rel=0.08), name


@pytest.mark.parametrize("label_count", [3, 40], ids=["cells", "wrong answers"])
def test_every_resample_holds_as_many_items_as_there_are(label_count):
    drawn = CellResamples(labels(label_count), np.random.default_rng(1), 700).counts

    assert set(drawn.gold.sum(axis=0).tolist()) == {600}
    assert set(drawn.predicted.sum(axis=0).tolist()) == {600}
    assert (drawn.right <= np.minimum(drawn.gold, drawn.predicted)).all()


def test_the_same_seed_gives_the_same_numbers():
    comparison = labels(3)
    one, other = (cell_scores(comparison, ["f1_macro"], b"seed", 50)["f1_macro"] for _ in range(2))

    assert one.tolist() == other.tolist()
    assert one.tolist() != cell_scores(comparison, ["f1_macro"], b"sead", 50)["f1_macro"].tolist()


def test_a_metric_that_reads_items_is_left_to_weights_of_items():
    random = np.random.default_rng(2)
    gold, predicted = random.integers(4, size=(2, 80)).astype(np.int16)
    comparison = Comparison(OrderedClass(0, 3), gold, predicted)
    names = ["kappa_quadratic", "pearson"]

    assert set(cell_scores(comparison, names, b"seed", 20)) == {"kappa_quadratic"}
    report = score(comparison.output, names, gold, predicted)
    values = {one.metric: one.value for one in report.values if one.value is not None}
    assert set(intervals_of(comparison, values, b"seed")) == set(names)


def test_intervals_of_a_system_alone_lie_around_its_scores():
    gold, predicted = np.random.default_rng(3).random((2, 50))

    found = intervals_of(Comparison(Number(0, 1), gold, predicted), {"pearson": 0.1}, b"seed")

    assert found["pearson"].low < 0.1 < found["pearson"].high
