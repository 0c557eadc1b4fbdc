"""Accuracy of the likeliest labels: what scikit-learn says, of all items and of the items of resamples."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import top_k_accuracy_score

from catalogue.answers import Label, Probabilities
from catalogue.answers.arrays import as_rows
from catalogue.comparison import Comparison
from catalogue.metrics.choice import UnknownMetricError, metric_for
from scoring.core.uncertainty.replicates import replicate_scores
from scoring.core.uncertainty.weights import item_weights
from tests.catalogue.answer_facts import label_names


@given(seed=st.integers(0, 2**32 - 1), label_count=st.integers(3, 8), size=st.integers(1, 40))
def test_it_is_what_scikit_learn_says_also_where_probabilities_are_equal(seed, label_count, size):
    random = np.random.default_rng(seed)
    table = random.multinomial(10, np.ones(label_count) / label_count, size) / 10
    gold = random.integers(label_count, size=size).astype(np.uint8)
    kind, count = Probabilities(label_names(label_count)), int(random.integers(2, label_count))
    compared = Comparison(kind, gold, as_rows(table))
    weights = item_weights(seed.to_bytes(4), size, 3)
    name = f"top_{count}_accuracy"

    found = replicate_scores(compared, [name], weights)[name]

    def official(items: np.ndarray) -> float:
        return float(top_k_accuracy_score(gold[items], table[items], k=count, labels=np.arange(label_count)))

    assert metric_for(kind, name).value(compared) == pytest.approx(official(np.arange(size)), abs=1e-12)
    assert found == pytest.approx(
        [official(np.repeat(np.arange(size), drawn)) for drawn in weights], abs=1e-12
    )


@pytest.mark.parametrize("name", ["top_1_accuracy", "top_3_accuracy", "top_02_accuracy", "top_k_accuracy"])
def test_one_label_and_all_labels_are_no_choice(name):
    with pytest.raises(UnknownMetricError, match="top_<labels>_accuracy"):
        metric_for(Probabilities(("a", "b", "c")), name)


def test_labels_without_probabilities_have_no_likeliest():
    with pytest.raises(UnknownMetricError, match="There is no metric `top_2_accuracy`"):
        metric_for(Label(("a", "b", "c")), "top_2_accuracy")
