"""How far confidence lies from how often it is right, in bins of equal width: ECE and MCE."""

import re
from math import fsum

import numpy as np
from numpy.typing import NDArray

from catalogue.answers import AnswerKind, Probabilities
from catalogue.metrics.metric import Metric, nothing_lacking
from catalogue.metrics.probabilities.reading import Flags, lacking_positive, likeliest, positives
from catalogue.metrics.statistics import DeterminedBy, Floats, Statistic, SumsOfItems, quotient

_GUO = "Guo et al. (2017), arXiv:1706.04599"
_MOST_BINS = 50
_NAME = re.compile(r"(ece_top|mce_top|ece_positive)_([1-9][0-9]?)")


def expected_calibration_error(is_right: Flags, confidence: Floats, bins: int) -> float:
    """Mean over bins, weighted by their items, of how far the share that is right lies from the mean confidence.

    From 0 (each bin as often right as it says) to 1; the lower, the better. Never undefined. Bins are of equal width,
    ((k - 1)/B, k/B]; a confidence of 0 stands in the first.

    Parameters
    ----------
    is_right : bool array of shape (n_items,)
        Whether the likeliest label is the gold label, or whether an item has the positive label.
    confidence : float array of shape (n_items,)
        The probability of that label, from 0 to 1.
    bins : int
        How many there are, B.

    Returns
    -------
    float

    References
    ----------
    Guo et al. (2017), "On Calibration of Modern Neural Networks", arXiv:1706.04599.

    Examples
    --------
    >>> round(expected_calibration_error(np.array([True, False, True]), np.array([0.9, 0.9, 0.2]), 10), 6)
    0.533333
    """
    return float(_expected(_sums(is_right, confidence, bins)))


def maximum_calibration_error(is_right: Flags, confidence: Floats, bins: int) -> float:
    """The largest distance, over bins that have items, of the share that is right from the mean confidence.

    From 0 (each bin as often right as it says) to 1; the lower, the better. Never undefined. Bins as in the expected
    calibration error.

    Parameters
    ----------
    is_right : bool array of shape (n_items,)
    confidence : float array of shape (n_items,)
    bins : int

    Returns
    -------
    float

    References
    ----------
    Guo et al. (2017), "On Calibration of Modern Neural Networks", arXiv:1706.04599.

    Examples
    --------
    >>> maximum_calibration_error(np.array([True, False, True]), np.array([0.9, 0.9, 0.2]), 10)
    0.8
    """
    return float(_largest(_sums(is_right, confidence, bins)))


def in_bins(is_right: Flags, confidence: Floats, bins: int) -> Floats:
    """Per bin and item what is right less confidence, then whether the item is in it: shape (2 * bins, n_items)."""
    place, items = _bins_of(confidence, bins), np.arange(len(confidence))
    rows = np.zeros((2 * bins, len(confidence)))
    rows[place, items] = is_right - confidence
    rows[bins + place, items] = 1
    return rows


def _bins_of(confidence: Floats, bins: int) -> NDArray[np.intp]:
    ends = np.arange(1, bins + 1) / bins
    return np.searchsorted(ends, confidence, side="left")


def _sums(is_right: Flags, confidence: Floats, bins: int) -> Floats:
    return np.array([fsum(row) for row in in_bins(is_right, confidence, bins).tolist()])


def _expected(sums: Floats) -> Floats:
    apart, counts = np.split(sums, 2)
    return np.asarray(np.abs(apart).sum(axis=0) / counts.sum(axis=0))


def _largest(sums: Floats) -> Floats:
    apart, counts = np.split(sums, 2)
    return np.asarray(quotient(np.abs(apart), counts, 0.0).max(axis=0))


def binned_metric(kind: AnswerKind, name: str) -> Metric[Flags, Floats, int] | None:
    """The metric `ece_top_<bins>`, `mce_top_<bins>` or `ece_positive_<bins>`, of 1 to 50 bins. None if it is none.

    Examples
    --------
    >>> kind = Probabilities(("no", "yes"))
    >>> binned_metric(kind, "ece_top_20").title
    'Expected calibration error, 20 bins'
    >>> binned_metric(kind, "ece_positive_20") is None  # `positive` is not declared
    True
    """
    found = _NAME.fullmatch(name)
    if not found or int(found[2]) > _MOST_BINS:
        return None
    metric = _metric(found[1], int(found[2]))
    return metric if type(kind) in metric.kinds and not metric.lacking(kind) else None


def _metric(family: str, bins: int) -> Metric[Flags, Floats, int]:
    is_of_positive, is_largest = family == "ece_positive", family == "mce_top"
    read, of = (positives, " of the positive label") if is_of_positive else (likeliest, "")
    which = "Maximum" if is_largest else "Expected"
    return Metric(
        name=f"{family}_{bins}",
        title=f"{which} calibration error{of}, {bins} bins",
        kinds=(Probabilities,),
        statistic=Statistic(lambda comparison: (*read(comparison), bins), DeterminedBy.ITEMS),
        formula=maximum_calibration_error if is_largest else expected_calibration_error,
        resampled=SumsOfItems(in_bins, _largest if is_largest else _expected),
        higher_is_better=False,
        reference=_GUO,
        lacking=lacking_positive if is_of_positive else nothing_lacking,
    )


# Any other number of bins is made as it is asked for.
METRICS = (_metric("ece_top", 15), _metric("mce_top", 15), _metric("ece_positive", 10))
