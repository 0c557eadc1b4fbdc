"""Made-up gold labels and predictions. Pure: everything follows from the kind of answer and a seeded generator."""

from collections.abc import Callable
from functools import partial

import numpy as np
import numpy.typing as npt

from catalogue.answers import AnswerKind, Answers
from catalogue.answers.arrays import as_masks, has_bit

Codes = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float64]

_SEARCH_STEPS = 14
_DECIMALS = 3


def make_gold(output: AnswerKind, size: int, generator: np.random.Generator) -> Answers:
    """Gold labels, shape (size,): some labels are rare, and each that can be right occurs at least once.

    Numbers lie around the middle of their range, and so do ordered classes; subsets hold one to three labels or so.
    """
    if output.is_subset:
        shares = generator.uniform(0.08, 0.35, size=len(output.labels))
        return as_masks(generator.random((size, len(output.labels))) < shares)
    if output.is_one_label:
        return _codes_of(output)[_uneven(len(output.gold_labels), size, generator)].astype(np.uint16)
    if output.bounds is None:
        raise TypeError(f"no gold labels are made up for {output!r}")
    low, high = output.bounds
    if output.is_continuous:
        return _as_answers(output, low + (high - low) * generator.beta(2.5, 2.5, size=size))
    return output.array(low + _uneven(len(output.classes), size, generator))


def make_predictions(
    output: AnswerKind, gold: Answers, *, wanted: float, generator: np.random.Generator
) -> Answers:
    """Predictions that reach about the wanted score against `gold`; 1.0 gives the gold labels themselves.

    The score is macro F1 for labels, Pearson's r for numbers and ordered classes, and the Jaccard index for subsets.
    What guessing reaches is the least that can be asked for.
    """
    if output.is_subset:
        members = np.stack([has_bit(gold, bit) for bit in range(len(output.labels))], axis=1)
        return as_masks(_subsets(members, wanted, generator))
    if output.is_one_label:
        return _labels(output, gold.astype(np.intp), wanted, generator)
    if output.has_bounds:
        return _as_answers(output, _correlated(gold.astype(np.float64), wanted, generator))
    raise TypeError(f"no predictions are made up for {output!r}")


def _uneven(count: int, size: int, generator: np.random.Generator) -> Codes:
    """Numbers from 0 below `count`, some of them rare, each at least once if there is room."""
    codes = generator.choice(count, size=size, p=generator.dirichlet(np.full(count, 4.0)))
    codes[generator.permutation(size)[:count]] = np.arange(count)[:size]
    return codes


def _codes_of(output: AnswerKind) -> Codes:
    return np.array([output.labels.index(name) for name in output.gold_labels])


def _labels(output: AnswerKind, gold: Codes, f1_macro: float, generator: np.random.Generator) -> Answers:
    codes = _codes_of(output)
    guessed = codes[generator.integers(len(codes), size=len(gold))]
    counts = np.bincount(gold, minlength=len(output.labels))[codes]
    # So that the expected macro F1 is the wanted one.
    share = _least_share(partial(_expected_f1, counts), f1_macro)
    is_known = generator.random(len(gold)) < share
    answers: Answers = np.where(is_known, gold, guessed).astype(np.uint16)
    return answers


def _least_share(score_of: Callable[[float], float], wanted: float) -> float:
    """The least share from 0 to 1 that brings the wanted score, by bisection."""
    low, high = 0.0, 1.0
    for _ in range(_SEARCH_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if score_of(middle) < wanted else (low, middle)
    return high


def _expected_f1(counts: Codes, share_known: float) -> float:
    """Macro F1 of the expected confusion matrix where the rest is guessed evenly among the labels."""
    guessed = (1 - share_known) / len(counts)
    right = counts * (share_known + guessed)
    predicted = counts * share_known + counts.sum() * guessed
    return float(np.mean(2 * right / (counts + predicted)))


def _correlated(gold: Floats, pearson: float, generator: np.random.Generator) -> Floats:
    """Numbers with the mean and deviation of `gold`, of which the wanted share is no noise."""
    spread = gold.std() or 1.0
    noise = spread * generator.standard_normal(len(gold))
    pearson = min(max(pearson, 0.0), 1.0)
    mixed: Floats = gold.mean() + pearson * (gold - gold.mean()) + np.sqrt(1 - pearson**2) * noise
    return mixed


def _as_answers(output: AnswerKind, values: Floats) -> Answers:
    """The nearest answers that the task takes."""
    within = np.clip(values, *output.bounds) if output.bounds else values
    return np.round(within, _DECIMALS) if output.is_continuous else output.array(np.rint(within))


def _subsets(
    gold: npt.NDArray[np.bool_], jaccard: float, generator: np.random.Generator
) -> npt.NDArray[np.bool_]:
    """Right members and non-members with guesses put in, more and more of them until the score is the wanted one."""
    guessed = generator.random(gold.shape) < gold.mean(axis=0)
    places = generator.random(gold.shape)
    share = _least_share(lambda part: _jaccard(gold, np.where(places < part, gold, guessed)), jaccard)
    return np.where(places < share, gold, guessed)


def _jaccard(gold: npt.NDArray[np.bool_], given: npt.NDArray[np.bool_]) -> float:
    both, either = (gold & given).sum(axis=1), (gold | given).sum(axis=1)
    return float(np.mean(np.where(either == 0, 1.0, both / np.maximum(either, 1))))
