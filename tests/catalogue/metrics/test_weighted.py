"""Items that count more or less by a column of the gold file, against scikit-learn's `sample_weight`."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, f1_score, mean_absolute_error, root_mean_squared_error

from catalogue.answers import Label, Number
from catalogue.answers.declared_metric import DeclaredMetric
from catalogue.comparison import Comparison
from catalogue.item_groups import ItemGroups, groups_at
from catalogue.metrics.choice import UnknownMetricError, metric_for
from catalogue.metrics.metric import Undefined
from scoring.core.figure_bits import PublishedFigure
from scoring.core.ledger import Ledger
from scoring.core.uncertainty.replicates import replicate_scores
from scoring.core.uncertainty.weights import item_weights
from scoring.file_refusal import FileRefused
from tests.scoring.test_shared_task_shapes import benchmark, scores

F1 = DeclaredMetric("f1_of_yes", "ratio(2 * right[yes], predicted[yes] + gold[yes])", True, 0, 1)
LABELS = Label(("no", "yes"), groups=("cost",), formulas=(F1,))
NUMBERS = Number(0, 5, groups=("cost",))
COUNT = 60


def weighed(kind, count=COUNT):
    """Answers of which half are right, and weights from 0 to 3 with two decimals."""
    random = np.random.default_rng(4)
    gold, found = kind.examples(count, random), kind.examples(count, random)
    weights = np.round(random.uniform(0, 3, count), 2)
    weights[:3] = 0, 0.01, 3
    columns = {"cost": ItemGroups.of_cells([f"{weight:g}" for weight in weights.tolist()])}
    return Comparison(kind, gold, found, groups=columns), weights


@pytest.mark.parametrize(
    ("kind", "name", "oracle"),
    [
        (LABELS, "accuracy", accuracy_score),
        (LABELS, "f1_of_yes", f1_score),
        (NUMBERS, "mae", mean_absolute_error),
        (NUMBERS, "rmse", root_mean_squared_error),
    ],
)
def test_weights_count_as_sample_weights_do(kind, name, oracle):
    comparison, weights = weighed(kind)

    found = metric_for(kind, f"weighted[{name},cost]").value(comparison)

    assert found == pytest.approx(
        oracle(comparison.y_true, comparison.y_pred, sample_weight=weights), abs=1e-12
    )


@pytest.mark.parametrize(("kind", "name"), [(LABELS, "accuracy"), (LABELS, "f1_of_yes"), (NUMBERS, "rmse")])
def test_a_resample_has_the_weights_of_the_items_that_it_drew(kind, name):
    comparison, _ = weighed(kind)
    drawn = item_weights(b"weights", COUNT, 8)
    metric = metric_for(kind, f"weighted[{name},cost]")

    found = replicate_scores(comparison, [metric.name], drawn)[metric.name]

    for value, times in zip(found, drawn, strict=True):
        items = np.repeat(np.arange(COUNT), times)
        of_drawn = Comparison(
            kind,
            comparison.y_true[items],
            comparison.y_pred[items],
            groups=groups_at(comparison.groups, items),
        )
        assert value == pytest.approx(metric.value(of_drawn), abs=1e-12)


def test_weights_that_are_all_the_same_change_nothing():
    comparison, _ = weighed(LABELS)
    alike = Comparison(
        LABELS, comparison.y_true, comparison.y_pred, groups={"cost": ItemGroups.of_cells(["2.5"] * COUNT)}
    )

    found, plain = (metric_for(LABELS, name).value(alike) for name in ("weighted[accuracy,cost]", "accuracy"))

    assert found == pytest.approx(plain, abs=1e-12)


def test_without_weights_there_is_no_score():
    comparison, _ = weighed(LABELS)
    bare = Comparison(LABELS, comparison.y_true, comparison.y_pred)

    assert metric_for(LABELS, "weighted[accuracy,cost]").value(bare) == Undefined("no_weights")


@pytest.mark.parametrize(
    "name", ["weighted[f1_macro,cost]", "weighted[accuracy,price]", "weighted[mcc,cost]"]
)
def test_what_has_no_weighted_form_or_no_weights_is_no_metric(name):
    with pytest.raises(UnknownMetricError, match="weighted"):
        metric_for(LABELS, name)


def test_items_that_all_answer_alike_are_not_alike_for_the_ledger():
    """Of two items with other weights a weighted accuracy says which one is right, where accuracy says one is."""
    answers = np.zeros(40, dtype=np.uint8)
    plain, of_weights = (
        Ledger(replace(LABELS, formulas=()), 40, [PublishedFigure(name, None)])
        for name in ("accuracy", "weighted[accuracy,cost]")
    )

    assert plain.add(answers).carried < 6
    assert of_weights.add(answers).carried == 40


COLUMNS = {
    "labels": ["no", "yes"],
    "file": {"path": "a.csv", "id_column": "id", "label_column": "label"},
    "gold_file": {
        "path": "gold.csv",
        "columns": ["id", "cost", "label"],
        "id_column": "id",
        "label_column": "label",
        "group_columns": ["cost"],
    },
}


def gold(*costs):
    return "id,cost,label\n" + "".join(f"{at},{cost},yes\n" for at, cost in enumerate(costs))


def test_more_weights_than_there_can_be_groups_are_read():
    costs = [f"{at / 1000:g}" for at in range(2500)]
    answers = "id,label\n" + "".join(f"{at},{'yes' if at < 1250 else 'no'}\n" for at in range(2500))

    (found,) = scores(benchmark(["weighted[accuracy,cost]"], **COLUMNS), gold(*costs), answers)

    assert found == pytest.approx(sum(range(1250)) / sum(range(2500)), abs=1e-12)


@pytest.mark.parametrize(
    ("costs", "told"),
    [
        (["1", "", "2"], "at 1 of 3 items; found an empty cell"),
        (["1", "high", "2"], "“high”"),
        (["1", '"0,5"', "2"], "“0,5”"),
        (["1", "-1", "2"], "“-1”"),
        (["1", "nan", "2"], "“nan”"),
        (["0", "0.0", "0"], "is 0 everywhere"),
    ],
)
def test_what_is_no_weight_is_told_before_labels_are_loaded(costs, told):
    with pytest.raises(FileRefused, match=told):
        scores(
            benchmark(["weighted[accuracy,cost]"], **COLUMNS), gold(*costs), "id,label\n0,no\n1,no\n2,no\n"
        )
