"""Weighted kappa over the whole scale of ordered classes, and their mean error over classes."""

from math import fsum, inf

import numpy as np
from numpy.typing import NDArray

from catalogue.answers import OrderedClass
from catalogue.comparison import Comparison, ConfusionMatrix
from catalogue.metrics.metric import Metric, Undefined
from catalogue.metrics.one_label import share, share_or_nan
from catalogue.metrics.statistics import MATRIX, AlongCounts, DeterminedBy, Floats, Statistic


def kappa_weighted(matrix: ConfusionMatrix, steps: NDArray[np.intp], power: int) -> float | Undefined:
    """Agreement beyond chance, each disagreement weighted by its distance or by the square of it.

    From -1 (worse than chance; reached only by systematic reversal) over 0 (as good as chance) to 1 (all right). A
    constant prediction scores 0. Undefined, with code `no_expected_disagreement`, where gold labels and predictions
    are one and the same class.

    Parameters
    ----------
    matrix : integer array of shape (class_count, class_count)
        Rows gold classes, columns predictions, from the lowest class to the highest.
    steps : integer array of shape (class_count,)
        Where each class stands: its value on the scale, or its position among the classes seen.
    power : int
        1 for linear weights, 2 for quadratic ones.

    Returns
    -------
    float or Undefined

    References
    ----------
    Cohen (1968), doi:10.1037/h0026256; scikit-learn, `cohen_kappa_score`, with `labels=<whole scale>` for the scale.

    Examples
    --------
    >>> kappa_weighted(np.array([[2, 1, 0], [0, 2, 0], [0, 0, 3]]), np.arange(3), 1)
    0.8620689655172413
    """
    weights = np.abs(steps[:, None] - steps) ** power
    observed = int((weights * matrix).sum()) * int(matrix.sum())
    expected = int((weights * np.outer(matrix.sum(axis=1), matrix.sum(axis=0))).sum())
    return 1 - observed / expected if expected else Undefined("no_expected_disagreement")


def mae_macro(matrix: ConfusionMatrix) -> float:
    """Mean over the classes in the gold labels of how far predictions of a class lie from it on average.

    From 0 (all right) to the length of the scale; the lower, the better. Never undefined. Rare classes count as much
    as frequent ones, so that a constant prediction is no good answer.

    Parameters
    ----------
    matrix : integer array of shape (class_count, class_count)
        Rows gold classes, columns predictions, from the lowest class to the highest; at least one item.

    Returns
    -------
    float

    References
    ----------
    Baccianella et al. (2009), doi:10.1109/ISDA.2009.230; SemEval-2016 Task 4 C.

    Examples
    --------
    >>> mae_macro(np.array([[3, 1, 0], [0, 0, 0], [0, 0, 1]]))
    0.125
    """
    gold = matrix.sum(axis=1)
    errors = (_distances(len(matrix)) * matrix).sum(axis=1)[gold > 0] / gold[gold > 0]
    return fsum(errors.tolist()) / len(errors)


def _distances(count: int) -> NDArray[np.intp]:
    return np.asarray(np.abs(np.arange(count)[:, None] - np.arange(count)))


def _mae_macro_along(matrix: ConfusionMatrix) -> Floats:
    gold = matrix.sum(axis=1)
    errors = (_distances(len(matrix))[:, :, None] * matrix).sum(axis=1)
    return share(share(errors, gold).sum(axis=0), np.count_nonzero(gold, axis=0))


def _kappa_along(matrix: ConfusionMatrix, steps: NDArray[np.intp], power: int) -> Floats:
    weights = np.abs(steps[:, None] - steps[None, :]) ** power
    weights = weights.reshape(*weights.shape[:2], -1)
    observed = (weights * matrix).sum(axis=(0, 1)) * matrix.sum(axis=(0, 1))
    chance = matrix.sum(axis=1)[:, None] * matrix.sum(axis=0)[None, :].astype(np.int64)
    return 1 - share_or_nan(observed, (weights * chance).sum(axis=(0, 1)))


def _on_scale(comparison: Comparison) -> tuple[ConfusionMatrix, NDArray[np.intp]]:
    return comparison.matrix, np.arange(len(comparison.matrix))


def _among_seen(comparison: Comparison) -> tuple[ConfusionMatrix, NDArray[np.intp]]:
    matrix = comparison.matrix
    return matrix, np.cumsum(matrix.any(axis=0) | matrix.any(axis=1), axis=0)


def _kappa(
    name: str, title: str, power: int, *, is_of_scale: bool
) -> Metric[ConfusionMatrix, NDArray[np.intp], int]:
    steps = _on_scale if is_of_scale else _among_seen

    def collect(comparison: Comparison) -> tuple[ConfusionMatrix, NDArray[np.intp], int]:
        return *steps(comparison), power

    return Metric(
        name=name,
        title=title,
        needs_one_gold=True,
        kinds=(OrderedClass,),
        statistic=Statistic(collect, DeterminedBy.CELLS),
        formula=kappa_weighted,
        resampled=AlongCounts(_kappa_along),
        low=-1.0,
        reference="doi:10.1037/h0026256; scikit-learn, cohen_kappa_score",
        undefined={
            "no_expected_disagreement": "Gold labels and predictions are all the same class, so chance agrees as well."
        },
    )


METRICS = (
    _kappa("kappa_linear", "Linear weighted kappa, classes seen", 1, is_of_scale=False),
    _kappa("kappa_linear_scale", "Linear weighted kappa, whole scale", 1, is_of_scale=True),
    _kappa("kappa_quadratic_scale", "Quadratic weighted kappa, whole scale", 2, is_of_scale=True),
    Metric(
        name="mae_macro",
        title="Mean absolute error over classes",
        kinds=(OrderedClass,),
        statistic=MATRIX,
        formula=mae_macro,
        resampled=AlongCounts(_mae_macro_along),
        higher_is_better=False,
        high=inf,
        is_distance=True,
        reference="SemEval-2016 Task 4 C (doi:10.1109/ISDA.2009.230)",
    ),
)
