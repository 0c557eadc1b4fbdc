"""Scores after single items have changed: label by label they have the bits of all counts worked out anew."""

import numpy as np
import pytest

from catalogue.answers import Label
from catalogue.comparison import Comparison, LabelCounts
from catalogue.metrics.choice import metric_for
from catalogue.metrics.metric import AnyMetric
from catalogue.metrics.statistics import AlongCounts, MeanOfSeen
from scoring.core.uncertainty.changed_counts import after_each_change, without_each

OF_SEEN = pytest.mark.parametrize("name", ["f1_macro", "precision_macro", "recall_macro"])
OF_LABELS = pytest.mark.parametrize("label_count", [2, 3, 77])

CHANGES = ((-1, -1, 0), (0, 1, 0), (1, 1, 0), (0, -1, 0), (1, 1, 1))


def systems(label_count: int, count: int = 4, items: int = 90) -> list[Comparison]:
    """Systems from always right to hardly ever; some labels stand nowhere, and some in answers alone."""
    random = np.random.default_rng(label_count)
    output = Label(names=tuple(f"label {number}" for number in range(label_count)))
    gold = random.integers(max(1, label_count // 2), size=items).astype(np.uint8)
    guesses = random.integers(max(1, label_count - 1), size=(count, items)).astype(np.uint8)
    is_right = random.random((count, items)) < np.linspace(1, 0.1, count)[:, None]
    return [Comparison(output, gold, answers) for answers in np.where(is_right, gold, guesses)]


def forms(metric: AnyMetric) -> tuple[MeanOfSeen, AlongCounts[LabelCounts]]:
    """The form that looks at changed labels alone, and one that is given all counts."""
    assert isinstance(metric.resampled, MeanOfSeen)
    return metric.resampled, AlongCounts(metric.resampled.formula)


@OF_SEEN
@OF_LABELS
def test_a_change_of_one_label_has_the_bits_of_all_counts_worked_out_anew(name, label_count):
    comparisons = systems(label_count)
    counts = LabelCounts(*np.stack([one.counts for one in comparisons], axis=-1))

    fast, slow = (
        after_each_change(form, counts, [], CHANGES)
        for form in forms(metric_for(comparisons[0].output, name))
    )

    assert fast.shape == (len(comparisons), len(CHANGES), label_count)
    assert fast.tobytes() == slow.tobytes()


@OF_SEEN
@OF_LABELS
def test_an_item_left_out_has_the_bits_of_all_counts_worked_out_anew(name, label_count):
    for comparison in systems(label_count):
        cells = np.nonzero(comparison.matrix)
        fast, slow = (
            without_each(form, comparison.counts, [], *cells)
            for form in forms(metric_for(comparison.output, name))
        )
        assert fast.tobytes() == slow.tobytes()


@pytest.mark.parametrize("name", ["f1_macro", "f1_macro_declared"])
def test_an_item_left_out_is_the_metric_of_all_others(name):
    comparison = systems(5)[2]
    metric = metric_for(comparison.output, name)
    assert isinstance(metric.resampled, AlongCounts)
    gold, predicted = (codes.astype(np.intp) for codes in (comparison.y_true, comparison.y_pred))

    counts, *read = metric.statistic.collect(comparison)
    found = without_each(metric.resampled, counts, read, gold, predicted)

    others = [np.arange(len(gold)) != item for item in range(len(gold))]
    expected = [
        metric.value(Comparison(comparison.output, comparison.y_true[some], comparison.y_pred[some]))
        for some in others
    ]
    assert found == pytest.approx(expected, abs=1e-15)
