"""Metrics that look at items together: what an exchange of two systems' answers makes of them."""

from itertools import product

import numpy as np
import pytest

from catalogue.answers import AnswerKind, ManyLabels, Probabilities
from catalogue.answers.arrays import as_rows
from catalogue.comparison import Comparison
from catalogue.metrics.choice import metric_for
from catalogue.metrics.metric import Undefined
from scoring.core.uncertainty.exchange import exchanged

SURE = Probabilities(("no", "yes"), positive="yes")
LISTS = ManyLabels(("a", "b", "c"))


def value(kind: AnswerKind, metric: str, gold: np.ndarray, answers: np.ndarray) -> float:
    found = metric_for(kind, metric).value(Comparison(kind, gold, answers))
    return float("nan") if isinstance(found, Undefined) else found


def every_exchange(kind: AnswerKind, metric: str, gold: np.ndarray, *answers: np.ndarray) -> set[float]:
    """The differences that all exchanges make."""
    one, other = answers
    found = set()
    for chosen in product([False, True], repeat=len(gold)):
        sides = np.where(chosen, other, one), np.where(chosen, one, other)
        first, second = (value(kind, metric, gold, side) for side in sides)
        found.add(round(first - second, 9))
    return found


def drawn(kind: AnswerKind, metric: str, gold: np.ndarray, *answers: np.ndarray) -> set[float]:
    first, second = (Comparison(kind, gold, side) for side in answers)
    differences = exchanged(first, second, metric, rng=np.random.default_rng(3), draws=300)
    return set(np.round(differences, 9).tolist())


def probabilities(*of_yes: float) -> np.ndarray:
    return as_rows(np.array([[1 - share, share] for share in of_yes]))


@pytest.mark.parametrize("metric", ["auroc", "average_precision"])
def test_only_the_order_of_a_systems_probabilities_is_exchanged(metric):
    gold = np.array([0, 1, 0, 1], dtype=np.uint8)
    first, second = probabilities(0.01, 0.04, 0.03, 0.02), probabilities(0.9, 0.6, 0.7, 0.8)
    by_rank = probabilities(0.25, 1, 0.75, 0.5), probabilities(1, 0.25, 0.5, 0.75)

    assert drawn(SURE, metric, gold, first, second) == every_exchange(SURE, metric, gold, *by_rank)
    assert value(SURE, metric, gold, first) == value(SURE, metric, gold, by_rank[0])


@pytest.mark.parametrize("metric", ["f1_macro", "f1_weighted", "f1_micro", "hamming_loss"])
def test_lists_are_exchanged_whole(metric):
    gold, first, second = (
        LISTS.array(texts) for texts in (["a", "b", "a|c"], ["a|b", "", "c"], ["a", "b|c", ""])
    )

    assert drawn(LISTS, metric, gold, first, second) == every_exchange(LISTS, metric, gold, first, second)
