"""Metrics of the positive label where a probability of exactly one half is no decision, as PAN has it."""

from math import fsum, isnan

import numpy as np

from catalogue.answers import Probabilities
from catalogue.metrics.label_effect import one_item
from catalogue.metrics.metric import Metric, Undefined
from catalogue.metrics.probabilities.distances import squares
from catalogue.metrics.probabilities.reading import Flags, lacking_positive, positives
from catalogue.metrics.statistics import DeterminedBy, Floats, MeanOfItems, Statistic, SumsOfItems, quotient

_HALF = 0.5
_PAN = "PAN at CLEF 2022, evaluator of authorship verification"
_NOTHING = (
    "nothing_positive",
    "No decided item has the positive label or is given it, and no item is undecided.",
)
_NOTHING_DECIDED = ("no_positive_decided", "No decided item has the positive label, or is given it.")
_GOLD = np.array([True, True, False, False])
_GIVEN = np.array([0.9, 0.5, 0.2, 0.6])


def c_at_1(is_positive: Flags, probability: Floats) -> float:
    """Share of right decisions, where undecided items count as right as often as all items are.

    With n items, of which c are decided rightly and u are undecided, (c + u · c / n) / n. From 0 (no right decision) to
    1 (all decided and right). Never undefined.

    Parameters
    ----------
    is_positive : bool array of shape (n_items,)
    probability : float array of shape (n_items,)
        Of the positive label; 0.5 is no decision.

    Returns
    -------
    float

    References
    ----------
    Peñas and Rodrigo (2011), "A simple measure to assess non-response", ACL 2011, P11-1142.

    Examples
    --------
    Of four items two are right and one is undecided: (2 + 1 · 2 / 4) / 4.

    >>> c_at_1(_GOLD, _GIVEN)
    0.625
    """
    return _C_AT_1.of_all(is_positive, probability)


def f05u(is_positive: Flags, probability: Floats) -> float | Undefined:
    """F0.5 of the positive label, for which an undecided item counts like one that was missed.

    1.25 · tp / (1.25 · tp + fp + 0.25 · (fn + undecided)). From 0 (nothing found) to 1. Undefined, with code
    `nothing_positive`, where there is nothing to divide by.

    Parameters
    ----------
    is_positive : bool array of shape (n_items,)
    probability : float array of shape (n_items,)
        Of the positive label; 0.5 is no decision.

    Returns
    -------
    float or Undefined

    References
    ----------
    Bevendorff et al. (2019), doi:10.18653/v1/N19-1068.

    Examples
    --------
    >>> f05u(_GOLD, _GIVEN)
    0.5
    """
    return _defined(_F05U.of_all(is_positive, probability), _NOTHING)


def f1_decided(is_positive: Flags, probability: Floats) -> float | Undefined:
    """F1 of the positive label over the items that are decided.

    From 0 (none found) to 1. Undefined, with code `no_positive_decided`, where no decided item has or is given that
    label.

    Parameters
    ----------
    is_positive : bool array of shape (n_items,)
    probability : float array of shape (n_items,)
        Of the positive label; 0.5 is no decision.

    Returns
    -------
    float or Undefined

    References
    ----------
    PAN at CLEF 2022; scikit-learn, `f1_score`, which says 0 where this has no value.

    Examples
    --------
    >>> round(f1_decided(_GOLD, _GIVEN), 6)
    0.666667
    """
    return _defined(_F1.of_all(is_positive, probability), _NOTHING_DECIDED)


def brier_complement(is_positive: Flags, probability: Floats) -> float:
    """1 less the Brier score of the positive label.

    From 0 (sure and wrong everywhere) to 1 (sure and right everywhere). Never undefined.

    Parameters
    ----------
    is_positive : bool array of shape (n_items,)
    probability : float array of shape (n_items,)
        Of the positive label.

    Returns
    -------
    float

    References
    ----------
    PAN at CLEF 2022; scikit-learn, `brier_score_loss`.

    Examples
    --------
    >>> round(brier_complement(_GOLD, _GIVEN), 6)
    0.835
    """
    return fsum(nearness(is_positive, probability).tolist()) / len(probability)


def nearness(is_positive: Flags, probability: Floats) -> Floats:
    """Per item, 1 less the squared difference from 1 or 0."""
    return 1 - squares(is_positive, probability)


def decisions(is_positive: Flags, probability: Floats) -> Floats:
    """Per item, shape (6, n_items), 1 where it is found, given the label wrongly, missed, undecided, right; and 1."""
    is_given, is_open = probability > _HALF, probability == _HALF
    is_right = ~is_open & (is_given == is_positive)
    is_missed = is_positive & ~is_given & ~is_open
    return np.array(
        [is_given & is_positive, is_given & ~is_positive, is_missed, is_open, is_right, is_open | ~is_open],
        dtype=np.float64,
    )


def _c_of_sums(sums: Floats) -> Floats:
    *_, undecided, right, items = sums
    return np.asarray((right + undecided * right / items) / items)


def _f05u_of_sums(sums: Floats) -> Floats:
    found, wrong, missed, undecided = 1.25 * sums[0], sums[1], sums[2], sums[3]
    return quotient(found, found + wrong + 0.25 * (missed + undecided))


def _f1_of_sums(sums: Floats) -> Floats:
    return quotient(2 * sums[0], 2 * sums[0] + sums[1] + sums[2])


def _defined(score: float, otherwise: tuple[str, str]) -> float | Undefined:
    return Undefined(otherwise[0]) if isnan(score) else score


_C_AT_1 = SumsOfItems(decisions, _c_of_sums)
_F05U = SumsOfItems(decisions, _f05u_of_sums)
_F1 = SumsOfItems(decisions, _f1_of_sums)
_READ = Statistic(positives, DeterminedBy.ITEMS)

METRICS = (
    Metric(
        name="c_at_1",
        title="c@1",
        kinds=(Probabilities,),
        statistic=_READ,
        formula=c_at_1,
        resampled=_C_AT_1,
        reference=f"{_PAN}; Peñas and Rodrigo 2011",
        lacking=lacking_positive,
    ),
    Metric(
        name="f05u",
        title="F0.5u",
        kinds=(Probabilities,),
        statistic=_READ,
        formula=f05u,
        resampled=_F05U,
        reference=f"{_PAN}; doi:10.18653/v1/N19-1068",
        undefined=dict([_NOTHING]),
        lacking=lacking_positive,
    ),
    Metric(
        name="f1_decided",
        title="F1 of decided items",
        kinds=(Probabilities,),
        statistic=_READ,
        formula=f1_decided,
        resampled=_F1,
        reference=_PAN,
        undefined=dict([_NOTHING_DECIDED]),
        lacking=lacking_positive,
    ),
    Metric(
        name="brier_complement",
        title="Brier complement",
        kinds=(Probabilities,),
        statistic=_READ,
        formula=brier_complement,
        resampled=MeanOfItems(nearness),
        reference=_PAN,
        lacking=lacking_positive,
        label_effect=one_item,
    ),
)
