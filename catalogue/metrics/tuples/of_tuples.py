"""Precision, recall and F1 of all tuples of all items, a tuple once in each item."""

from collections.abc import Sequence
from functools import partial, wraps
from math import fsum, isnan

import numpy as np

from catalogue.answers import AnswerKind, TextTuples
from catalogue.answers.structured.text_tuples import tuples_in
from catalogue.comparison import Comparison
from catalogue.metrics.label_effect import one_item
from catalogue.metrics.labels.parameters import beta_of, joined, parts_of
from catalogue.metrics.metric import Metric, Undefined
from catalogue.metrics.slots.counts import f1_of_counts, precision_of_counts, recall_of_counts
from catalogue.metrics.statistics import DeterminedBy, Floats, MeanOfItems, Statistic, SumsOfItems
from catalogue.metrics.texts.reading import kept

Texts = tuple[str, ...]

_REFERENCE = "micro averages over all tuples, as scikit-learn has them of indicators"
_NOTHING = {
    "f1": ("no_tuple_seen", "There is no tuple, neither in the gold labels nor in the predictions."),
    "precision": ("no_tuple_predicted", "No tuple is predicted."),
    "recall": ("no_tuple_in_gold", "The gold labels have no tuple."),
}
_GOLD = ('[["screen","good"],["price","bad"]]', "[]")
_FOUND = ('[["screen","good"],["price","good"]]', '[["it","bad"]]')


def f1_micro(y_true: Texts, y_pred: Texts) -> float | Undefined:
    """F1 of the tuples of all items: right ones twice, relative to predicted and gold ones together.

    From 0 (none right) to 1 (exactly the gold ones). Undefined, with code `no_tuple_seen`, where there is no tuple.

    Parameters
    ----------
    y_true, y_pred : str of shape (n_items,)
        Canonical lists of tuples, at least one item.

    Returns
    -------
    float or Undefined

    References
    ----------
    scikit-learn, `f1_score(average="micro")`, of indicators of the different tuples of each item.

    Examples
    --------
    One right of three predicted and two gold tuples.

    >>> f1_micro(_GOLD, _FOUND)
    0.4
    """
    return _value("f1", (), y_true, y_pred)


def precision_micro(y_true: Texts, y_pred: Texts) -> float | Undefined:
    """Share of the predicted tuples that are right.

    From 0 (none) to 1 (all). Undefined, with code `no_tuple_predicted`, where none is predicted.

    Parameters
    ----------
    y_true, y_pred : str of shape (n_items,)
        Canonical lists of tuples, at least one item.

    Returns
    -------
    float or Undefined

    References
    ----------
    scikit-learn, `precision_score(average="micro")`, of indicators of the different tuples of each item.

    Examples
    --------
    >>> round(precision_micro(_GOLD, _FOUND), 4)
    0.3333
    """
    return _value("precision", (), y_true, y_pred)


def recall_micro(y_true: Texts, y_pred: Texts) -> float | Undefined:
    """Share of the gold tuples that are found.

    From 0 (none) to 1 (all). Undefined, with code `no_tuple_in_gold`, where there is no gold one.

    Parameters
    ----------
    y_true, y_pred : str of shape (n_items,)
        Canonical lists of tuples, at least one item.

    Returns
    -------
    float or Undefined

    References
    ----------
    scikit-learn, `recall_score(average="micro")`, of indicators of the different tuples of each item.

    Examples
    --------
    >>> recall_micro(_GOLD, _FOUND)
    0.5
    """
    return _value("recall", (), y_true, y_pred)


def exact_match(y_true: Texts, y_pred: Texts) -> float:
    """Share of the items that have exactly the gold tuples.

    From 0 (none) to 1 (all). Never undefined: two empty lists are equal.

    Parameters
    ----------
    y_true, y_pred : str of shape (n_items,)
        Canonical lists of tuples, at least one item.

    Returns
    -------
    float

    References
    ----------
    scikit-learn, `accuracy_score` of indicator matrices.

    Examples
    --------
    >>> exact_match(_GOLD, _FOUND)
    0.0
    """
    return fsum(_matches(y_true, y_pred).tolist()) / len(y_true)


def tuple_metric(kind: AnswerKind, name: str) -> Metric[Texts, Texts] | None:
    """The metric of some parts of the tuples, as `f1_micro[aspect,sentiment]`, or F-beta of whole tuples or of some
    parts, as `f_beta[0.5]`; None if it is no such name.

    Tuples that agree in these parts are one.

    Examples
    --------
    >>> tuple_metric(TextTuples(("aspect", "opinion")), "f1_micro[aspect]").title
    'F1 of aspect'
    >>> tuple_metric(TextTuples(("aspect", "opinion")), "f1_micro[price]") is None
    True
    """
    stem, pieces = parts_of(name) or ("", [])
    if stem == "f_beta":
        return _f_beta(kind, name, pieces)
    measure = stem.removesuffix("_micro")
    if measure not in _FINISH or measure == stem:
        return None
    places = parts_named(kind, pieces)
    return _metric(name, f"{measure}{of_parts(kind, places)}", measure, places) if places else None


