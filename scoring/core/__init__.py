"""Compares gold labels with predictions. Pure: no Django, no files, no clock, numpy alone at run time.

>>> import numpy as np
>>> from catalogue.answers import Label
>>> y_true = np.array([0, 0, 1, 1], dtype=np.uint8)
>>> y_pred = np.array([0, 1, 1, 1], dtype=np.uint8)
>>> report = score(Label(names=("no", "yes")), ["accuracy", "f1_yes"], y_true, y_pred)
>>> [(value.metric, value.value) for value in report.values]
[('accuracy', 0.75), ('f1_yes', 0.8)]
"""

from scoring.core.engine import SCORER_VERSION, ScoreReport, ScoreValue, score

__all__ = ["SCORER_VERSION", "ScoreReport", "ScoreValue", "score"]
