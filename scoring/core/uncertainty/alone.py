"""Intervals of one system's scores by themselves, without a server and without other systems to pair them with."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from catalogue.comparison import Comparison
from catalogue.metrics.choice import metric_for
from scoring.core.uncertainty.cells import cell_scores
from scoring.core.uncertainty.intervals import Interval, calibrated, interval
from scoring.core.uncertainty.replicates import replicate_scores
from scoring.core.uncertainty.weights import item_weights


def intervals_of(
    comparison: Comparison,
    values: Mapping[str, float],
    seed: bytes,
    clusters: NDArray[np.integer] | None = None,
) -> dict[str, Interval]:
    """The 95 % interval of each score that has one.

    Parameters
    ----------
    comparison : Comparison
        What was scored.
    values : mapping of metric name to float
        The scores.
    seed : bytes
        Of the resamples: 10,000 where a metric follows from a confusion matrix, 1,000 elsewhere.
    clusters : integer array of shape (n_items,), optional
        Items with the same number are drawn together.

    Returns
    -------
    dict of metric name to Interval
    """
    replicates = {}
    if clusters is None and comparison.output.classes:
        replicates = cell_scores(comparison, list(values), seed)
    others = [name for name in values if name not in replicates]
    if others:
        weights = item_weights(seed, len(comparison.y_true), clusters=clusters)
        replicates |= replicate_scores(comparison, others, weights)
    found = {}
    for name, value in values.items():
        metric = metric_for(comparison.output, name)
        spread = calibrated(comparison, metric, value, replicates[name])
        if (ends := interval(value, spread, metric.low, metric.high)) is not None:
            found[name] = ends
    return found
