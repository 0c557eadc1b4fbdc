"""Numbers of clusters: scikit-learn's, and B-cubed, pairs and purity written out item by item."""

from collections import Counter
from collections.abc import Callable
from itertools import combinations
from typing import Any

import numpy as np
from sklearn.metrics import (
    adjusted_rand_score,
    completeness_score,
    homogeneity_score,
    normalized_mutual_info_score,
)

Sides = tuple[list[str], list[str]]


def sides(case: Any) -> Sides:
    return case.y_true.tolist(), case.y_pred.tolist()


def of_sides(function: Callable[[list[str], list[str]], float | None]) -> Callable[[Any], float | None]:
    return lambda case: None if (found := function(*sides(case))) is None else float(found)


def b_cubed(first: list[str], second: list[str]) -> float:
    """The share of the items of each item's cluster on the second side that are in its cluster on the first."""
    shares = []
    for at in range(len(first)):
        together = [other for other in range(len(first)) if second[other] == second[at]]
        shares.append(np.mean([first[other] == first[at] for other in together]))
    return float(np.mean(shares))


def b_cubed_f1(gold: list[str], found: list[str]) -> float:
    precision, recall = b_cubed(gold, found), b_cubed(found, gold)
    return 2 * precision * recall / (precision + recall)


def pair_f1(gold: list[str], found: list[str]) -> float | None:
    pairs = list(combinations(range(len(gold)), 2))
    of_gold = {(one, other) for one, other in pairs if gold[one] == gold[other]}
    of_found = {(one, other) for one, other in pairs if found[one] == found[other]}
    total = len(of_gold) + len(of_found)
    return 2 * len(of_gold & of_found) / total if total else None


def purity(gold: list[str], found: list[str]) -> float:
    most = (
        max(Counter(g for g, f in zip(gold, found, strict=True) if f == cluster).values())
        for cluster in set(found)
    )
    return sum(most) / len(gold)


CLUSTERS = {
    "v_measure": of_sides(normalized_mutual_info_score),
    "homogeneity": of_sides(homogeneity_score),
    "completeness": of_sides(completeness_score),
    "adjusted_rand": of_sides(adjusted_rand_score),
    "b_cubed_f1": of_sides(b_cubed_f1),
    "b_cubed_precision": of_sides(b_cubed),
    "b_cubed_recall": of_sides(lambda gold, found: b_cubed(found, gold)),
    "pair_f1": of_sides(pair_f1),
    "purity": of_sides(purity),
}
