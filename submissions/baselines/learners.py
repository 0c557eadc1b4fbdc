"""Learners that need labels alone, or labels and words. Pure: the answers follow from the data and the generator."""

import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catalogue.answers import AnswerKind, Answers
from catalogue.answers.arrays import as_masks, has_bit
from catalogue.answers.base import most_frequent

AnyArray = NDArray[Any]

# Words, and runs of other signs such as emoji; CountVectorizer alone would drop words of one letter.
_WORDS_AND_SIGNS = r"\w+|[^\w\s]+"
_WORDS = r"\w+"
_MOST_STEPS = 20_000


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


# Answers items: a canonical array, shape (count,).
Answerer = Callable[[Questions, np.random.Generator], Answers]
Learner = Callable[[Labelled, np.random.Generator], Answerer]


@dataclass(frozen=True, slots=True)
class Baseline:
    """A learner under the name that it bears on the board. `can_answer` says whether it has answers of a kind."""

    id: str
    name: str
    description: str
    learn: Learner
    reads_texts: bool = False
    can_answer: Callable[[AnswerKind], bool] = lambda output: not output.has_tokens


# Without a look at the texts


def majority(labelled: Labelled, generator: np.random.Generator) -> Answerer:
    """Answers every item alike: the commonest label, class or span (of several the first), or the mean.

    A subset holds the labels that more than half of the items have; the confidence of a label is its share.
    """
    answer = labelled.output.commonest(labelled.labels)
    return lambda questions, _: np.full(questions.count, answer, dtype=labelled.output.dtype)


def guess(labelled: Labelled, generator: np.random.Generator) -> Answerer:
    """Answers at random: every label, class and number of the range alike, every span of the training file alike.

    A subset holds each label as often as the training file does; a confidence is any from 0 to 1.
    """
    output, labels = labelled.output, labelled.labels
    return lambda questions, random: output.guesses(labels, questions.count, random)


# By words


def svm_unigrams(labelled: Labelled, generator: np.random.Generator) -> Answerer:
    """Linear support vector machines on which words a text has: a classifier, one label against the rest, or for
    numbers a regression, whose answers are moved into the range.

    Both losses are squared, as LIBLINEAR's are by default: the hinge, and of numbers what an answer is off by more than
    .1; C = 1. Words are cut by our own pattern, so that the figures of other tools come out nearly, not exactly.
    Source: Fan et al., 2008, LIBLINEAR; Ho and Lin, 2012, for the regression.
    """
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.svm import LinearSVC, LinearSVR

    words = CountVectorizer(token_pattern=_WORDS_AND_SIGNS, binary=True)
    state = _state(generator)
    settings: dict[str, Any] = {"random_state": state, "max_iter": _MOST_STEPS}
    if labelled.output.is_continuous:
        settings |= {"loss": "squared_epsilon_insensitive", "epsilon": 0.1}
        return _by_words(labelled, words, lambda: LinearSVR(**settings))
    return _by_words(labelled, words, lambda: LinearSVC(**settings))


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
        answer = labelled.output.commonest(labelled.labels)
        return lambda questions, _: np.full(questions.count, answer, dtype=labelled.output.dtype)
    features = words.fit_transform(labelled.texts)
    dtype = labelled.labels.dtype
    if labelled.output.is_subset:
        bits = [
            _fitted(model, features, has_bit(labelled.labels, bit))
            for bit in range(len(labelled.output.labels))
        ]
        return lambda questions, _: as_masks(
            np.stack([bit(words.transform(questions.texts)) for bit in bits], axis=1)
        )
    fitted = _fitted(model, features, labelled.labels)
    if labelled.output.is_continuous and labelled.output.bounds:
        low, high = labelled.output.bounds
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
    return lambda rows: np.full(rows.shape[0], most_frequent(labels))


def _state(generator: np.random.Generator) -> int:
    return int(generator.integers(2**31))


def _has_classes_or_bounds(output: AnswerKind) -> bool:
    return output.is_one_label or output.is_subset or output.has_bounds


# By the id that definitions name them with.
BASELINES = {
    baseline.id: baseline
    for baseline in (
        Baseline("majority", "Majority", "Gives every item the commonest label, or the mean.", majority),
        Baseline(
            "plurality",
            "Plurality",
            "Gives every item the commonest label of the training file.",
            majority,
            can_answer=lambda output: output.is_one_label,
        ),
        Baseline("random", "Random", "Guesses every answer.", guess),
        Baseline(
            "svm_unigrams",
            "SVM unigrams",
            "Linear support vector machine on which words the text has, with squared losses and C = 1. It was trained "
            "here: where a published row of this name stands beside it, the words were cut by another tool.",
            svm_unigrams,
            reads_texts=True,
            can_answer=_has_classes_or_bounds,
        ),
        Baseline(
            "adaboost",
            "AdaBoost",
            "AdaBoost over 100 decision trees of depth 3 on counts of 1 to 5 adjacent words.",
            adaboost,
            reads_texts=True,
            can_answer=lambda output: _has_classes_or_bounds(output) and not output.is_continuous,
        ),
    )
}
