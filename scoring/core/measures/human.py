"""How well people do on the gold labels: synthetic annotators made of the answers that each item got."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from random import Random

import numpy as np

from catalogue.comparison import LabelCounts

MANY_SEEDS = tuple(range(1, 101))


@dataclass(frozen=True, slots=True)
class LabelScores:
    """Precision, recall and F1 of one label or, averaged, of all."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class HumanEstimate:
    """Scores per label and their plain mean over the labels."""

    per_label: Mapping[str, LabelScores]
    macro: LabelScores


def expand_responses(distribution: Mapping[str, Sequence[str]]) -> list[str]:
    """The answers for one item, in the order of the mapping's keys, from the workers who gave each.

    >>> expand_responses({"positive": ["w1"], "negative": [], "mixed": ["w2", "w3"]})
    ['positive', 'mixed', 'mixed']
    """
    return [label for label, workers in distribution.items() for _ in workers]


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
        One estimate is made per seed and the mean returned. `[1]` with `expand_responses` is how DynaSent's
        published figures were made; many seeds say the same with less chance in it.

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
    y_true = np.array([labels.index(label) for label in gold])
    code_of = {label: code for code, label in enumerate(labels)}
    codes = [[code_of.get(answer, len(labels)) for answer in answers] for answers in responses]
    scores = [_scores(y_true, annotator, len(labels)) for seed in seeds for annotator in _deal(codes, seed).T]
    means = [
        LabelScores(*(fsum(each[code][part] for each in scores) / len(scores) for part in range(3)))
        for code in range(len(labels))
    ]
    return HumanEstimate(dict(zip(labels, means, strict=True)), _mean(means))


def share_never_disagreeing(answers: Iterable[tuple[str, str, str]]) -> float:
    """Share of workers whose every answer is the gold label; `answers` are (worker, answer, gold label).

    >>> share_never_disagreeing([("w1", "a", "a"), ("w2", "a", "a"), ("w2", "b", "a")])
    0.5
    """
    agrees: defaultdict[str, bool] = defaultdict(lambda: True)
    for worker, answer, gold in answers:
        agrees[worker] &= answer == gold
    if not agrees:
        raise ValueError("`answers` must hold at least one answer; it is empty.")
    return sum(agrees.values()) / len(agrees)


def _deal(codes: Sequence[Sequence[int]], seed: int) -> np.ndarray[tuple[int, int], np.dtype[np.intp]]:
    """Each item's answers shuffled: shape (n_items, n_annotators). Column k is the k-th synthetic annotator."""
    rng = Random(seed)  # noqa: S311 - the estimate must be repeatable; nothing is kept secret by it
    dealt = [list(answers) for answers in codes]
    for answers in dealt:
        rng.shuffle(answers)
    return np.array(dealt, dtype=np.intp)


def _scores(
    y_true: np.ndarray[tuple[int], np.dtype[np.intp]],
    y_pred: np.ndarray[tuple[int], np.dtype[np.intp]],
    label_count: int,
) -> list[tuple[float, float, float]]:
    """Precision, recall and F1 of each label, 0 where there is nothing to divide by."""
    found = [
        np.bincount(codes, minlength=label_count + 1)[:label_count]
        for codes in (y_true[y_true == y_pred], y_pred, y_true)
    ]
    counts = LabelCounts(*found)
    return [
        (_share(right, predicted), _share(right, gold), _share(2 * right, predicted + gold))
        for right, predicted, gold in zip(*(each.tolist() for each in counts), strict=True)
    ]


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _mean(scores: Sequence[LabelScores]) -> LabelScores:
    count = len(scores)
    return LabelScores(
        precision=fsum(each.precision for each in scores) / count,
        recall=fsum(each.recall for each in scores) / count,
        f1=fsum(each.f1 for each in scores) / count,
    )
