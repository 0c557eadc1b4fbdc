"""Compares gold labels with predictions. Pure: no Django, no files, no clock, numpy alone at run time.

>>> import numpy as np
>>> from catalogue.answers import Label
>>> y_true = np.array([0, 0, 1, 1], dtype=np.uint8)
>>> y_pred = np.array([0, 1, 1, 1], dtype=np.uint8)
>>> report = score(Label(names=("no", "yes")), ["accuracy", "f1_yes"], y_true, y_pred)
>>> [(value.metric, value.value) for value in report.values]
[('accuracy', 0.75), ('f1_yes', 0.8)]
"""

from scoring.core.comparison import Comparison, LabelCounts
from scoring.core.confusion import CodeArray, ConfusionMatrix, confusion_matrix
from scoring.core.engine import SCORER_VERSION, metric_for, score
from scoring.core.kinds import LabelKind, kind_of
from scoring.core.registry import Metric, UnknownMetricError, all_metrics, metric, names_for, register
from scoring.core.report import ScoreReport, ScoreValue, Undefined

__all__ = [
    "SCORER_VERSION",
    "CodeArray",
    "Comparison",
    "ConfusionMatrix",
    "LabelCounts",
    "LabelKind",
    "Metric",
    "ScoreReport",
    "ScoreValue",
    "Undefined",
    "UnknownMetricError",
    "all_metrics",
    "confusion_matrix",
    "kind_of",
    "metric",
    "metric_for",
    "names_for",
    "register",
    "score",
]
