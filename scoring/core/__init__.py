"""Compares gold labels with predictions. Pure: no Django, no files, no clock, numpy alone at run time.

>>> import numpy as np
>>> from benchmarks.spec import LabelSet
>>> y_true = np.array([0, 0, 1, 1], dtype=np.uint8)
>>> y_pred = np.array([0, 1, 1, 1], dtype=np.uint8)
>>> report = score(LabelSet(names=("no", "yes")), ["accuracy", "f1_yes"], y_true, y_pred)
>>> [(value.metric, value.value) for value in report.values]
[('accuracy', 0.75), ('f1_yes', 0.8)]
"""

from scoring.core.confusion import CodeArray, ConfusionMatrix, confusion_matrix
from scoring.core.engine import SCORER_VERSION, metric_for, score
from scoring.core.registry import LabelKind, Metric, UnknownMetricError, all_metrics, metric, register
from scoring.core.report import ScoreReport, ScoreValue, Undefined

__all__ = [
    "SCORER_VERSION",
    "CodeArray",
    "ConfusionMatrix",
    "LabelKind",
    "Metric",
    "ScoreReport",
    "ScoreValue",
    "Undefined",
    "UnknownMetricError",
    "all_metrics",
    "confusion_matrix",
    "metric",
    "metric_for",
    "register",
    "score",
]
