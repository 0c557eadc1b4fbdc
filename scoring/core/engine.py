"""One entry point: gold labels and predictions in, a report out."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from numpy.typing import NDArray

from catalogue.answers import AnswerKind
from catalogue.comparison import Comparison
from catalogue.metrics.choice import metric_for
from catalogue.metrics.metric import Undefined

SCORER_VERSION = "1"
"""Rises with any change that can alter a number; with it every affected submission is scored anew."""


@dataclass(frozen=True, slots=True)
class ScoreValue:
    """One metric's value. Exactly one of `value` and `undefined` is None, and a value is always finite."""

    value: float | None
    undefined: str | None
    metric: str
    metric_version: int

    def __post_init__(self) -> None:
        if (self.value is None) == (self.undefined is None):
            raise ValueError(f"A score of `{self.metric}` needs a value or the code of an undefined case.")
        if self.value is not None and not isfinite(self.value):
            raise ValueError(f"A score of `{self.metric}` must be finite; say undefined with a code instead.")


@dataclass(frozen=True, slots=True)
class ScoreReport:
    """The values of one comparison, in the order in which the metrics were asked for."""

    values: tuple[ScoreValue, ...]
    item_count: int

    def __getitem__(self, metric: str) -> ScoreValue:
        """The value of the metric of that name; KeyError where it was not asked for."""
        for value in self.values:
            if value.metric == metric:
                return value
        raise KeyError(metric)


def score(
    output: AnswerKind, metrics: Sequence[str], y_true: NDArray[Any], y_pred: NDArray[Any]
) -> ScoreReport:
    """Score predictions against gold labels by the named metrics.

    Parameters
    ----------
    output : AnswerKind
        What an answer is, of any kind in `catalogue.answers`; it fixes dtype and range of the arrays.
    metrics : sequence of str
        Names for `catalogue.metrics.choice.metric_for`, each at most once, at least one.
    y_true, y_pred : array of shape (n_items,)
        Canonical arrays of that output in the order of the split's ids.

    Returns
    -------
    ScoreReport
        One value per name, in the order of `metrics`.

    Raises
    ------
    ValueError
        On an unknown or repeated metric, another shape or dtype, an answer out of range, or no items.
        The message names the argument and the rule.

    Examples
    --------
    >>> import numpy as np
    >>> from catalogue.answers import Label
    >>> codes = np.array([0, 1, 1], dtype=np.uint8)
    >>> score(Label(names=("no", "yes")), ["f1_macro"], codes, codes)["f1_macro"].value
    1.0
    """
    return score_comparison(Comparison(output, y_true, y_pred), metrics)


def score_comparison(comparison: Comparison, metrics: Sequence[str]) -> ScoreReport:
    """`score` of arrays that are compared already, with its errors."""
    if not metrics or len(set(metrics)) < len(metrics):
        raise ValueError(f"`metrics` must name at least one metric, each once; it is {list(metrics)}.")
    values = []
    for name in metrics:
        metric = metric_for(comparison.output, name)
        answer = metric.value(comparison)
        if isinstance(answer, Undefined):
            values.append(ScoreValue(None, answer.code, metric.name, metric.version))
        else:
            # A zero carries no sign: some databases forget it, and a release must be made again byte by byte.
            values.append(ScoreValue(answer + 0.0, None, metric.name, metric.version))
    return ScoreReport(values=tuple(values), item_count=len(comparison.y_true))
