"""How near numbers are to the gold ones, by their means, squares and products: R² and the concordance correlation."""

import sys
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catalogue.answers import Number, OrderedClass
from catalogue.metrics.errors import absolute_errors
from catalogue.metrics.metric import Metric, Undefined
from catalogue.metrics.statistics import ARRAYS, DeterminedBy, Floats, OfMoments, Statistic

_ROUNDING = 1e-12  # what rounding leaves of a constant, relative to its squares


def r2(y_true: NDArray[Any], y_pred: NDArray[Any]) -> float | Undefined:
    """Coefficient of determination: how much smaller squared errors are than those of always saying the gold mean.

    Without a lower end, over 0 (as good as the gold mean) to 1 (all right). Undefined, with code `constant_gold`,
    where the gold labels are all equal; scikit-learn says 0 or 1 there.

    Parameters
    ----------
    y_true, y_pred : float or integer array of shape (n_items,)
        Finite numbers; `y_pred[i]` answers `y_true[i]`.

    Returns
    -------
    float or Undefined

    Notes
    -----
    Errors and deviations are each brought to the size of 1, so that no square leaves the range of floats.

    References
    ----------
    scikit-learn, `r2_score`.

    Examples
    --------
    >>> r2(np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 4.0]))
    0.5
    """
    moved = y_true.astype(np.float64) - float(y_true[0])
    if not (spread := float(np.abs(moved).max())):
        return Undefined("constant_gold")
    errors = absolute_errors(y_true, y_pred)
    size = float(errors.max()) or 1.0
    moved /= spread
    share = float(np.square(errors / size).sum()) / float(np.square(moved - moved.mean()).sum())
    return max(-sys.float_info.max, 1 - share * (size / spread) * (size / spread))


def ccc(y_true: NDArray[Any], y_pred: NDArray[Any]) -> float | Undefined:
    """Lin's concordance correlation: how near the predictions are to the gold labels themselves, not to any line.

    From -1 (reversed) over 0 (no relation, or a constant prediction) to 1 (all right). Variances are divided by the
    number of items. Undefined, with code `all_equal`, where gold labels and predictions are one and the same number.

    Parameters
    ----------
    y_true, y_pred : float or integer array of shape (n_items,)
        Finite numbers; `y_pred[i]` answers `y_true[i]`.

    Returns
    -------
    float or Undefined

    References
    ----------
    Lin (1989), doi:10.2307/2532051; AVEC challenges.

    Examples
    --------
    >>> ccc(np.array([0.0, 1.0, 2.0]), np.array([1.0, 2.0, 3.0]))
    0.5714285714285714
    """
    gold, predicted = (values.astype(np.float64) - float(y_true[0]) for values in (y_true, y_pred))
    if not (size := float(max(np.abs(gold).max(), np.abs(predicted).max()))):
        return Undefined("all_equal")
    gold, predicted = gold / size, predicted / size
    apart = float(gold.mean()) - float(predicted.mean())
    gold, predicted = gold - gold.mean(), predicted - predicted.mean()
    spread = float(np.square(gold).mean()) + float(np.square(predicted).mean()) + apart * apart
    return max(-1.0, min(1.0, 2 * float((gold * predicted).mean()) / spread)) if spread else 0.0


def _r2_along(sums: Floats, total: Floats) -> Floats:
    x, _, xx, yy, xy = sums
    errors, spread = xx - 2 * xy + yy, xx - x * x / total
    varies = spread > _ROUNDING * xx
    return np.where(varies, 1 - errors / np.where(varies, spread, 1.0), np.nan)


def _ccc_along(sums: Floats, total: Floats) -> Floats:
    x, y, xx, yy, xy = sums / total
    spread = xx - 2 * x * y + yy  # both variances, and the squared distance of the means
    varies = spread > _ROUNDING * (xx + yy)
    return np.where(varies, np.clip(2 * (xy - x * y) / np.where(varies, spread, 1.0), -1.0, 1.0), np.nan)


_ITEMS = Statistic(ARRAYS.collect, DeterminedBy.CELLS)

METRICS = (
    Metric(
        name="r2",
        title="R²",
        needs_one_gold=True,
        kinds=(Number, OrderedClass),
        statistic=_ITEMS,
        formula=r2,
        resampled=OfMoments(_r2_along),
        low=-inf,
        reference="scikit-learn, r2_score",
        undefined={"constant_gold": "All gold labels are equal, so that there is nothing to explain."},
    ),
    Metric(
        name="ccc",
        title="Concordance correlation",
        needs_one_gold=True,
        kinds=(Number, OrderedClass),
        statistic=_ITEMS,
        formula=ccc,
        resampled=OfMoments(_ccc_along),
        low=-1.0,
        reference="Lin (1989), doi:10.2307/2532051",
        undefined={"all_equal": "Gold labels and predictions are all the same number."},
    ),
)
