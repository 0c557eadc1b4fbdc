"""Mean errors of numbers and ordered classes: how far predictions lie from the gold labels."""

from math import inf, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catalogue.answers import ORDERED, Number
from catalogue.comparison import Comparison
from catalogue.metrics.metric import Metric
from catalogue.metrics.statistics import DeterminedBy, Floats, MeanOfItems, Statistic

_CLASSES_OR_NUMBERS = (Number, *ORDERED)


def mae(y_true: NDArray[Any], y_pred: NDArray[Any]) -> float:
    """Mean absolute error: the mean distance between prediction and gold label, in the unit of the labels.

    From 0 (all right) without an upper end; the lower, the better. Never undefined.

    Parameters
    ----------
    y_true, y_pred : float or integer array of shape (n_items,)
        Finite numbers; `y_pred[i]` answers `y_true[i]`.

    Returns
    -------
    float

    References
    ----------
    scikit-learn, `mean_absolute_error`.

    Examples
    --------
    >>> mae(np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 6.0]))
    1.0
    """
    errors, size = _scaled(y_true, y_pred)
    return size * float(errors.mean())


def rmse(y_true: NDArray[Any], y_pred: NDArray[Any]) -> float:
    """Root of the mean squared error, in the unit of the labels: large errors count more than in the mean one.

    From 0 (all right) without an upper end; the lower, the better. Never undefined.

    Parameters
    ----------
    y_true, y_pred : float or integer array of shape (n_items,)
        Finite numbers; `y_pred[i]` answers `y_true[i]`.

    Returns
    -------
    float

    References
    ----------
    scikit-learn, `root_mean_squared_error`.

    Examples
    --------
    >>> rmse(np.array([1.0, 2.0, 3.0, 4.0]), np.array([1.0, 2.0, 3.0, 8.0]))
    2.0
    """
    errors, size = _scaled(y_true, y_pred)
    return size * sqrt(float(np.square(errors).mean()))


def absolute_errors(y_true: NDArray[Any], y_pred: NDArray[Any]) -> Floats:
    """Per item, how far the prediction lies from the gold label."""
    return np.abs(y_true.astype(np.float64) - y_pred.astype(np.float64))


def _squared_errors(y_true: NDArray[Any], y_pred: NDArray[Any]) -> Floats:
    return np.square(absolute_errors(y_true, y_pred))


def _scaled(y_true: NDArray[Any], y_pred: NDArray[Any]) -> tuple[Floats, float]:
    """The absolute errors in units of the largest, and that one, so that no square leaves the range of floats."""
    errors = absolute_errors(y_true, y_pred)
    size = float(errors.max()) or 1.0
    return errors / size, size


def _arrays(comparison: Comparison) -> tuple[NDArray[Any], NDArray[Any]]:
    return comparison.y_true, comparison.y_pred


_ITEMS = Statistic(_arrays, DeterminedBy.CELLS)

METRICS = (
    Metric(
        name="mae",
        title="Mean absolute error",
        kinds=_CLASSES_OR_NUMBERS,
        statistic=_ITEMS,
        formula=mae,
        resampled=MeanOfItems(absolute_errors),
        higher_is_better=False,
        high=inf,
        is_distance=True,
        reference="scikit-learn, mean_absolute_error",
    ),
    Metric(
        name="rmse",
        title="Root mean squared error",
        kinds=_CLASSES_OR_NUMBERS,
        statistic=_ITEMS,
        formula=rmse,
        resampled=MeanOfItems(_squared_errors, np.sqrt),
        higher_is_better=False,
        high=inf,
        is_distance=True,
        reference="scikit-learn, root_mean_squared_error",
    ),
)
