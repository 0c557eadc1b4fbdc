"""Mean and median distance in kilometres, and the share of items that lie within so many."""

import re
from functools import lru_cache, partial
from math import pi
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catalogue.answers import AnswerKind, PlaceOnEarth
from catalogue.answers.structured.place import EARTH_RADIUS, distances
from catalogue.comparison import Comparison
from catalogue.metrics.label_effect import one_item
from catalogue.metrics.metric import Metric
from catalogue.metrics.statistics import (
    ARRAYS,
    AlongWeights,
    DeterminedBy,
    Floats,
    MeanOfItems,
    Statistic,
    Weights,
    some_at_once,
)

Places = NDArray[Any]

_NAME = re.compile(r"within_([1-9][0-9]{0,4})_km")
_COMMON = 161  # 100 miles
_HALF_ROUND = pi * EARTH_RADIUS
_REFERENCE = "scikit-learn, haversine_distances, times a radius of 6371.0088 km"
_GOLD, _FOUND = (
    PlaceOnEarth().array(places) for places in ([(0, 0), (0, 0), (50, 8)], [(0, 1), (0, 3), (50, 8)])
)


def mean_distance_km(y_true: Places, y_pred: Places) -> float:
    """Mean distance between answer and gold label along the great circle, in kilometres.

    From 0 (all right) to 20,015, half the way round; the lower, the better. Never undefined.

    Parameters
    ----------
    y_true, y_pred : places, array of shape (n_items,)
        Latitudes and longitudes in degrees, at least one item.

    Returns
    -------
    float

    References
    ----------
    scikit-learn, `haversine_distances`.

    Examples
    --------
    A degree of the equator is 111.2 km.

    >>> round(mean_distance_km(_GOLD, _FOUND), 1)
    148.3
    """
    return float(distances(y_true, y_pred).mean())


def median_distance_km(y_true: Places, y_pred: Places) -> float:
    """Median distance between answer and gold label along the great circle, in kilometres.

    From 0 to 20,015; the lower, the better. Of an even number of items the mean of the two in the middle. Never
    undefined.

    Parameters
    ----------
    y_true, y_pred : places, array of shape (n_items,)
        Latitudes and longitudes in degrees, at least one item.

    Returns
    -------
    float

    References
    ----------
    numpy, `median`; VarDial 2020 and 2021, social media variety geolocation, https://aclanthology.org/2020.vardial-1.1.

    Examples
    --------
    >>> round(median_distance_km(_GOLD, _FOUND), 1)
    111.2
    """
    return float(np.median(distances(y_true, y_pred)))


def within_km(y_true: Places, y_pred: Places, kilometres: float) -> float:
    """Share of items whose answer is at most so many kilometres from the gold label along the great circle.

    From 0 to 1. Never undefined.

    Parameters
    ----------
    y_true, y_pred : places, array of shape (n_items,)
        Latitudes and longitudes in degrees, at least one item.
    kilometres : float
        At least 0.

    Returns
    -------
    float

    References
    ----------
    Accuracy within 161 km: Cheng et al. (2010), doi:10.1145/1871437.1871535; W-NUT 2016.

    Examples
    --------
    >>> round(within_km(_GOLD, _FOUND, 161), 4)
    0.6667
    """
    return float(_are_within(y_true, y_pred, kilometres).mean())


def within_metric(kind: AnswerKind, name: str) -> Metric[Places, Places, float] | None:
    """The metric `within_<kilometres>_km`, of 1 to 99,999; None if it is none.

    >>> within_metric(PlaceOnEarth(), "within_25_km").title
    'Within 25 km'
    """
    found = _NAME.fullmatch(name)
    return _within(int(found[1])) if found else None


def _are_within(y_true: Places, y_pred: Places, kilometres: float) -> Floats:
    return np.asarray(distances(y_true, y_pred) <= kilometres, dtype=np.float64)


def _median_along(y_true: Places, y_pred: Places, by_item: Weights) -> Floats:
    """The median of each resample, of whose items each counts as often as it was drawn."""
    far = distances(y_true, y_pred)
    order = np.argsort(far, kind="stable")
    return np.concatenate([_medians(far[order], some[order]) for some in some_at_once(by_item)])


def _medians(ordered: Floats, times: Weights) -> Floats:
    so_far = np.cumsum(times, axis=0)
    count = so_far[-1]
    # The first place up to which there are more items than lie before the middle one, or the two of them.
    lower, upper = ((so_far > middle).argmax(axis=0) for middle in ((count - 1) // 2, count // 2))
    return np.asarray((ordered[lower] + ordered[upper]) / 2)


def _places_and(kilometres: float, comparison: Comparison) -> tuple[Places, Places, float]:
    return comparison.y_true, comparison.y_pred, kilometres


@lru_cache(maxsize=32)
def _within(kilometres: int) -> Metric[Places, Places, float]:
    return Metric(
        name=f"within_{kilometres}_km",
        title=f"Within {kilometres:,} km",
        kinds=(PlaceOnEarth,),
        statistic=Statistic(partial(_places_and, float(kilometres)), DeterminedBy.TOTAL),
        formula=within_km,
        resampled=MeanOfItems(_are_within),
        label_effect=one_item,
        reference=f"doi:10.1145/1871437.1871535; {_REFERENCE}",
    )


METRICS = (
    Metric(
        name="mean_distance_km",
        title="Mean distance in km",
        kinds=(PlaceOnEarth,),
        statistic=ARRAYS,
        formula=mean_distance_km,
        resampled=MeanOfItems(distances),
        higher_is_better=False,
        high=_HALF_ROUND,
        reference=_REFERENCE,
    ),
    Metric(
        name="median_distance_km",
        title="Median distance in km",
        kinds=(PlaceOnEarth,),
        statistic=ARRAYS,
        formula=median_distance_km,
        resampled=AlongWeights(_median_along),
        higher_is_better=False,
        high=_HALF_ROUND,
        reference=f"numpy, median; {_REFERENCE}",
    ),
    _within(_COMMON),
)
