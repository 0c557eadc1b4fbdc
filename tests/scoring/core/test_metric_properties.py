"""What holds for every registered metric: an oracle's number, and what must not change it.

Each metric declares its oracle here, for each kind of label it takes; one without fails the first test.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import pearsonr, spearmanr
from sklearn.metrics import (
    accuracy_score,
    cohen_kappa_score,
    f1_score,
    jaccard_score,
    precision_score,
    recall_score,
    root_mean_squared_error,
)

from benchmarks.spec.outputs import (
    LABEL_WITH_CONFIDENCE,
    LabelSet,
    LabelSubset,
    LabelWithConfidence,
    Number,
    OrderedClasses,
    Output,
    Span,
)
from scoring.core import LabelKind, all_metrics, kind_of, metric, names_for, score


class Case(NamedTuple):
    output: Any
    y_true: np.ndarray
    y_pred: np.ndarray


Oracle = Callable[[Case], float | None]


def one_label(function: Callable[..., float], **options: Any) -> Oracle:
    """A scikit-learn function of label codes."""
    return lambda case: float(function(*codes(case), **options))


def codes(case: Case) -> tuple[np.ndarray, np.ndarray]:
    if isinstance(case.output, LabelWithConfidence):
        return case.y_true["label"], case.y_pred["label"]
    return case.y_true, case.y_pred


def accuracy_where_right_is_possible(case: Case) -> float:
    y_true, y_pred = codes(case)
    impossible = [case.output.names.index(label) for label in case.output.never_right]
    return float(
        accuracy_score(y_true, np.where(np.isin(y_true, impossible), len(case.output.names), y_pred))
    )


def f1_over(names: Callable[[Any], list[str]]) -> Oracle:
    def oracle(case: Case) -> float:
        labels = [case.output.names.index(name) for name in names(case.output)]
        return float(f1_score(*codes(case), labels=labels, average="macro", zero_division=0))

    return oracle


def declared(output: Any) -> list[str]:
    return [name for name in output.names if name not in output.never_right]


def fnc1_points(gold: np.ndarray, predicted: np.ndarray, names: tuple[str, ...]) -> float:
    """Row by row, as the challenge's rules are told."""
    points = 0.0
    for one, other in zip(gold, predicted, strict=True):
        stance, answer = names[one], names[other]
        if stance == answer:
            points += 0.25
            points += 0.5 if stance != "unrelated" else 0.0
        if stance != "unrelated" and answer != "unrelated":
            points += 0.25
    return points


def fnc1(case: Case) -> float:
    return fnc1_points(*codes(case), case.output.names)


def fnc1_relative(case: Case) -> float:
    y_true, _ = codes(case)
    return fnc1(case) / fnc1_points(y_true, y_true, case.output.names)


def rmse(case: Case) -> float:
    aims = [
        0.0 if case.output.names[gold] in case.output.never_right else float(gold == answer)
        for gold, answer in zip(*codes(case), strict=True)
    ]
    given_confidences = [
        confidence if aim or case.output.names[gold] in case.output.never_right else 1.0
        for aim, gold, confidence in zip(aims, case.y_true["label"], case.y_pred["confidence"], strict=True)
    ]
    return float(root_mean_squared_error(aims, given_confidences))


def indicators(case: Case) -> tuple[np.ndarray, np.ndarray]:
    bits = range(len(case.output.names))
    y_true, y_pred = (
        np.array([[int(mask) >> bit & 1 for bit in bits] for mask in masks])
        for masks in (case.y_true, case.y_pred)
    )
    return y_true, y_pred


def subsets(function: Callable[..., float], **options: Any) -> Oracle:
    return lambda case: float(function(*indicators(case), **options))


def f1_micro_of_subsets(case: Case) -> float | None:
    y_true, y_pred = indicators(case)
    if not y_true.any() and not y_pred.any():
        return None
    return float(f1_score(y_true, y_pred, average="micro", zero_division=0))


def correlation(function: Callable[..., Any], stratum: Callable[[np.ndarray], np.ndarray]) -> Oracle:
    def oracle(case: Case) -> float | None:
        chosen = stratum(case.y_true)
        gold, predicted = case.y_true[chosen].astype(float), case.y_pred[chosen].astype(float)
        if len(set(gold.tolist())) < 2:
            return None
        return float(function(gold, predicted)[0]) if len(set(predicted.tolist())) > 1 else 0.0

    return oracle


