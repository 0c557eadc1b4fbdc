"""Predictions beside gold labels: the ones stand in public order, the others in that in which they were sealed.

These are one order wherever gold labels are loaded today. Some were sealed in the order of their file, before ids had a
public order. Scores, resamples and parts of those go by the sealed order, and so stay what they were.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from benchmarks.models import Split
from catalogue.answers import Answers
from scoring.gold.keys import private_key
from scoring.gold.sealing import open_sealed
from scoring.models import GoldVersion
from submissions.uploads.expected_splits import item_ids


@dataclass(frozen=True, slots=True)
class SealedOrder:
    """The ids of a gold version in the order of its labels. `places` are theirs in public order; None: the same."""

    ids: tuple[str, ...]
    places: NDArray[np.intp] | None

    def put_in_order(self, answers: Answers) -> Answers:
        """Predictions in public order, as their gold labels stand."""
        return answers if self.places is None else answers[self.places]


def sealed_order(gold_version_id: int, split: Split) -> SealedOrder:
    """The order of a version of the split's gold labels. Needs the private key; VaultError as `open_sealed`."""
    return _sealed_order(gold_version_id, split.pk, split.ids_sha256)


@lru_cache(maxsize=256)
def _sealed_order(gold_version_id: int, split_id: int, ids_sha256: str) -> SealedOrder:
    version = GoldVersion.objects.get(pk=gold_version_id)
    sealed, public = (
        open_sealed(bytes(version.sealed.ciphertext), private_key()).ids,
        item_ids(split_id, ids_sha256),
    )
    if sealed == public.ids:
        return SealedOrder(public.ids, None)
    return SealedOrder(sealed, np.array([public.index[item.encode()] for item in sealed], dtype=np.intp))
