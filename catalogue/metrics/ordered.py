"""Quadratic weighted kappa of ordered classes."""

import numpy as np
from numpy.typing import NDArray

from catalogue.answers import OrderedClass
from catalogue.comparison import Comparison, ConfusionMatrix
from catalogue.metrics.metric import Metric, Undefined
from catalogue.metrics.one_label import share_or_nan
from catalogue.metrics.statistics import AlongCounts, DeterminedBy, Floats, Statistic

_UNDEFINED = {
    "too_few_items": "No item is compared.",
    "no_class_in_common": "No prediction is one of the classes seen in the gold labels.",
    "no_expected_disagreement": "Gold labels and predictions are all the same class, so chance agrees as well.",
}


def kappa_quadratic(matrix: ConfusionMatrix, seen: NDArray[np.bool_]) -> float | Undefined:
    """Agreement beyond chance, each disagreement weighted by the square of its distance.

    From -1 (worse than chance; reached only by systematic reversal) over 0 (as good as chance) to 1 (all
    right). Distance is counted in steps between the classes *seen* in the gold labels, so that a class no gold
    item has makes no step; items whose prediction is not such a class are left out. A constant prediction
    scores 0. Undefined without items (`too_few_items`), if varying predictions are all left out
    (`no_class_in_common`), and if gold labels and predictions are one and the same class
    (`no_expected_disagreement`).

    Parameters
    ----------
    matrix : integer array of shape (class_count, class_count)
        Rows gold classes, columns predictions, from the lowest class to the highest.
    seen : bool array of shape (class_count,)
        The classes that occur in the gold labels of the whole split, also where `matrix` is of a stratum.

    Returns
    -------
    float or Undefined

    References
    ----------
    Cohen (1968), doi:10.1037/h0026256; scikit-learn,
    `cohen_kappa_score(weights="quadratic", labels=<classes seen in the gold labels>)`; SemEval-2018 Task 1.

    Examples
    --------
    >>> matrix = np.array([[2, 1, 0], [0, 2, 0], [0, 0, 3]])
    >>> kappa_quadratic(matrix, matrix.any(axis=1))
    0.9090909090909091
    """
    if not matrix.any():
        return Undefined("too_few_items")
    compared = matrix[np.ix_(seen, seen)]
    item_count = int(compared.sum())
    if not item_count:
        is_constant = np.count_nonzero(matrix.any(axis=0)) == 1
        return 0.0 if is_constant else Undefined("no_class_in_common")
    step = np.arange(len(compared))
    weights = (step[:, None] - step) ** 2
    observed = int((weights * compared).sum()) * item_count
    expected = int((weights * np.outer(compared.sum(axis=1), compared.sum(axis=0))).sum())
    return 1 - observed / expected if expected else Undefined("no_expected_disagreement")


def _kappa_along(matrix: ConfusionMatrix, seen: NDArray[np.bool_]) -> Floats:
    """Steps are counted between the classes seen in a resample, which may lack some of the split's."""
    compared = matrix * (seen[:, None] & seen[None, :])
    step = np.cumsum(seen, axis=0)
    weights = (step[:, None] - step[None, :]) ** 2
    observed = (weights * compared).sum(axis=(0, 1)) * compared.sum(axis=(0, 1))
    chance = compared.sum(axis=1)[:, None] * compared.sum(axis=0)[None, :]
    kappa = 1 - share_or_nan(observed, (weights * chance).sum(axis=(0, 1)))
    # Nothing left to compare: 0 for a constant prediction, undefined otherwise, as of one matrix.
    is_constant = np.count_nonzero(matrix.any(axis=0), axis=0) == 1
    return np.where(compared.any(axis=(0, 1)) | ~is_constant, kappa, 0.0)


def _all_items(comparison: Comparison) -> tuple[ConfusionMatrix, NDArray[np.bool_]]:
    return comparison.matrix, comparison.counts.gold > 0


def _some_items(comparison: Comparison) -> tuple[ConfusionMatrix, NDArray[np.bool_]]:
    """The items whose gold class is not 0, with the classes seen in all gold labels."""
    matrix, seen = _all_items(comparison)
    if "0" in (classes := comparison.output.classes):
        matrix = matrix.copy()
        matrix[classes.index("0")] = 0
    return matrix, seen


METRICS = tuple(
    Metric(
        name=name,
        title=title,
        kinds=(OrderedClass,),
        statistic=Statistic(collect, DeterminedBy.CELLS),
        formula=kappa_quadratic,
        resampled=AlongCounts(_kappa_along),
        low=-1.0,
        reference="SemEval-2018 Task 1, official scorer (doi:10.18653/v1/S18-1001)",
        undefined=_UNDEFINED,
        needs_one_gold=True,
    )
    for name, title, collect in (
        ("kappa_quadratic", "Quadratic weighted kappa", _all_items),
        ("kappa_quadratic_some", "Quadratic weighted kappa, gold not 0", _some_items),
    )
)
