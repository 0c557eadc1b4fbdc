"""Several systems resampled at once have to the last bit what each of them has by itself."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from catalogue.answers import Label
from catalogue.comparison import Comparison
from catalogue.metrics.choice import metric_for, metrics_for
from scoring.core.uncertainty.intervals import Interval, interval, intervals
from scoring.core.uncertainty.replicates import Resamples, replicate_scores, replicate_scores_together
from scoring.core.uncertainty.smoothing import calibrated, calibrated_together
from scoring.core.uncertainty.weights import item_weights
from tests.catalogue.answer_facts import CASES, EACH_KIND

OF_LABELS = ["accuracy", "f1_macro", "f1_macro_declared", "f1_weighted", "recall_macro", "f1_label 0"]


def labels(count: int) -> Label:
    return Label(names=tuple(f"label {number}" for number in range(count)), never_right=("label 1",))


def systems(output: Label, shares_right: list[float], items: int = 60) -> list[Comparison]:
    """Systems that answer such shares of the items right, and the rest anyhow."""
    random = np.random.default_rng(len(output.names))
    size = len(output.names)
    gold = random.integers(size, size=items).astype(np.uint8)
    guesses = random.integers(size, size=(len(shares_right), items)).astype(np.uint8)
    return [
        Comparison(output, gold, np.where(random.random(items) < share, gold, guess))
        for share, guess in zip(shares_right, guesses, strict=True)
    ]


def assert_as_alone(comparisons: list[Comparison], names: list[str], weights: NDArray[Any]) -> None:
    found = replicate_scores_together(comparisons, names, Resamples(weights))

    assert set(found) == set(names)
    for at, one in enumerate(comparisons):
        for name, alone in replicate_scores(one, names, weights).items():
            assert found[name][at].tobytes() == alone.tobytes(), name


@pytest.mark.parametrize("label_count", [2, 3, 10, 11, 77])
def test_systems_good_and_bad_are_counted_as_each_by_itself(label_count):
    comparisons = systems(labels(label_count), [0.0, 0.3, 0.9, 1.0])

    assert_as_alone(comparisons, OF_LABELS, item_weights(b"together", 60, 30))


@pytest.mark.thorough
@EACH_KIND
@settings(max_examples=10)
@given(data=st.data())
def test_every_kind_of_answer_can_be_resampled_together(kind, data):
    case = data.draw(CASES[kind])
    comparisons = [
        Comparison(case.output, case.y_true, y_pred)
        for y_pred in (case.y_pred, np.roll(case.y_pred, 1), case.y_pred)
    ]

    names = [metric.name for metric in metrics_for(type(case.output))]
    assert_as_alone(comparisons, names, item_weights(b"kinds", len(case.y_true), 4))


def test_spread_and_intervals_are_those_of_each_by_itself():
    comparisons = systems(labels(4), [0.2, 0.5, 0.8], items=40)
    metric = metric_for(comparisons[0].output, "f1_macro")
    resamples = Resamples(item_weights(b"s", 40, 200))
    replicates = replicate_scores_together(comparisons, ["f1_macro"], resamples)
    rows = np.vstack([replicates["f1_macro"], np.full((2, 200), np.nan)])
    rows[1, :50] = np.nan  # some are undefined, in the last two rows all but one and all
    rows[3, 0] = 0.5
    comparisons += comparisons[:2]
    values = [0.2, 0.5, 0.8, 0.4, 0.4]

    spread = calibrated_together(comparisons, metric, values, rows, resamples.further)

    alone = [
        calibrated(one, metric, value, row, resamples.further)
        for one, value, row in zip(comparisons, values, rows, strict=True)
    ]
    assert spread.tobytes() == np.array(alone).tobytes()
    assert intervals(values, spread) == [interval(*pair) for pair in zip(values, spread, strict=True)]
    assert intervals(values, spread)[3:] == [Interval(0.0, 1.0)] * 2


def test_spread_does_not_depend_on_how_replicates_lie_in_memory():
    comparisons = systems(labels(4), [0.2, 0.5, 0.8], items=40)
    metric = metric_for(comparisons[0].output, "f1_macro")
    resamples = Resamples(item_weights(b"s", 40, 200))
    rows = replicate_scores_together(comparisons, ["f1_macro"], resamples)["f1_macro"]

    in_rows, in_columns = (
        calibrated_together(comparisons, metric, [0.2, 0.5, 0.8], order(rows), resamples.further)
        for order in (np.ascontiguousarray, np.asfortranarray)
    )

    assert in_rows.tobytes() == in_columns.tobytes()
