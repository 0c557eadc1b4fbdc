"""From a comparison of rows of probabilities with labels to the arrays that formulas take."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from catalogue.answers import AnswerKind
from catalogue.answers.arrays import as_table
from catalogue.comparison import Comparison
from catalogue.metrics.statistics import DeterminedBy, Floats, Statistic

Codes = NDArray[Any]
Flags = NDArray[np.bool_]


def gold_and_table(comparison: Comparison) -> tuple[Codes, Floats]:
    """Codes of the gold labels, (n_items,), and the probability of each label, (n_items, n_labels)."""
    return comparison.y_true.astype(np.intp), as_table(comparison.y_pred)


def positives(comparison: Comparison) -> tuple[Flags, Floats]:
    """Which items have the positive label, and the probability of that label."""
    (code,) = comparison.codes((comparison.output.positive,))
    return comparison.y_true == code, as_table(comparison.y_pred)[:, code]


def likeliest(comparison: Comparison) -> tuple[Flags, Floats]:
    """Which items are right by their likeliest label, the first of equal ones, and the probability of that label."""
    table = as_table(comparison.y_pred)
    return table.argmax(axis=1) == comparison.y_true, table.max(axis=1)


def lacking_positive(kind: AnswerKind) -> str:
    return "" if kind.positive else "the label that is to be found, `positive` in `output`"


def without_sums(kind: AnswerKind) -> str:
    return "" if kind.sums_to_one else "shares that add up to 1 (`sums_to_one`)"


def _shares(comparison: Comparison) -> tuple[Floats, Floats]:
    return as_table(comparison.y_true), as_table(comparison.y_pred)


# The gold share and the answered share of each label, both (n_items, n_labels).
SHARES = Statistic(_shares, DeterminedBy.ITEMS)
