"""Learners that need labels alone, or labels and words. Pure: the answers follow from the data and the generator."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catalogue.answers import (
    LABEL_WITH_CONFIDENCE,
    AnswerKind,
    Answers,
    ConfidentLabel,
    Label,
    LabelSubset,
    Number,
    OrderedClass,
)

AnyArray = NDArray[Any]

# Words, and runs of other signs such as emoji; CountVectorizer alone would drop words of one letter.
_WORDS_AND_SIGNS = r"\w+|[^\w\s]+"
_WORDS = r"\w+"
_MOST_STEPS = 20_000
_BY_WORDS = (Label, OrderedClass, LabelSubset, Number)
_BY_TREES = (Label, OrderedClass, LabelSubset)


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """What is learnt from: `labels` is the canonical array of `output`, with a text per label or without any texts."""

    output: AnswerKind
    labels: AnyArray
    texts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Questions:
    """Items to be answered, with a text each or without any texts."""

    count: int
    texts: tuple[str, ...] = ()


Answerer = Callable[[Questions, np.random.Generator], Answers]
"""Answers items: a canonical array, shape (count,)."""
Learner = Callable[[Labelled, np.random.Generator], Answerer]


@dataclass(frozen=True, slots=True)
class Baseline:
    """A learner under the name that it bears on the board. `outputs` are the kinds that it answers; empty: all."""

    id: str
    name: str
    description: str
    learn: Learner
    reads_texts: bool = False
    outputs: tuple[type, ...] = ()

    def can_answer(self, output: AnswerKind) -> bool:
        """Whether it has answers of that kind."""
        return not self.outputs or isinstance(output, self.outputs)


# Without a look at the texts


def majority(labelled: Labelled, generator: np.random.Generator) -> Answerer:
    """Answers every item alike: the commonest label, class or span (of several the first), or the mean.

    A subset holds the labels that more than half of the items have; the confidence of a label is its share.
    """
    answer = _commonest(labelled)
    return lambda questions, _: np.full(questions.count, answer, dtype=labelled.labels.dtype)


def _commonest(labelled: Labelled) -> Any:
    labels = labelled.labels
    match labelled.output:
        case Number(low=low, high=high):
            return np.clip(labels.mean(), low, high)  # rounding may lead out of a narrow range
        case LabelSubset(names=names):
            return sum(1 << bit for bit in range(len(names)) if 2 * _with(labels, bit).sum() > len(labels))
        case ConfidentLabel() as output:
            codes = _that_can_be_right(output)
            counts = np.bincount(labels["label"], minlength=len(output.names))[codes]
            place = int(counts.argmax())
            return np.array((codes[place], counts[place] / len(labels)), dtype=LABEL_WITH_CONFIDENCE)
        case _:
            return _most_frequent(labels)


def _most_frequent(labels: AnyArray) -> Any:
    values, counts = np.unique(labels, return_counts=True)
    return values[counts.argmax()]


def guess(labelled: Labelled, generator: np.random.Generator) -> Answerer:
    """Answers at random: every label, class and number of the range alike, every span of the training file alike.

    A subset holds each label as often as the training file does; a confidence is any from 0 to 1.
    """
    return lambda questions, random: _guesses(labelled, questions.count, random)


def _guesses(labelled: Labelled, count: int, random: np.random.Generator) -> AnyArray:
    labels = labelled.labels
    match labelled.output:
        case Label() as output:
            return random.choice(_that_can_be_right(output), count).astype(labels.dtype)
        case OrderedClass(low=low, high=high):
            return random.integers(low, high, count, endpoint=True).astype(labels.dtype)
        case Number(low=low, high=high):
            return random.uniform(low, high, count)
        case LabelSubset(names=names):
            shares = [_with(labels, bit).mean() for bit in range(len(names))]
            return _joined([random.random(count) < share for share in shares])
        case ConfidentLabel() as output:
            answers = np.empty(count, dtype=LABEL_WITH_CONFIDENCE)
            answers["label"] = random.choice(_that_can_be_right(output), count)
            answers["confidence"] = random.random(count)
            return answers
        case _:
            return labels[random.integers(len(labels), size=count)]


def _that_can_be_right(output: Label | ConfidentLabel) -> list[int]:
    return [code for code, name in enumerate(output.names) if name not in output.never_right]


# By words


def svm_unigrams(labelled: Labelled, generator: np.random.Generator) -> Answerer:
    """Linear support vector machines on which words a text has: a classifier, one label against the rest, or for
    numbers a regression, whose answers are moved into the range."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.svm import LinearSVC, LinearSVR

    words = CountVectorizer(token_pattern=_WORDS_AND_SIGNS, binary=True)
    state = _state(generator)
    machine: Any = LinearSVR if isinstance(labelled.output, Number) else LinearSVC
    return _by_words(labelled, words, lambda: machine(random_state=state, max_iter=_MOST_STEPS))


