"""Gold labels and predictions of every kind of answer, drawn by hypothesis: few items, missing labels, constants."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest
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
from tests.catalogue.metrics.oracles import Case


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


CASES: dict[type[AnswerKind], st.SearchStrategy[Case]] = {
    Label: label_sets(),
    ConfidentLabel: confidences(),
    LabelSubset: label_subsets(),
    Number: numbers(),
    OrderedClass: classes(),
    Span: spans(),
}
KINDS = pytest.mark.parametrize("kind", CASES, ids=lambda kind: kind.key)


FEW: dict[type[AnswerKind], tuple[AnswerKind, np.ndarray]] = {
    Label: (Label(names=label_names(3)), np.array([0, 1, 2], dtype=np.uint8)),
    ConfidentLabel: (
        ConfidentLabel(names=label_names(3)),
        np.array([(0, 1), (1, 0.5), (2, 0)], dtype=LABEL_WITH_CONFIDENCE),
    ),
    LabelSubset: (LabelSubset(names=label_names(3)), np.array([0, 1, 6], dtype=np.uint64)),
    Number: (Number(low=0.0, high=1.0), np.array([0.0, 0.25, 1.0])),
    OrderedClass: (OrderedClass(low=-1, high=1), np.array([-1, 0, 1], dtype=np.int16)),
    Span: (Span(), np.array(["", "a", "a b"], dtype=np.dtypes.StringDType())),
}


def few_items(kind: type[AnswerKind]) -> Iterator[Case]:
    """Every file of one to three items and every answer to it, of three answers of the kind."""
    output, answers = FEW[kind]
    for count in (1, 2, 3):
        codes = [list(chosen) for chosen in product(range(len(answers)), repeat=count)]
        for gold, predicted in product(codes, codes):
            yield Case(output, answers[gold], answers[predicted])
