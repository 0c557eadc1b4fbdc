"""One entry point: gold labels and predictions in, a report out."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.spec import LabelSet
from scoring.core import registry
from scoring.core.confusion import CodeArray, ConfusionMatrix, confusion_matrix
from scoring.core.metrics import label_metrics
from scoring.core.registry import Metric, UnknownMetricError
from scoring.core.report import ScoreReport, ScoreValue, Undefined

SCORER_VERSION = "1"
"""Rises with any change that can alter a number; with it every affected submission is scored anew."""


def score(output: LabelSet, metrics: Sequence[str], y_true: CodeArray, y_pred: CodeArray) -> ScoreReport:
    """Score predictions against gold labels by the named metrics.

    Parameters
    ----------
    output : LabelSet
        The declared labels; the codes are positions in `output.names`.
    metrics : sequence of str
        Names of registered metrics or `f1_<label>`, each at most once, at least one.
    y_true, y_pred : uint8 or uint16 array of shape (n_items,)
        Label codes in the order of the split's ids.

    Returns
    -------
    ScoreReport
        One value per name, in the order of `metrics`.

    Raises
    ------
    ValueError
        On an unknown or repeated metric, another shape or dtype, a code out of range, or no items.
        The message names the argument and the rule.

    Examples
    --------
    >>> import numpy as np
    >>> codes = np.array([0, 1, 1], dtype=np.uint8)
    >>> score(LabelSet(names=("no", "yes")), ["f1_macro"], codes, codes)["f1_macro"].value
    1.0
    """
    if not metrics or len(set(metrics)) < len(metrics):
        raise ValueError(f"`metrics` must name at least one metric, each once; it is {list(metrics)}.")
    chosen = [metric_for(output, name) for name in metrics]
    matrix = confusion_matrix(y_true, y_pred, len(output.names))
    return ScoreReport(values=tuple(_measure(each, matrix) for each in chosen), item_count=len(y_true))


def metric_for(output: LabelSet, name: str) -> Metric:
    """The registered metric of that name, or else `f1_<label>` of a declared label.

    UnknownMetricError where there is neither; it lists the nearest names.
    """
    candidates = (*registry.all_metrics(), *label_metrics(output))
    for candidate in candidates:
        if candidate.name == name:
            return candidate
    raise UnknownMetricError(name, [candidate.name for candidate in candidates])


def _measure(metric: Metric, matrix: ConfusionMatrix) -> ScoreValue:
    answer = metric.function(matrix)
    if isinstance(answer, Undefined):
        return ScoreValue(None, answer.code, metric.name, metric.version)
    return ScoreValue(answer, None, metric.name, metric.version)