def everything(gold: np.ndarray) -> np.ndarray:
    return np.ones(len(gold), dtype=bool)


def kappa(stratum: Callable[[np.ndarray], np.ndarray]) -> Oracle:
    def oracle(case: Case) -> float | None:
        seen = sorted(set(case.y_true.tolist()))
        chosen = stratum(case.y_true)
        gold, predicted = case.y_true[chosen], case.y_pred[chosen]
        kept = np.isin(predicted, seen)
        if not len(gold):
            return None
        if not kept.any():
            return 0.0 if len(set(predicted.tolist())) == 1 else None
        if len({*gold[kept].tolist(), *predicted[kept].tolist()}) == 1:
            return None
        return float(cohen_kappa_score(gold, predicted, labels=seen, weights="quadratic"))

    return oracle


def exact_match(case: Case) -> float:
    pairs = zip(case.y_true.tolist(), case.y_pred.tolist(), strict=True)
    return float(np.mean([" ".join(gold.split()) == " ".join(found.split()) for gold, found in pairs]))


def token_f1(case: Case) -> float:
    """By precision and recall, which the metric does without."""
    scores = []
    for gold, found in zip(case.y_true.tolist(), case.y_pred.tolist(), strict=True):
        wanted, given_tokens = Counter(gold.split()), Counter(found.split())
        shared = sum(min(count, given_tokens[token]) for token, count in wanted.items())
        if not wanted or not given_tokens:
            scores.append(float(wanted == given_tokens))
        elif not shared:
            scores.append(0.0)
        else:
            precision, recall = shared / given_tokens.total(), shared / wanted.total()
            scores.append(2 * precision * recall / (precision + recall))
    return float(np.mean(scores))


ONE_LABEL: dict[str, Oracle] = {
    "accuracy": accuracy_where_right_is_possible,
    "f1_macro": one_label(f1_score, average="macro", zero_division=0),
    "f1_macro_declared": f1_over(declared),
    "f1_micro": one_label(f1_score, average="micro"),
    "f1_weighted": one_label(f1_score, average="weighted"),
    "precision_macro": one_label(precision_score, average="macro", zero_division=0),
    "recall_macro": one_label(recall_score, average="macro", zero_division=0),
    "f1_favor_against": f1_over(lambda output: ["FAVOR", "AGAINST"]),
    "fnc1": fnc1,
    "fnc1_relative": fnc1_relative,
}
CORRELATIONS: dict[str, Oracle] = {
    f"{name}{suffix}": correlation(function, stratum)
    for name, function in (("pearson", pearsonr), ("spearman", spearmanr))
    for suffix, stratum in (
        ("", everything),
        ("_gold_ge_0.5", lambda gold: gold >= 0.5),
        ("_some", lambda gold: gold != 0),
    )
}
ORACLES: dict[LabelKind, dict[str, Oracle]] = {
    LabelKind.ONE_OF_SET: ONE_LABEL,
    LabelKind.WITH_CONFIDENCE: ONE_LABEL | {"rmse": rmse},
    LabelKind.SUBSET: {
        "jaccard": subsets(jaccard_score, average="samples", zero_division=1.0),
        "f1_macro": subsets(f1_score, average="macro", zero_division=0),
        "f1_micro": f1_micro_of_subsets,
    },
    LabelKind.NUMBER: CORRELATIONS,
    LabelKind.ORDERED: CORRELATIONS
    | {"kappa_quadratic": kappa(everything), "kappa_quadratic_some": kappa(lambda gold: gold != 0)},
    LabelKind.SPAN: {"exact_match": exact_match, "token_f1": token_f1},
}
NOT_DEPENDING_ON_NAMES = {
    kind: set(names) - {"fnc1", "fnc1_relative", "f1_favor_against"}
    for kind, names in ORACLES.items()
    if kind in (LabelKind.ONE_OF_SET, LabelKind.WITH_CONFIDENCE, LabelKind.SUBSET)
}


