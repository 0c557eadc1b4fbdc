"""Metrics of exactly one label per item: by hand, against scikit-learn, and what must not change them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, f1_score, precision_score, recall_score

from benchmarks.spec.outputs import LabelSet
from scoring.core import LabelKind, metric, names_for, score

Oracle = Callable[[list[int], list[int], int], float]


def _macro_declared(y_true: list[int], y_pred: list[int], label_count: int) -> float:
    return float(f1_score(y_true, y_pred, labels=range(label_count), average="macro", zero_division=0))


def _averaged(function: Callable[..., float], average: str) -> Oracle:
    return lambda y_true, y_pred, _: function(y_true, y_pred, average=average, zero_division=0)


# Every registered metric needs its oracle here; a new one without fails the test below.
ORACLES: dict[str, Oracle] = {
    "accuracy": lambda y_true, y_pred, _: accuracy_score(y_true, y_pred),
    "f1_macro": _averaged(f1_score, "macro"),
    "f1_macro_declared": _macro_declared,
    "f1_micro": _averaged(f1_score, "micro"),
    "f1_weighted": _averaged(f1_score, "weighted"),
    "precision_macro": _averaged(precision_score, "macro"),
    "recall_macro": _averaged(recall_score, "macro"),
}


def label_set(count: int) -> LabelSet:
    return LabelSet(names=tuple(f"label {code}" for code in range(count)))


def values(output: LabelSet, y_true: list[int], y_pred: list[int]) -> dict[str, float | None]:
    """Every metric there is for this label set, by name."""
    names = [*ORACLES, *(f"f1_{label}" for label in output.names)]
    to_codes = partial(np.array, dtype=np.uint16)
    report = score(output, names, to_codes(y_true), to_codes(y_pred))
    return {value.metric: value.value for value in report.values}


@st.composite
def comparisons(draw: st.DrawFn) -> tuple[LabelSet, list[int], list[int]]:
    """Declared labels and aligned codes; with few items some labels are missing from one side or both."""
    count = draw(st.sampled_from([1, 2, 3, 5, 77, 300]))
    code = st.integers(0, count - 1)
    pairs = draw(st.lists(st.tuples(code, code), min_size=1, max_size=40))
    y_true, y_pred = zip(*pairs, strict=True)
    return label_set(count), list(y_true), list(y_pred)


def test_registry_has_an_oracle_for_every_metric_that_needs_no_certain_label():
    names = names_for(LabelKind.ONE_OF_SET)

    assert {name for name in names if not metric(name).labels} == set(ORACLES)


@settings(deadline=None)
@given(comparisons())
def test_metrics_equal_scikit_learn(comparison):
    output, y_true, y_pred = comparison

    ours = values(output, y_true, y_pred)

    for name, oracle in ORACLES.items():
        assert ours[name] == pytest.approx(oracle(y_true, y_pred, len(output.names)), abs=1e-12), name


@settings(deadline=None)
@given(comparisons())
def test_label_f1_equals_scikit_learn_where_the_label_is_seen_and_is_undefined_elsewhere(comparison):
    output, y_true, y_pred = comparison
    theirs = f1_score(y_true, y_pred, labels=range(len(output.names)), average=None, zero_division=0)

    ours = values(output, y_true, y_pred)

    for code, label in enumerate(output.names):
        if code in y_true or code in y_pred:
            assert ours[f"f1_{label}"] == pytest.approx(theirs[code], abs=1e-12)
        else:
            assert ours[f"f1_{label}"] is None


@settings(deadline=None)
@given(comparisons(), st.randoms(use_true_random=False))
def test_metrics_do_not_depend_on_the_order_of_items(comparison, random):
    output, y_true, y_pred = comparison
    order = list(range(len(y_true)))
    random.shuffle(order)

    shuffled = values(output, [y_true[item] for item in order], [y_pred[item] for item in order])

    assert shuffled == values(output, y_true, y_pred)


@settings(deadline=None)
@given(comparisons(), st.randoms(use_true_random=False))
def test_metrics_do_not_depend_on_the_order_of_declared_labels(comparison, random):
    output, y_true, y_pred = comparison
    new_code = list(range(len(output.names)))
    random.shuffle(new_code)
    names = [""] * len(new_code)
    for old, new in enumerate(new_code):
        names[new] = output.names[old]

    renamed = values(
        LabelSet(names=tuple(names)), [new_code[code] for code in y_true], [new_code[code] for code in y_pred]
    )

    assert renamed == values(output, y_true, y_pred)


@settings(deadline=None)
@given(comparisons())
def test_metrics_stay_in_their_declared_range(comparison):
    found = values(*comparison)

    for name in ORACLES:
        value = found[name]
        assert value is not None
        assert metric(name).low <= value <= metric(name).high


@settings(deadline=None)
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
    found = values(LabelSet(names=tuple("abcde")), [0, 0, 0, 0, 1, 1, 2], [0, 0, 0, 1, 1, 3, 0])

    assert found == pytest.approx(BY_HAND, abs=1e-15)


def test_precision_and_recall_differ_where_one_label_takes_all_predictions():
    found = values(LabelSet(names=("no", "yes")), [0, 0, 0, 1], [0, 0, 0, 0])

    assert found["precision_macro"] == (3 / 4 + 0) / 2
    assert found["recall_macro"] == (1 + 0) / 2


def test_macro_f1_is_lowered_by_predicting_a_label_that_the_gold_labels_lack():
    output = LabelSet(names=("no", "yes", "maybe"))

    within = values(output, [0, 0, 1, 1], [0, 0, 1, 0])["f1_macro"]
    beyond = values(output, [0, 0, 1, 1], [0, 0, 1, 2])["f1_macro"]

    assert within == pytest.approx((4 / 5 + 2 / 3) / 2)
    assert beyond == pytest.approx((1 + 2 / 3 + 0) / 3)
