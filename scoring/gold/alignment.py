"""Gold labels as they are opened to score, and predictions beside them.

The ones stand in public order, the others in that in which they were sealed.

These are one order wherever gold labels are loaded today. Some were sealed in the order of their file, before ids had a
public order. Scores, resamples and parts of those go by the sealed order, and so stay what they were.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from benchmarks.models import Split
from catalogue.answers import Answers
from scoring.gold.box_opening import open_version
from scoring.models import GoldVersion
from submissions.intake.sealing import GoldLabels
from submissions.uploads.expected_splits import item_ids


@lru_cache(maxsize=256)
def opened_version(gold_version_id: int) -> tuple[bytes, GoldLabels]:
    """The salt and the gold labels of a version. Needs the private key; errors as `open_with_salt`."""
    version = GoldVersion.objects.select_related("sealed").get(pk=gold_version_id)
    return open_version(version)


def in_sealed_order(answers: Answers, gold_version_id: int, split: Split) -> Answers:
    """Predictions in public order, as the labels of a version of the split's gold stand. Errors as `opened_version`."""
    places = _places(gold_version_id, split.pk, split.ids_sha256)
    return answers if places is None else answers[places]


@lru_cache(maxsize=256)
def _places(gold_version_id: int, split_id: int, ids_sha256: str) -> NDArray[np.intp] | None:
    """Where each gold label's item stands in public order; None where the two orders are the same."""
    sealed, public = opened_version(gold_version_id)[1].ids, item_ids(split_id, ids_sha256)
    if sealed == public.ids:
        return None
    return np.array([public.index[item.encode()] for item in sealed], dtype=np.intp)
