"""The kinds of answer: what a system answers per item of a task, one module per kind.

Each says what `base.AnswerKind` asks: how a definition declares it, its canonical array, its cells in files, what it
is in words, and how many outcomes it has. To add one, write its module: `KINDS` finds it there. Of several kinds that
suit a table of an organiser the last is proposed; a new one comes last, unless `first` names its key.
`tests/contracts/test_answer_kinds.py` holds it to the rest.
"""

from catalogue.answers.across_labels import ManyLabels, Probabilities, SoftLabels, SubsetProbabilities
from catalogue.answers.arrays import LABEL_WITH_CONFIDENCE, Answers, as_texts, from_texts
from catalogue.answers.base import AnswerKind
from catalogue.answers.confident_label import ConfidentLabel
from catalogue.answers.label import Label
from catalogue.answers.label_subset import LabelSubset
from catalogue.answers.number import Number
from catalogue.answers.open_ended import ClusterId, FreeText, RankedList
from catalogue.answers.ordered_class import ORDERED, OrderedClass, OrderedLabel
from catalogue.answers.pairwise import PREFERENCES, Preference, ScoredPreference
from catalogue.answers.span import Span
from catalogue.answers.structured import CharacterSpans, Frames, PlaceOnEarth, TextTuples
from catalogue.answers.tokens import TokenEntities, TokenLabels
from catalogue.registry import Registry, classes_of

KINDS = Registry[type[AnswerKind]](
    "kind of answer",
    *(
        found
        for found in classes_of(__name__)
        if issubclass(found, AnswerKind) and not found.is_of_gold_alone
    ),
    first=("one_label", "ordered_classes", "number", "label_subset", "label_with_confidence", "span"),
)

__all__ = [
    "KINDS",
    "LABEL_WITH_CONFIDENCE",
    "ORDERED",
    "PREFERENCES",
    "AnswerKind",
    "Answers",
    "CharacterSpans",
    "ClusterId",
    "ConfidentLabel",
    "Frames",
    "FreeText",
    "Label",
    "LabelSubset",
    "ManyLabels",
    "Number",
    "OrderedClass",
    "OrderedLabel",
    "PlaceOnEarth",
    "Preference",
    "Probabilities",
    "RankedList",
    "ScoredPreference",
    "SoftLabels",
    "Span",
    "SubsetProbabilities",
    "TextTuples",
    "TokenEntities",
    "TokenLabels",
    "as_texts",
    "from_texts",
]