def label_names(count: int) -> tuple[str, ...]:
    return ("unrelated", "FAVOR", "AGAINST", *(f"label {code}" for code in range(3, count)))[:count]


@st.composite
def answers(draw: st.DrawFn, of_gold: st.SearchStrategy[Any], of_system: st.SearchStrategy[Any]) -> list[Any]:
    """Aligned answers. Few items leave labels out on either side; some predictions are constant."""
    gold = draw(st.lists(of_gold, min_size=1, max_size=30))
    if draw(st.booleans()):
        return [gold, [draw(of_system)] * len(gold)]
    return [gold, draw(st.lists(of_system, min_size=len(gold), max_size=len(gold)))]


@st.composite
def label_sets(draw: st.DrawFn) -> Case:
    count = draw(st.sampled_from([3, 4, 77, 300]))
    never_right = label_names(count)[3:4] if draw(st.booleans()) else ()
    in_gold = st.integers(0, count - 1).filter(lambda code: not (never_right and code == 3))
    y_true, y_pred = draw(answers(in_gold, st.integers(0, count - 1)))
    to_codes = np.uint8 if count <= 256 else np.uint16
    output = LabelSet(names=label_names(count), never_right=never_right)
    return Case(output, np.array(y_true, dtype=to_codes), np.array(y_pred, dtype=to_codes))


@st.composite
def confidences(draw: st.DrawFn) -> Case:
    answer = st.tuples(st.integers(0, 3), st.floats(0, 1))
    output = LabelWithConfidence(names=label_names(4), never_right=draw(st.sampled_from([(), ("label 3",)])))
    y_true, y_pred = draw(answers(answer, answer))
    return Case(
        output, np.array(y_true, dtype=LABEL_WITH_CONFIDENCE), np.array(y_pred, dtype=LABEL_WITH_CONFIDENCE)
    )


@st.composite
def label_subsets(draw: st.DrawFn) -> Case:
    count = draw(st.sampled_from([2, 11, 64]))
    mask = st.integers(0, 2**count - 1) | st.just(0)
    y_true, y_pred = draw(answers(mask, mask))
    names = tuple(f"label {code}" for code in range(count))
    return Case(
        LabelSubset(names=names), np.array(y_true, dtype=np.uint64), np.array(y_pred, dtype=np.uint64)
    )


@st.composite
def numbers(draw: st.DrawFn) -> Case:
    number = st.integers(0, 1000).map(lambda thousandths: thousandths / 1000)
    y_true, y_pred = draw(answers(number, number))
    return Case(
        Number(low=0.0, high=1.0), np.array(y_true, dtype=np.float64), np.array(y_pred, dtype=np.float64)
    )


@st.composite
def classes(draw: st.DrawFn) -> Case:
    low, high = draw(st.sampled_from([(0, 3), (-3, 3), (2, 5)]))
    # Gold labels may leave out the classes at either end or in between.
    gold = st.sampled_from(draw(st.lists(st.integers(low, high), min_size=1, max_size=4)))
    y_true, y_pred = draw(answers(gold, st.integers(low, high)))
    return Case(
        OrderedClasses(low=low, high=high), np.array(y_true, dtype=np.int16), np.array(y_pred, dtype=np.int16)
    )


@st.composite
def spans(draw: st.DrawFn) -> Case:
    text = st.text(alphabet="aB ", max_size=8)
    y_true, y_pred = draw(answers(text, text))
    dtype = np.dtypes.StringDType()
    return Case(Span(), np.array(y_true, dtype=dtype), np.array(y_pred, dtype=dtype))


CASES: dict[LabelKind, st.SearchStrategy[Case]] = {
    LabelKind.ONE_OF_SET: label_sets(),
    LabelKind.WITH_CONFIDENCE: confidences(),
    LabelKind.SUBSET: label_subsets(),
    LabelKind.NUMBER: numbers(),
    LabelKind.ORDERED: classes(),
    LabelKind.SPAN: spans(),
}
KINDS = pytest.mark.parametrize("kind", CASES, ids=lambda kind: kind.name)


def values(case: Case) -> dict[str, float | None]:
    """Every registered metric of the case's kind."""
    names = names_for(kind_of(case.output))
    return {value.metric: value.value for value in score(case.output, names, case.y_true, case.y_pred).values}


