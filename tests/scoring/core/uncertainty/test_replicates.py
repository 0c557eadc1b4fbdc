"""Every metric in every resample is what scikit-learn or scipy says of the items drawn, one by one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catalogue.answers import Label, Number
from catalogue.comparison import Comparison
from catalogue.metrics.choice import metrics_for
from scoring.core.uncertainty.replicates import Resamples, replicate_scores
from scoring.core.uncertainty.weights import item_weights
from tests.at_length import examples
from tests.catalogue.answer_facts import CASES, EACH_KIND
from tests.catalogue.metrics.oracles import ORACLES, Case


def drawn(case: Case, weights: np.ndarray) -> Case:
    """The items of one resample, each as often as it was drawn."""
    return Case(case.output, np.repeat(case.y_true, weights), np.repeat(case.y_pred, weights))


@EACH_KIND
@settings(max_examples=examples(20))
@given(data=st.data())
def test_replicates_equal_the_oracles_of_the_drawn_items(kind, data):
    case = data.draw(CASES[kind])
    weights = item_weights(data.draw(st.binary(min_size=1, max_size=4)), len(case.y_true), 4)

    found = replicate_scores(
        Comparison(case.output, case.y_true, case.y_pred),
        [metric.name for metric in metrics_for(type(case.output))],
        weights,
    )

    for name, oracle in ORACLES[kind].items():
        wanted = [oracle(drawn(case, row)) for row in weights]
        assert found[name].tolist() == pytest.approx(
            [np.nan if value is None else value for value in wanted], rel=1e-9, abs=1e-9, nan_ok=True
        ), name


def test_metrics_of_one_label_are_undefined_where_a_resample_lacks_it():
    output = Label(names=("no", "yes"))
    codes = np.array([0, 1], dtype=np.uint8)
    weights = np.array([[2, 0], [1, 1]], dtype=np.uint8)

    found = replicate_scores(
        Comparison(output, codes, codes), ["f1_yes", "precision_no", "recall_yes"], weights
    )

    assert found["f1_yes"].tolist() == pytest.approx([np.nan, 1.0], nan_ok=True)
    assert found["precision_no"].tolist() == [1.0, 1.0]
    assert found["recall_yes"].tolist() == pytest.approx([np.nan, 1.0], nan_ok=True)


def test_the_same_resamples_serve_gold_labels_that_change():
    output = Label(names=("a", "b", "c"))
    random = np.random.default_rng(1)
    one, other, predicted = random.integers(3, size=(3, 40)).astype(np.uint8)
    weights = item_weights(b"shared", 40, 5)
    shared = Resamples(weights)
    replicate_scores(Comparison(output, one, predicted), ["f1_macro"], shared)

    found = replicate_scores(Comparison(output, other, predicted), ["f1_macro"], shared)

    alone = replicate_scores(Comparison(output, other, predicted), ["f1_macro"], weights)
    assert found["f1_macro"].tolist() == alone["f1_macro"].tolist()


def test_counts_beyond_short_integers_do_not_overflow():
    output = Label(names=("a", "b", "c"))
    codes = np.zeros(40_000, dtype=np.uint8)

    found = replicate_scores(
        Comparison(output, codes, codes), ["accuracy", "f1_macro"], item_weights(b"", 40_000, 2)
    )

    assert found["accuracy"].tolist() == [1.0, 1.0]
    assert found["f1_macro"].tolist() == [1.0, 1.0]


def test_a_metric_of_a_stratum_is_resampled_with_the_items_of_the_stratum():
    random = np.random.default_rng(2)
    gold, predicted = random.random((2, 60))
    weights = item_weights(b"stratum", 60, 6)
    high = gold >= 0.5

    whole = replicate_scores(
        Comparison(Number(0, 1), gold, predicted), ["pearson_gold_ge_0.5", "spearman_gold_ge_0.5"], weights
    )

    part = replicate_scores(
        Comparison(Number(0, 1), gold[high], predicted[high]), ["pearson", "spearman"], weights[:, high]
    )
    assert whole["pearson_gold_ge_0.5"] == pytest.approx(part["pearson"])
    assert whole["spearman_gold_ge_0.5"] == pytest.approx(part["spearman"])


def test_resamples_serve_the_same_gold_labels_when_there_is_another_to_choose_from():
    gold, answers = np.array([0, 1, 1, 0], dtype=np.uint8), np.array([0, 1, 0, 0], dtype=np.uint8)
    kept = Resamples(item_weights(b"kept", len(gold), 4))
    for names in (("no", "yes"), ("no", "yes", "neither")):
        comparison = Comparison(Label(names=names), gold, answers)
        anew = replicate_scores(comparison, ["f1_macro"], item_weights(b"kept", len(gold), 4))

        assert (
            replicate_scores(comparison, ["f1_macro"], kept)["f1_macro"].tolist() == anew["f1_macro"].tolist()
        )
