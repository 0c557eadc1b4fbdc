"""Metrics that a definition writes with parameters: which labels, which beta, the mean of which metrics."""

from typing import Any

import numpy as np
import pytest
from scipy.stats import pearsonr, spearmanr
from sklearn.metrics import accuracy_score, f1_score, fbeta_score, precision_score, recall_score

from catalogue.answers import AnswerKind, Label, LabelSubset, Number
from catalogue.comparison import Comparison
from catalogue.metrics.choice import UnknownMetricError, metric_for
from scoring.core.uncertainty.paired import approximate_randomisation
from scoring.core.uncertainty.replicates import one_by_one, replicate_scores
from scoring.core.uncertainty.weights import item_weights

RELATIONS = Label(names=("Cause(e1,e2)", "Cause(e2,e1)", "Other", "Part"))
WITHOUT_OTHER = [0, 1, 3]


def answered(output: AnswerKind, count: int = 60, seed: int = 1) -> Comparison:
    random = np.random.default_rng(seed)
    gold, predicted = output.examples(count, random), output.examples(count, random)
    return Comparison(output, gold, np.where(random.random(count) < 0.5, gold, predicted))


def value(comparison: Comparison, name: str) -> float:
    found = metric_for(comparison.output, name).value(comparison)
    assert isinstance(found, float)
    return found


@pytest.mark.parametrize(
    ("measure", "function"), [("f1", f1_score), ("precision", precision_score), ("recall", recall_score)]
)
@pytest.mark.parametrize("average", ["micro", "macro"])
def test_a_label_may_be_left_out(measure, function, average):
    comparison = answered(RELATIONS)

    found = value(comparison, f"{measure}_{average}_excluding[Other]")

    wanted = function(
        comparison.y_true, comparison.y_pred, average=average, labels=WITHOUT_OTHER, zero_division=0
    )
    assert found == pytest.approx(wanted, abs=1e-12)


def test_labels_with_commas_may_stand_between_brackets():
    comparison = answered(RELATIONS)

    left_out = value(comparison, "f1_micro_excluding[Cause(e1,e2),Other,Part]")

    assert left_out == pytest.approx(value(comparison, "f1_Cause(e2,e1)"))
    assert left_out == pytest.approx(value(comparison, "f1_micro[Cause(e2,e1)]"))


def test_f_beta_weighs_recall_by_its_beta():
    comparison = answered(RELATIONS)

    for beta in (0.5, 2.0):
        wanted = fbeta_score(comparison.y_true, comparison.y_pred, beta=beta, labels=[3], average="macro")
        assert value(comparison, f"f_beta[{beta:g},Part]") == pytest.approx(wanted, abs=1e-12)


def test_metrics_of_one_task_are_averaged():
    comparison = answered(RELATIONS)
    wanted = (
        f1_score(comparison.y_true, comparison.y_pred, average="macro")
        + accuracy_score(comparison.y_true, comparison.y_pred)
    ) / 2

    assert value(comparison, "mean[f1_macro,accuracy]") == pytest.approx(wanted, abs=1e-12)
    numbers = answered(Number(low=0, high=5))
    both = pearsonr(numbers.y_true, numbers.y_pred)[0] + spearmanr(numbers.y_true, numbers.y_pred)[0]
    assert value(numbers, "mean[pearson,spearman]") == pytest.approx(both / 2, abs=1e-12)


WRITTEN = [
    (RELATIONS, "f1_micro_excluding[Other]"),
    (RELATIONS, "precision_micro_excluding[Other,Part]"),
    (RELATIONS, "recall_macro[Other,Part]"),
    (RELATIONS, "f_beta[0.5,Part]"),
    (RELATIONS, "mean[f1_macro,accuracy]"),
    (RELATIONS, "mean[mcc,f1_macro[Other,Part]]"),
    (LabelSubset(names=("joy", "fear", "none")), "f1_micro_excluding[none]"),
    (LabelSubset(names=("joy", "fear", "none")), "mean[f1_macro,exact_match]"),
    (Number(low=0, high=5), "mean[pearson,spearman]"),
    (Number(low=0, high=5), "mean[mae,rmse]"),
]


@pytest.mark.parametrize(("output", "name"), WRITTEN, ids=[name for _, name in WRITTEN])
def test_every_way_to_write_one_can_be_resampled_and_tested(output, name):
    """At once as one by one; of few items some resamples lack a label."""
    for count in (3, 40):
        comparison, weights = answered(output, count), item_weights(b"w", count, 8)
        wanted = one_by_one(metric_for(output, name), comparison, weights)

        found = replicate_scores(comparison, [name], weights)[name]

        assert found.tolist() == pytest.approx(wanted.tolist(), abs=1e-9, nan_ok=True)
    other = Comparison(output, comparison.y_true, comparison.y_true)
    p_value = approximate_randomisation(other, comparison, name, rng=np.random.default_rng(1))
    assert p_value is not None
    assert p_value < 0.05


@pytest.mark.parametrize(
    ("output", "name"),
    [
        (RELATIONS, "f1_micro_excluding[Cause(e1]"),
        (RELATIONS, "f1_micro_excluding[Other,Other]"),
        (RELATIONS, "f1_macro_excluding[Cause(e1,e2),Cause(e2,e1),Other,Part]"),
        (RELATIONS, "f_beta[Other]"),
        (RELATIONS, "f_beta[0,Other]"),
        (RELATIONS, "f_beta[nan,Other]"),
        (Label(names=("long " * 10, "b", "c")), f"f1_micro_excluding[{'long ' * 10}]"),
        (RELATIONS, "mean[accuracy]"),
        (RELATIONS, "mean[accuracy,accuracy]"),
        (RELATIONS, "mean[accuracy,zzz]"),
        (RELATIONS, "mean[accuracy,mean[mcc,kappa]]"),
        (Number(low=0, high=1), "mean[pearson,rmse]"),
        (Number(low=0, high=1), "f1_micro_excluding[a]"),
    ],
)
def test_what_names_no_metric_is_refused(output: Any, name: str):
    with pytest.raises(UnknownMetricError):
        metric_for(output, name)