def adaboost(labelled: Labelled, generator: np.random.Generator) -> Answerer:
    """100 decision trees of depth 3, weighted by AdaBoost with learning rate 1, on counts of 1 to 5 adjacent words.

    Source: Alex et al., 2021, arXiv:2109.14076, section 4.2 and appendix A.6.
    """
    from sklearn.ensemble import AdaBoostClassifier
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.tree import DecisionTreeClassifier

    words = CountVectorizer(token_pattern=_WORDS, ngram_range=(1, 5))
    state = _state(generator)

    def trees() -> Any:
        tree = DecisionTreeClassifier(max_depth=3)
        return AdaBoostClassifier(tree, n_estimators=100, learning_rate=1.0, random_state=state)

    return _by_words(labelled, words, trees)


def _by_words(labelled: Labelled, words: Any, model: Callable[[], Any]) -> Answerer:
    """Fits models to the words of the texts. Where no text has a word, there is only the commonest answer."""
    analyse = words.build_analyzer()
    if not any(map(analyse, labelled.texts)):
        return lambda questions, _: np.full(
            questions.count, _commonest(labelled), dtype=labelled.labels.dtype
        )
    features = words.fit_transform(labelled.texts)
    dtype = labelled.labels.dtype
    if isinstance(labelled.output, LabelSubset):
        bits = [
            _fitted(model, features, _with(labelled.labels, bit)) for bit in range(len(labelled.output.names))
        ]
        return lambda questions, _: _joined([bit(words.transform(questions.texts)) for bit in bits])
    fitted = _fitted(model, features, labelled.labels)
    if isinstance(labelled.output, Number):
        low, high = labelled.output.low, labelled.output.high
        # Adding zero takes the sign off a negative zero.
        return lambda questions, _: np.clip(fitted(words.transform(questions.texts)), low, high) + 0.0
    return lambda questions, _: fitted(words.transform(questions.texts)).astype(dtype)


def _fitted(model: Callable[[], Any], features: Any, labels: AnyArray) -> Callable[[Any], AnyArray]:
    """The predictions of a fitted model; the most frequent label where it finds nothing to tell labels apart by."""
    with warnings.catch_warnings(), suppress(ValueError):
        # AdaBoost's ValueError: its first tree is no better than guessing. The warning: few items have each label, as
        # where fifty examples stand for 77 labels.
        warnings.filterwarnings("ignore", "The number of unique classes is greater than 50%", UserWarning)
        if len(np.unique(labels)) > 1:
            predict: Callable[[Any], AnyArray] = model().fit(features, labels).predict
            return predict
    return lambda rows: np.full(rows.shape[0], _most_frequent(labels))


def _with(masks: AnyArray, bit: int) -> Any:
    """Which subsets hold the label of that bit."""
    return (masks >> np.uint64(bit) & np.uint64(1)).astype(np.bool_)


def _joined(bits: list[Any]) -> AnyArray:
    """Subsets from what `_with` says of every bit."""
    masks = np.zeros(len(bits[0]), dtype="<u8")
    for place, bit in enumerate(bits):
        masks |= bit.astype("<u8") << np.uint64(place)
    return masks


def _state(generator: np.random.Generator) -> int:
    return int(generator.integers(2**31))


BASELINES = {
    baseline.id: baseline
    for baseline in (
        Baseline("majority", "Majority", "Gives every item the commonest label, or the mean.", majority),
        Baseline(
            "plurality",
            "Plurality",
            "Gives every item the commonest label of the training file.",
            majority,
            outputs=(Label,),
        ),
        Baseline("random", "Random", "Guesses every answer.", guess),
        Baseline(
            "svm_unigrams",
            "SVM unigrams",
            "Linear support vector machine on the words of the text.",
            svm_unigrams,
            reads_texts=True,
            outputs=_BY_WORDS,
        ),
        Baseline(
            "adaboost",
            "AdaBoost",
            "AdaBoost over 100 decision trees of depth 3 on counts of 1 to 5 adjacent words.",
            adaboost,
            reads_texts=True,
            outputs=_BY_TREES,
        ),
    )
}
"""By the id that definitions name them with."""
