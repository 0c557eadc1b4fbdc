"""The kinds of label: which metrics apply to an output, and what those metrics are given."""

from __future__ import annotations

from enum import StrEnum

from catalogue.answers import AnswerKind, ConfidentLabel, Label, LabelSubset, Number, OrderedClass, Span


class LabelKind(StrEnum):
    """What a prediction for one item is; the value is also how a message names it."""

    ONE_OF_SET = "one label of a set"
    ORDERED = "ordered classes"
    SUBSET = "any subset of labels"
    NUMBER = "a number"
    WITH_CONFIDENCE = "a label with a confidence"
    SPAN = "a span of text"


_KINDS: dict[type[AnswerKind], LabelKind] = {
    Label: LabelKind.ONE_OF_SET,
    OrderedClass: LabelKind.ORDERED,
    LabelSubset: LabelKind.SUBSET,
    Number: LabelKind.NUMBER,
    ConfidentLabel: LabelKind.WITH_CONFIDENCE,
    Span: LabelKind.SPAN,
}


def kind_of(output: AnswerKind) -> LabelKind:
    """The kind of label that a task asks for."""
    return _KINDS[type(output)]
