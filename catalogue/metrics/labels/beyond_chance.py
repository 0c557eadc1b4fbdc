"""Metrics of one label per item that a system cannot win by naming the commonest label.

All follow from how often each label is right, predicted and in the gold labels. Beside each formula stands its form
along an axis of resamples; there counts have 32 bits, so that products of them are taken of floats.
"""

from math import fsum, sqrt

import numpy as np

from catalogue.comparison import LabelCounts
from catalogue.metrics.label_effect import mean_of_recall, unbounded
from catalogue.metrics.metric import Metric, Undefined
from catalogue.metrics.one_label import ONE_LABEL, share
from catalogue.metrics.statistics import COUNTS, AlongCounts, Floats

_NO_DISAGREEMENT = {
    "no_expected_disagreement": "Gold labels and predictions are all the same label, so chance agrees as well."
}


def balanced_accuracy(counts: LabelCounts) -> float:
    """Mean over the labels in the gold labels of the share of a label's gold items that are found.

    From 0 (no item right) to 1 (all right). Never undefined: a label without gold items is left out of the mean, also
    where it is predicted; `recall_macro` counts it 0 there.

    Parameters
    ----------
    counts : LabelCounts
        Per declared label how often it is right, predicted and in the gold labels; at least one item.

    Returns
    -------
    float

    References
    ----------
    scikit-learn, `balanced_accuracy_score`.

    Examples
    --------
    >>> balanced_accuracy(LabelCounts(right=np.array([1, 3]), predicted=np.array([1, 4]), gold=np.array([2, 3])))
    0.75
    """
    seen = counts.gold > 0
    recalls = counts.right[seen] / counts.gold[seen]
    return fsum(recalls.tolist()) / len(recalls)


def mcc(counts: LabelCounts) -> float:
    """Matthews' correlation of gold labels and predictions, of two labels or of many.

    From -1 (of two labels, all wrong) over 0 (as good as chance) to 1 (all right). 0 where the gold labels or the
    predictions are all the same label. Never undefined.

    Parameters
    ----------
    counts : LabelCounts
        Per declared label how often it is right, predicted and in the gold labels; at least one item.

    Returns
    -------
    float

    References
    ----------
    Gorodkin (2004), doi:10.1016/j.compbiolchem.2004.09.006; scikit-learn, `matthews_corrcoef`.

    Examples
    --------
    >>> mcc(LabelCounts(right=np.array([3, 1]), predicted=np.array([4, 2]), gold=np.array([4, 2])))
    0.25
    """
    agreed, chance, of_predicted, of_gold = _moments(counts)
    spread = of_predicted * of_gold
    return max(-1.0, min(1.0, (agreed - chance) / sqrt(spread))) if spread else 0.0


def kappa(counts: LabelCounts) -> float | Undefined:
    """Cohen's kappa: agreement of predictions with gold labels beyond chance, all disagreements alike.

    From -1 (worse than chance; reached only by systematic exchange) over 0 (as good as chance) to 1 (all right). A
    constant prediction scores 0. Undefined, with code `no_expected_disagreement`, where gold labels and predictions
    are one and the same label throughout.

    Parameters
    ----------
    counts : LabelCounts
        Per declared label how often it is right, predicted and in the gold labels; at least one item.

    Returns
    -------
    float or Undefined

    References
    ----------
    Cohen (1960), doi:10.1177/001316446002000104; scikit-learn, `cohen_kappa_score`.

    Examples
    --------
    >>> kappa(LabelCounts(right=np.array([3, 1]), predicted=np.array([4, 2]), gold=np.array([4, 2])))
    0.25
    """
    agreed, chance, _, _ = _moments(counts)
    item_count = int(counts.gold.sum())
    room = item_count**2 - chance
    return (agreed - chance) / room if room else Undefined("no_expected_disagreement")


def _moments(counts: LabelCounts) -> tuple[int, int, int, int]:
    """In units of pairs of items: agreement, agreement by chance, and how far predictions and gold labels vary."""
    right, predicted, gold = (of_labels.tolist() for of_labels in counts)
    item_count = sum(gold)
    return (
        sum(right) * item_count,
        sum(one * other for one, other in zip(predicted, gold, strict=True)),
        item_count**2 - sum(count**2 for count in predicted),
        item_count**2 - sum(count**2 for count in gold),
    )


def _balanced_accuracy_along(counts: LabelCounts) -> Floats:
    return share(share(counts.right, counts.gold).sum(axis=0), np.count_nonzero(counts.gold, axis=0))


def _mcc_along(counts: LabelCounts) -> Floats:
    agreed, chance, of_predicted, of_gold = _moments_along(counts)
    varies = (of_predicted > 0) & (of_gold > 0)
    spread = np.sqrt(np.where(varies, of_predicted * of_gold, 1.0))
    return np.where(varies, np.clip((agreed - chance) / spread, -1.0, 1.0), 0.0)


def _kappa_along(counts: LabelCounts) -> Floats:
    agreed, chance, _, _ = _moments_along(counts)
    room = counts.gold.sum(axis=0, dtype=np.float64) ** 2 - chance
    return np.where(room > 0, (agreed - chance) / np.where(room > 0, room, 1.0), np.nan)


def _moments_along(counts: LabelCounts) -> tuple[Floats, Floats, Floats, Floats]:
    predicted, gold = counts.predicted.astype(np.float64), counts.gold.astype(np.float64)
    item_count = gold.sum(axis=0)
    return (
        counts.right.sum(axis=0) * item_count,
        np.asarray((predicted * gold).sum(axis=0)),
        np.asarray(item_count**2 - (predicted**2).sum(axis=0)),
        np.asarray(item_count**2 - (gold**2).sum(axis=0)),
    )


METRICS = (
    Metric(
        name="balanced_accuracy",
        title="Balanced accuracy",
        kinds=ONE_LABEL,
        statistic=COUNTS,
        formula=balanced_accuracy,
        resampled=AlongCounts(_balanced_accuracy_along),
        reference="scikit-learn, balanced_accuracy_score",
        label_effect=mean_of_recall,
    ),
    Metric(
        name="mcc",
        title="Matthews correlation",
        needs_one_gold=True,
        kinds=ONE_LABEL,
        statistic=COUNTS,
        formula=mcc,
        resampled=AlongCounts(_mcc_along),
        low=-1.0,
        reference="doi:10.1016/j.compbiolchem.2004.09.006; scikit-learn, matthews_corrcoef",
        label_effect=unbounded,
    ),
    Metric(
        name="kappa",
        title="Cohen's kappa",
        needs_one_gold=True,
        kinds=ONE_LABEL,
        statistic=COUNTS,
        formula=kappa,
        resampled=AlongCounts(_kappa_along),
        low=-1.0,
        reference="doi:10.1177/001316446002000104; scikit-learn, cohen_kappa_score",
        undefined=_NO_DISAGREEMENT,
        label_effect=unbounded,
    ),
)
