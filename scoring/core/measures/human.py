"""How well people do on the gold labels: synthetic annotators made of the answers that each item got."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoring.core.uncertainty.intervals import Interval, interval
from scoring.core.uncertainty.weights import item_weights

MANY_SEEDS = tuple(range(1, 101))


class LabelScores(NamedTuple):
    """Precision, recall and F1 of one label or, averaged, of all."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class HumanEstimate:
    """Scores per label and their plain mean over the labels.

    `intervals` are those of the F1 of each label, and `macro_interval` that of their mean: 95 %, over other items. None
    where all answers to all items are right, or none is.
    """

    per_label: Mapping[str, LabelScores]
    macro: LabelScores
    intervals: Mapping[str, Interval | None]
    macro_interval: Interval | None


def human_estimate(
    responses: Sequence[Sequence[str]],
    gold: Sequence[str],
    labels: Sequence[str],
    seeds: Sequence[int] = MANY_SEEDS,
) -> HumanEstimate:
    """Estimate how people would score against the gold labels.

    The answers for each item are shuffled and dealt out to as many synthetic annotators as there are answers;
    each annotator is scored against the gold labels, and the scores are averaged.

    Parameters
    ----------
    responses : sequence of sequence of str
        The answers for each item, the same number for all. An answer may be none of `labels`: it is wrong.
    gold : sequence of str
        The gold label of each item, one of `labels`.
    labels : sequence of str
        The labels to score.
    seeds : sequence of int
        One estimate is made per seed and the mean returned. DynaSent's published figures were made with `[1]`, the
        answers in the order of the file's categories; many seeds say the same with less chance in it.

    Returns
    -------
    HumanEstimate
        A label that an annotator never uses has precision 0 for that annotator.

    References
    ----------
    Potts et al. (2021), doi:10.18653/v1/2021.acl-long.186, section 3.5.

    Examples
    --------
    >>> human_estimate([["a", "a"], ["b", "a"]], ["a", "b"], ["a", "b"], seeds=[1]).macro.recall
    0.75
    """
    width = len(responses[0]) if responses else 0
    if not width or len(responses) != len(gold) or any(len(each) != width for each in responses):
        raise ValueError("Every item needs a gold label and the same number of responses, at least one.")
    code_of = {label: code for code, label in enumerate(labels)}
    y_true = np.array([labels.index(label) for label in gold])
    codes = [[code_of.get(answer, len(labels)) for answer in answers] for answers in responses]
    annotators = [annotator for seed in seeds for annotator in _deal(codes, seed).T]
    scores = [_scores(y_true, annotator, len(labels)) for annotator in annotators]
    means = [_mean(of_label) for of_label in zip(*scores, strict=True)]
    resampled = _resampled(*_ordered(y_true, codes, seeds), len(labels))
    intervals = [interval(mean.f1, f1) for mean, f1 in zip(means, resampled, strict=True)]
    macro = _mean(means)
    return HumanEstimate(
        per_label=dict(zip(labels, means, strict=True)),
        macro=macro,
        intervals=dict(zip(labels, intervals, strict=True)),
        macro_interval=interval(macro.f1, resampled.mean(axis=0)),
    )


def _ordered(
    y_true: NDArray[np.intp], codes: Sequence[Sequence[int]], seeds: Sequence[int]
) -> tuple[NDArray[np.intp], list[NDArray[np.intp]]]:
    """Gold labels and annotators with the items in an order that follows from labels and answers alone.

    What is made of them tells nothing of which items they are, nor of the order of the gold file.
    """
    items = sorted(zip(y_true.tolist(), map(sorted, codes), strict=True))
    gold = np.array([label for label, _ in items])
    return gold, [annotator for seed in seeds for annotator in _deal([one for _, one in items], seed).T]


def _deal(codes: Sequence[Sequence[int]], seed: int) -> NDArray[np.intp]:
    """Each item's answers shuffled: shape (n_items, n_annotators). Column k is the k-th synthetic annotator."""
    rng = Random(seed)  # noqa: S311 - the estimate must be repeatable; nothing is kept secret by it
    dealt = [list(answers) for answers in codes]
    for answers in dealt:
        rng.shuffle(answers)
    return np.array(dealt, dtype=np.intp)


def _scores(y_true: NDArray[np.intp], y_pred: NDArray[np.intp], label_count: int) -> list[LabelScores]:
    """The scores of each label, 0 where there is nothing to divide by."""
    counts = [
        np.bincount(codes, minlength=label_count)[:label_count].tolist()
        for codes in (y_true[y_true == y_pred], y_pred, y_true)
    ]
    return [
        LabelScores(right / (predicted or 1), right / (gold or 1), 2 * right / (predicted + gold or 1))
        for right, predicted, gold in zip(*counts, strict=True)
    ]


def _resampled(
    y_true: NDArray[np.intp], annotators: Sequence[NDArray[np.intp]], label_count: int
) -> NDArray[np.float64]:
    """Each label's F1, averaged over the annotators, on items drawn again: shape (labels, replicates)."""
    labels = np.arange(label_count)
    weights = item_weights(b"human estimate", len(y_true)).astype(np.float32)  # exact: sums are below 2 ** 24
    gold = y_true[:, None] == labels
    f1 = np.zeros((len(weights), label_count))
    for annotator in annotators:
        said = annotator[:, None] == labels
        right, counted = weights @ (said & gold), weights @ (said.astype(np.float32) + gold)
        f1 += 2 * right / np.maximum(counted, 1)
    return f1.T / len(annotators)


def _mean(scores: Sequence[LabelScores]) -> LabelScores:
    return LabelScores(*(fsum(parts) / len(scores) for parts in zip(*scores, strict=True)))