def close(found: dict[str, float | None]) -> Any:
    return pytest.approx(found, abs=1e-9)


@KINDS
def test_every_metric_has_an_oracle(kind):
    assert set(names_for(kind)) == set(ORACLES[kind])


@KINDS
@settings(deadline=None)
@given(data=st.data())
def test_metrics_equal_their_oracles(kind, data):
    case = data.draw(CASES[kind])

    found = values(case)

    assert found == close({name: oracle(case) for name, oracle in ORACLES[kind].items()})


@KINDS
@settings(deadline=None)
@given(data=st.data())
def test_metrics_do_not_depend_on_the_order_of_items(kind, data):
    case = data.draw(CASES[kind])
    order = data.draw(st.permutations(range(len(case.y_true))))

    shuffled = Case(case.output, case.y_true[order], case.y_pred[order])

    assert values(shuffled) == close(values(case))


@KINDS
@settings(deadline=None)
@given(data=st.data())
def test_metrics_stay_in_their_range_or_say_why_they_are_undefined(kind, data):
    case = data.draw(CASES[kind])

    report = score(case.output, names_for(kind), case.y_true, case.y_pred)

    for value in report.values:
        known = metric(value.metric, kind)
        assert (
            (value.undefined in known.undefined)
            if value.value is None
            else (known.low <= value.value <= known.high)
        )


@pytest.mark.parametrize("kind", NOT_DEPENDING_ON_NAMES, ids=lambda kind: kind.name)
@settings(deadline=None)
@given(data=st.data())
def test_metrics_do_not_depend_on_how_labels_are_named_and_ordered(kind, data):
    case = data.draw(CASES[kind])
    count = len(case.output.names)
    new_code = np.array(data.draw(st.permutations(range(count))))
    renamed = tuple(f"renamed {code}" for code in range(count))
    changed = {"names": renamed}
    if kind is not LabelKind.SUBSET:
        old = [case.output.names.index(label) for label in case.output.never_right]
        changed["never_right"] = tuple(renamed[new_code[code]] for code in old)
    output = replace(case.output, **changed)

    moved = Case(
        output, recode(case.output, case.y_true, new_code), recode(case.output, case.y_pred, new_code)
    )

    names = sorted(NOT_DEPENDING_ON_NAMES[kind])
    before = score(case.output, names, case.y_true, case.y_pred)
    after = score(output, names, moved.y_true, moved.y_pred)
    assert [value.value for value in after.values] == pytest.approx([value.value for value in before.values])


def recode(output: Output, y: np.ndarray, new_code: np.ndarray) -> np.ndarray:
    if isinstance(output, LabelSubset):
        bits = range(len(new_code))
        moved = [sum(1 << int(new_code[bit]) for bit in bits if int(mask) >> bit & 1) for mask in y]
        return np.array(moved, dtype=np.uint64)
    if isinstance(output, LabelWithConfidence):
        moved_pairs = y.copy()
        moved_pairs["label"] = new_code[y["label"]]
        return moved_pairs
    moved_codes: np.ndarray = new_code[y].astype(y.dtype)
    return moved_codes


@settings(deadline=None)
@given(
    st.lists(st.tuples(st.floats(-1e300, 1e300), st.floats(-1e300, 1e300)), min_size=1, max_size=20),
)
def test_scoring_never_fails_on_numbers_that_were_accepted(pairs):
    y_true, y_pred = (np.array(side, dtype=np.float64) for side in zip(*pairs, strict=True))

    found = values(Case(Number(low=-1e300, high=1e300), y_true, y_pred))

    assert all(value is None or -1 <= value <= 1 for value in found.values())


@pytest.mark.parametrize("each", all_metrics(), ids=lambda each: f"{each.name} of {sorted(each.kinds)[0]}")
def test_registered_metric_documents_itself(each):
    documentation = each.function.__doc__

    assert all(
        f"{section}\n    ---" in documentation
        for section in ("Parameters", "Returns", "References", "Examples")
    )
    assert each.reference
    assert all(each.undefined.values())
    assert each.version >= 1
    assert each.low < each.high
