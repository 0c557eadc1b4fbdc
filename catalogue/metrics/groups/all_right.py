"""The share of groups of which every item is right: `all_right[question]`."""

from math import isnan

import numpy as np

from catalogue.answers import AnswerKind
from catalogue.comparison import Comparison
from catalogue.metrics.labels.parameters import parts_of
from catalogue.metrics.metric import AnyMetric, Metric, Undefined
from catalogue.metrics.statistics import DeterminedBy, Floats, Statistic, SumsOfGroups

STEM = "all_right"
_NO_GROUPS = "no_groups"
_UNDEFINED = {
    _NO_GROUPS: "The gold labels put no item into a group, or were loaded before the column was named."
}


def all_right_metric(kind: AnswerKind, name: str) -> AnyMetric | None:
    """The metric of that name, whose column is one of groups or says which items belong together; None if it is other.

    Range 0 to 1. An item that is in no group counts nowhere. A resample draws a group by its first item, so that groups
    of items that belong together are drawn whole.

    References
    ----------
    As exact match of MultiRC: Khashabi et al. (2018), doi:10.18653/v1/N18-1023; as consistency of contrast sets:
    Gardner et al. (2020), doi:10.18653/v1/2020.findings-emnlp.117.
    """
    stem, pieces = parts_of(name) or ("", [])
    column = ",".join(pieces)
    if stem != STEM or not kind.is_right_or_wrong or column not in {*kind.groups, kind.clusters} - {""}:
        return None

    def rows(comparison: Comparison) -> Floats:
        """Of each group's first item whether all of it is right, and 1; of other items 0: shape (2, n_items)."""
        is_right = comparison.output.right(comparison.y_true, comparison.y_pred)
        found = np.zeros((2, len(is_right)))
        if groups := comparison.groups.get(column):
            wrong = np.bincount(groups.codes[~is_right], minlength=len(groups.names) + 1)
            there, first = np.unique(groups.codes, return_index=True)
            is_group = there < len(groups.names)
            found[0, first[is_group]] = wrong[there[is_group]] == 0
            found[1, first[is_group]] = 1
        return found

    resampled = SumsOfGroups(rows, _share, column)

    def value(comparison: Comparison) -> float | Undefined:
        found = resampled.of_all(comparison)
        return Undefined(_NO_GROUPS) if isnan(found) else found

    return Metric(
        name=name,
        title=f"All right by {column}",
        kinds=(type(kind),),
        statistic=Statistic(lambda comparison: (comparison,), DeterminedBy.ITEMS),
        formula=value,
        resampled=resampled,
        reference="doi:10.18653/v1/N18-1023, doi:10.18653/v1/2020.findings-emnlp.117",
        undefined=_UNDEFINED,
    )


def _share(sums: Floats) -> Floats:
    """Right groups by groups; NaN where a resample has none."""
    right, count = sums
    return np.where(count > 0, right / np.maximum(count, 1), np.nan)
