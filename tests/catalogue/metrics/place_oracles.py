"""Distances of places from scikit-learn, pair by pair."""

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.metrics.pairwise import haversine_distances

from catalogue.answers.arrays import as_table


def kilometres(case: Any) -> list[float]:
    pairs = zip(*(np.radians(as_table(side)) for side in (case.y_true, case.y_pred)), strict=True)
    return [6371.0088 * float(haversine_distances(gold[None], found[None])[0, 0]) for gold, found in pairs]


PLACES: dict[str, Callable[[Any], float | None]] = {
    "mean_distance_km": lambda case: float(np.mean(kilometres(case))),
    "median_distance_km": lambda case: float(np.median(kilometres(case))),
    "within_161_km": lambda case: float(np.mean([far <= 161 for far in kilometres(case)])),
}
