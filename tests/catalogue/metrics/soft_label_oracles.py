"""What scipy and scikit-learn say of shares of labels beside gold labels that are shares, item by item."""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.spatial.distance import jensenshannon
from scipy.special import rel_entr
from scipy.stats import wasserstein_distance
from sklearn.metrics import accuracy_score, f1_score

from catalogue.answers.arrays import as_table
from tests.catalogue.metrics.information_oracles import SOFT_ORACLES


def mean(of_item: Callable[[np.ndarray, np.ndarray], float]) -> Callable[[Any], float]:
    def oracle(case: Any) -> float:
        rows = zip(as_table(case.y_true), as_table(case.y_pred), strict=True)
        return float(np.mean([of_item(gold, found) for gold, found in rows]))

    return oracle


def cross_entropy(case: Any) -> float:
    """With the clipping that the participants of SemEval-2023 Task 11 published."""
    near = np.clip(as_table(case.y_pred), 1e-12, 1 - 1e-12) + 1e-9
    return float(-np.sum(as_table(case.y_true) * np.log(near)) / len(case.y_true))


def of_majority(score: Callable[..., float], **options: Any) -> Callable[[Any], float | None]:
    def oracle(case: Any) -> float | None:
        pairs = [
            (gold.index(max(gold)), found.index(max(found)))
            for gold, found in zip(case.y_true.tolist(), case.y_pred.tolist(), strict=True)
            if sum(share == max(gold) for share in gold) == 1
        ]
        return float(score(*zip(*pairs, strict=True), **options)) if pairs else None

    return oracle


def steps(gold: np.ndarray, found: np.ndarray) -> float:
    places = range(len(gold))
    return float(wasserstein_distance(places, places, gold, found))


ORACLES = {
    "cross_entropy": cross_entropy,
    "kl_divergence": mean(lambda gold, found: float(rel_entr(gold, np.maximum(found, 1e-12)).sum())),
    "js_divergence": mean(lambda gold, found: float(jensenshannon(gold, found) ** 2)),
    "js_distance": mean(lambda gold, found: float(jensenshannon(gold, found))),
    "manhattan_distance": mean(lambda gold, found: float(np.abs(gold - found).sum())),
    "earth_movers_distance": mean(steps),
    "accuracy": of_majority(accuracy_score),
    "f1_micro": of_majority(f1_score, average="micro"),
    "f1_macro": of_majority(f1_score, average="macro", zero_division=0),
    **SOFT_ORACLES,
}
