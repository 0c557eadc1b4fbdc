"""Metrics of exactly one label per item: by hand, against scikit-learn, and what must not change them."""

from functools import partial
from itertools import chain

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import precision_recall_fscore_support

from catalogue.answers import Label
from scoring.core import score

METRICS = [
    "accuracy", "f1_macro", "f1_macro_declared", "f1_micro", "f1_weighted", "precision_macro", "recall_macro"
]  # fmt: skip


def label_set(count: int) -> Label:
    return Label(names=tuple(f"label {code}" for code in range(count)))


def values(output: Label, y_true: list[int], y_pred: list[int]) -> dict[str, float | None]:
    """Every metric there is for this label set, by name."""
    names = [*METRICS, *(f"f1_{label}" for label in output.names)]
    to_codes = partial(np.array, dtype=np.uint16)
    report = score(output, names, to_codes(y_true), to_codes(y_pred))
    return {value.metric: value.value for value in report.values}


@st.composite
def comparisons(draw: st.DrawFn) -> tuple[Label, list[int], list[int]]:
    """Declared labels and aligned codes; with few items some labels are missing from one side or both."""
    count = draw(st.sampled_from([1, 2, 3, 5, 77, 300]))
    code = st.integers(0, count - 1)
    pairs = draw(st.lists(st.tuples(code, code), min_size=1, max_size=40))
    y_true, y_pred = zip(*pairs, strict=True)
    return label_set(count), list(y_true), list(y_pred)


@given(comparisons())
def test_metrics_of_a_label_equal_scikit_learn_where_it_is_seen_and_are_undefined_elsewhere(comparison):
    output, y_true, y_pred = comparison
    theirs = precision_recall_fscore_support(y_true, y_pred, labels=range(len(output.names)), zero_division=0)
    names = [[f"{part}_{label}" for label in output.names] for part in ("precision", "recall", "f1")]
    to_codes = partial(np.array, dtype=np.uint16)

    report = score(output, [*chain(*names)], to_codes(y_true), to_codes(y_pred))

    for part, values_of_part in zip(names, theirs[:3], strict=True):
        for code, name in enumerate(part):
            is_seen = code in y_true or code in y_pred
            assert report[name].value == (pytest.approx(values_of_part[code], abs=1e-12) if is_seen else None)


@given(comparisons(), st.randoms(use_true_random=False))
def test_metrics_do_not_depend_on_the_order_of_items(comparison, random):
    output, y_true, y_pred = comparison
    order = list(range(len(y_true)))
    random.shuffle(order)

    shuffled = values(output, [y_true[item] for item in order], [y_pred[item] for item in order])

    assert shuffled == values(output, y_true, y_pred)


@given(comparisons(), st.randoms(use_true_random=False))
def test_metrics_do_not_depend_on_the_order_of_declared_labels(comparison, random):
    output, y_true, y_pred = comparison
    new_code = list(range(len(output.names)))
    random.shuffle(new_code)
    names = [""] * len(new_code)
    for old, new in enumerate(new_code):
        names[new] = output.names[old]

    renamed = values(
        Label(names=tuple(names)), [new_code[code] for code in y_true], [new_code[code] for code in y_pred]
    )

    assert renamed == values(output, y_true, y_pred)


@given(comparisons())
def test_gold_labels_as_predictions_score_one(comparison):
    output, y_true, _ = comparison

    found = values(output, y_true, y_true)

    share_seen = len(set(y_true)) / len(output.names)
    assert found.pop("f1_macro_declared") == pytest.approx(share_seen, abs=1e-12)
    assert {value for value in found.values() if value is not None} == {1.0}


# Gold a a a a b b c; predicted a a a b b d a, with e declared and never used. By hand:
#   a: 3 right, 4 predicted, 4 gold → P 3/4, R 3/4, F1 3/4     b: 1 right, 2, 2 → 1/2, 1/2, 1/2
#   c: 0 right, 0 predicted, 1 gold → 0                        d: 0 right, 1 predicted, 0 gold → 0
BY_HAND = {
    "accuracy": 4 / 7,
    "f1_macro": (3 / 4 + 1 / 2) / 4,
    "f1_macro_declared": (3 / 4 + 1 / 2) / 5,
    "f1_micro": 4 / 7,
    "f1_weighted": (4 * 3 / 4 + 2 * 1 / 2) / 7,
    "precision_macro": (3 / 4 + 1 / 2) / 4,
    "recall_macro": (3 / 4 + 1 / 2) / 4,
    "f1_a": 3 / 4,
    "f1_b": 1 / 2,
    "f1_c": 0.0,
    "f1_d": 0.0,
    "f1_e": None,
}


def test_metrics_equal_the_table_computed_by_hand():
    found = values(Label(names=tuple("abcde")), [0, 0, 0, 0, 1, 1, 2], [0, 0, 0, 1, 1, 3, 0])

    assert found == pytest.approx(BY_HAND, abs=1e-15)


def test_precision_and_recall_differ_where_one_label_takes_all_predictions():
    found = values(Label(names=("no", "yes")), [0, 0, 0, 1], [0, 0, 0, 0])

    assert found["precision_macro"] == (3 / 4 + 0) / 2
    assert found["recall_macro"] == (1 + 0) / 2


def test_macro_f1_is_lowered_by_predicting_a_label_that_the_gold_labels_lack():
    output = Label(names=("no", "yes", "maybe"))

    within = values(output, [0, 0, 1, 1], [0, 0, 1, 0])["f1_macro"]
    beyond = values(output, [0, 0, 1, 1], [0, 0, 1, 2])["f1_macro"]

    assert within == pytest.approx((4 / 5 + 2 / 3) / 2)
    assert beyond == pytest.approx((1 + 2 / 3 + 0) / 3)
