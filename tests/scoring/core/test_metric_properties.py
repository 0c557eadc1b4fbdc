"""What holds for every registered metric: an oracle's number, and what must not change it.

Each metric has an oracle in `oracles.py` for each kind of label it takes; one without fails the first test.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalogue.answers import (
    LABEL_WITH_CONFIDENCE,
    AnswerKind,
    ConfidentLabel,
    Label,
    LabelSubset,
    Number,
    OrderedClass,
    Span,
)
from scoring.core import LabelKind, all_metrics, kind_of, metric, names_for, score
from tests.scoring.core.oracles import ORACLES, Case

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
    output = Label(names=label_names(count), never_right=never_right)
    return Case(output, np.array(y_true, dtype=to_codes), np.array(y_pred, dtype=to_codes))


@st.composite
def confidences(draw: st.DrawFn) -> Case:
    answer = st.tuples(st.integers(0, 3), st.floats(0, 1))
    output = ConfidentLabel(names=label_names(4), never_right=draw(st.sampled_from([(), ("label 3",)])))
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
        OrderedClass(low=low, high=high), np.array(y_true, dtype=np.int16), np.array(y_pred, dtype=np.int16)
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
@given(data=st.data())
def test_metrics_equal_their_oracles(kind, data):
    case = data.draw(CASES[kind])

    found = values(case)

    assert found == close({name: oracle(case) for name, oracle in ORACLES[kind].items()})


@KINDS
@given(data=st.data())
def test_metrics_do_not_depend_on_the_order_of_items(kind, data):
    case = data.draw(CASES[kind])
    order = data.draw(st.permutations(range(len(case.y_true))))

    shuffled = Case(case.output, case.y_true[order], case.y_pred[order])

    assert values(shuffled) == close(values(case))


@KINDS
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


def recode(output: AnswerKind, y: np.ndarray, new_code: np.ndarray) -> np.ndarray:
    if isinstance(output, LabelSubset):
        bits = range(len(new_code))
        moved = [sum(1 << int(new_code[bit]) for bit in bits if int(mask) >> bit & 1) for mask in y]
        return np.array(moved, dtype=np.uint64)
    if isinstance(output, ConfidentLabel):
        moved_pairs = y.copy()
        moved_pairs["label"] = new_code[y["label"]]
        return moved_pairs
    moved_codes: np.ndarray = new_code[y].astype(y.dtype)
    return moved_codes


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
