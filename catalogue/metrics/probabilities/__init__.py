"""Metrics for a probability per label: how far off items are, how far confidence holds, how well items are ordered.

Gold labels are codes, or for each label 0 and 1, or shares as predictions are; predictions are rows of probabilities.
Out come numbers, `Metric`s in `METRICS`.
"""

from catalogue.metrics.probabilities import (
    calibration,
    curves,
    distances,
    majorities,
    of_subsets,
    soft_gold,
    soft_information,
    undecided,
)

METRICS = (
    *distances.METRICS,
    *calibration.METRICS,
    *curves.METRICS,
    *of_subsets.METRICS,
    *soft_gold.METRICS,
    *soft_information.METRICS,
    *majorities.METRICS,
    *undecided.METRICS,
)
