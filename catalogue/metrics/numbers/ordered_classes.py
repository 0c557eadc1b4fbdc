"""Weighted kappa over the whole scale of ordered classes, their mean error over classes, and their closeness."""

from dataclasses import replace
from math import fsum, inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catalogue.answers import ORDERED, OrderedClass
from catalogue.comparison import Comparison, ConfusionMatrix
from catalogue.metrics import one_label
from catalogue.metrics.label_effect import unbounded
from catalogue.metrics.labels import beyond_chance
from catalogue.metrics.metric import AnyMetric, Metric, Undefined
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


def closeness(matrix: ConfusionMatrix) -> float:
    """Closeness evaluation measure (CEM-ORD): how much predictions tell of what the gold labels tell, in bits.

    From 0 (nothing) to 1 (all right). Never undefined. Two classes are the nearer, the fewer gold items lie between
    them: n of N gold items between the prediction and the gold class, the gold class included and the predicted one
    by half, tell -log2(n / N). So distances are those that the gold labels make, and no number of a class counts.

    Parameters
    ----------
    matrix : integer array of shape (class_count, class_count)
        Rows gold classes, columns predictions, from the lowest class to the highest; at least one item.

    Returns
    -------
    float

    References
    ----------
    Amigó et al. (2020), doi:10.18653/v1/2020.acl-main.363; EvALL, CEM-Ord.

    Examples
    --------
    >>> round(closeness(np.array([[2, 0, 0], [0, 2, 0], [0, 1, 3]])), 4)
    0.9339
    """
    bits = _bits(matrix.sum(axis=1))
    most = matrix.sum(axis=1) * np.diagonal(bits)
    return fsum((matrix * bits).ravel().tolist()) / fsum(most.tolist())


def _bits(gold: NDArray[Any]) -> Floats:
    """What each prediction (second axis) of each gold class (first) tells; 0 of gold classes that no item has.

    Axes of resamples may follow that of the classes in `gold`.
    """
    up_to = np.cumsum(gold, axis=0)
    below = up_to - gold
    from_above = up_to[None, :] - below[:, None] - gold[None, :] / 2  # the prediction is the higher class
    from_below = up_to[:, None] - below[None, :] - gold[None, :] / 2
    place = np.arange(len(gold)).reshape(-1, *[1] * gold.ndim)
    between = np.where(place >= place.swapaxes(0, 1), from_below, from_above) / up_to[-1]
    has_items = np.broadcast_to(gold[:, None] > 0, between.shape)
    return np.asarray(-np.log2(between, where=has_items, out=np.zeros(between.shape)))


def _closeness_along(matrix: ConfusionMatrix) -> Floats:
    gold = matrix.sum(axis=1)
    bits = _bits(gold)
    most = (gold * np.einsum("ii...->i...", bits)).sum(axis=0)
    return np.asarray((matrix * bits).sum(axis=(0, 1)) / most)


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
        kinds=ORDERED,
        statistic=Statistic(collect, DeterminedBy.CELLS),
        formula=kappa_weighted,
        resampled=AlongCounts(_kappa_along),
        low=-1.0,
        reference="doi:10.1037/h0026256; scikit-learn, cohen_kappa_score",
        undefined={
            "no_expected_disagreement": "Gold labels and predictions are all the same class, so chance agrees as well."
        },
    )


def _of_classes(metric: AnyMetric) -> AnyMetric:
    """A metric of one label for classes: of these cells are counted, for none of them is a declared label."""
    statistic, effect = metric.statistic, metric.label_effect
    if statistic.determined_by is not DeterminedBy.TOTAL:
        statistic, effect = Statistic(statistic.collect, DeterminedBy.CELLS), unbounded
    return replace(metric, kinds=(OrderedClass,), statistic=statistic, label_effect=effect)


METRICS = (
    *map(_of_classes, (*one_label.METRICS, *beyond_chance.METRICS)),
    _kappa("kappa_linear", "Linear weighted kappa, classes seen", 1, is_of_scale=False),
    _kappa("kappa_linear_scale", "Linear weighted kappa, whole scale", 1, is_of_scale=True),
    _kappa("kappa_quadratic_scale", "Quadratic weighted kappa, whole scale", 2, is_of_scale=True),
    Metric(
        name="mae_macro",
        title="Mean absolute error over classes",
        kinds=ORDERED,
        statistic=MATRIX,
        formula=mae_macro,
        resampled=AlongCounts(_mae_macro_along),
        higher_is_better=False,
        high=inf,
        is_distance=True,
        reference="SemEval-2016 Task 4 C (doi:10.1109/ISDA.2009.230)",
    ),
    Metric(
        name="closeness",
        title="Closeness (CEM)",
        kinds=ORDERED,
        statistic=MATRIX,
        formula=closeness,
        resampled=AlongCounts(_closeness_along),
        needs_one_gold=True,
        reference="doi:10.18653/v1/2020.acl-main.363 (CEM-ORD); EvALL",
    ),
)