def parts_named(kind: AnswerKind, pieces: Sequence[str]) -> tuple[int, ...] | None:
    """The places of the parts that the pieces between brackets name, each once; None if they name anything else."""
    named = joined(pieces, frozenset(kind.tuple_parts).__contains__)
    return tuple(map(kind.tuple_parts.index, named)) if named and len(set(named)) == len(named) else None


def of_parts(kind: AnswerKind, places: Sequence[int]) -> str:
    """What a title says of the parts at these places; nothing where there are none."""
    return f" of {' and '.join(kind.tuple_parts[place] for place in places)}" if places else ""


def _f_beta(kind: AnswerKind, name: str, pieces: Sequence[str]) -> Metric[Texts, Texts] | None:
    beta, places = beta_of(pieces[0]), parts_named(kind, pieces[1:]) if pieces[1:] else ()
    if not beta or places is None:
        return None

    def finish(sums: Floats) -> Floats:
        right, predicted, gold = sums
        return f1_of_counts(np.stack([(1 + beta**2) / 2 * right, predicted, beta**2 * gold]))

    def f_beta(y_true: Texts, y_pred: Texts) -> float | Undefined:
        """F-beta of the tuples of all items, in which recall counts beta times as much as precision."""
        found = float(finish(counts_of_items(places, y_true, y_pred).sum(axis=1)))
        return Undefined(_NOTHING["f1"][0]) if isnan(found) else found

    return Metric(
        name=name,
        title=f"F{pieces[0].strip()}" + of_parts(kind, places),
        kinds=(TextTuples,),
        statistic=Statistic(texts, DeterminedBy.ITEMS),
        formula=f_beta,
        resampled=SumsOfItems(kept(partial(counts_of_items, places)), finish),
        reference=_REFERENCE.replace("micro averages", "F-beta"),
        undefined=dict([_NOTHING["f1"]]),
    )


def counts_of_items(places: Sequence[int], y_true: Texts, y_pred: Texts) -> Floats:
    """Per item how many tuples are right, predicted and gold: shape (3, n_items). No places: all parts."""

    def read(text: str) -> set[tuple[str, ...]]:
        tuples = tuples_in(text)
        return {tuple(one[place] for place in places) for one in tuples} if places else set(tuples)

    rows = []
    for gold, found in zip(map(read, y_true), map(read, y_pred), strict=True):
        rows.append((len(gold & found), len(found), len(gold)))
    return np.array(rows, dtype=np.float64).T


def _matches(y_true: Texts, y_pred: Texts) -> Floats:
    return np.array([gold == found for gold, found in zip(y_true, y_pred, strict=True)], dtype=np.float64)


_FINISH = {"f1": f1_of_counts, "precision": precision_of_counts, "recall": recall_of_counts}
_DOCUMENTED = {"f1": f1_micro, "precision": precision_micro, "recall": recall_micro}


def _value(measure: str, places: Sequence[int], y_true: Texts, y_pred: Texts) -> float | Undefined:
    found = float(_FINISH[measure](counts_of_items(places, y_true, y_pred).sum(axis=1)))
    return Undefined(_NOTHING[measure][0]) if isnan(found) else found


def texts(comparison: Comparison) -> tuple[Texts, Texts]:
    return tuple(comparison.y_true.tolist()), tuple(comparison.y_pred.tolist())


def _metric(name: str, title: str, measure: str, places: tuple[int, ...]) -> Metric[Texts, Texts]:
    return Metric(
        name=name,
        title=f"{title[0].upper()}{title[1:]}",
        kinds=(TextTuples,),
        statistic=Statistic(texts, DeterminedBy.ITEMS),
        formula=wraps(_DOCUMENTED[measure])(partial(_value, measure, places)),
        resampled=SumsOfItems(kept(partial(counts_of_items, places)), _FINISH[measure]),
        reference=_REFERENCE,
        undefined=dict([_NOTHING[measure]]),
    )


METRICS = (
    _metric("f1_micro", "F1", "f1", ()),
    _metric("precision_micro", "precision", "precision", ()),
    _metric("recall_micro", "recall", "recall", ()),
    Metric(
        name="exact_match",
        title="All tuples right",
        kinds=(TextTuples,),
        statistic=Statistic(texts, DeterminedBy.TOTAL),
        formula=exact_match,
        resampled=MeanOfItems(_matches),
        reference="scikit-learn, accuracy_score",
        label_effect=one_item,
    ),
)
