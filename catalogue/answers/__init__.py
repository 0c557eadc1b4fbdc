"""The kinds of answer: what a system answers per item of a task, one module per kind.

Each must say what `base.AnswerKind` asks. To add one, write its module and name its class in `KINDS`;
`tests/contracts/test_answer_kinds.py` holds it to the rest.
"""

from catalogue.answers.base import AnswerKind, Answers
from catalogue.answers.confident_label import LABEL_WITH_CONFIDENCE, ConfidentLabel
from catalogue.answers.label import Label
from catalogue.answers.label_subset import LabelSubset
from catalogue.answers.number import Number
from catalogue.answers.ordered_class import OrderedClass
from catalogue.answers.span import Span
from catalogue.answers.texts import as_texts
from catalogue.registry import Registry

KINDS: Registry[type[AnswerKind]] = Registry(
    "kind of answer", Label, OrderedClass, LabelSubset, Number, ConfidentLabel, Span
)

__all__ = [
    "KINDS",
    "LABEL_WITH_CONFIDENCE",
    "AnswerKind",
    "Answers",
    "ConfidentLabel",
    "Label",
    "LabelSubset",
    "Number",
    "OrderedClass",
    "Span",
    "as_texts",
]
