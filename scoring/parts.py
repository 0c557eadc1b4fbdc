"""Which items count while a phase runs and which at its end, where some are kept back as a private remainder.

The order in which items are drawn for it follows from the salt that is sealed with the gold labels: nobody can know it
before these are public, and anybody can draw it again then. Attacked copies of a test split share its salt, and so
are split alike.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from benchmarks.spec.disclosure import REMAINDER, kept_back
from scoring.keys import private_key
from scoring.models import GoldVersion
from scoring.vault import open_salt

Mask = NDArray[np.bool_]


def part_size(part: str, item_count: int) -> int:
    """How many of a split's items a part has; of two parts none is empty, unless there is but one item."""
    kept = _kept_count(part, item_count)
    return kept if part.startswith(REMAINDER) else item_count - kept


@lru_cache(maxsize=64)
def items_of_part(part: str, gold_version_id: int, item_count: int) -> Mask | None:
    """Whether each item belongs to a part, shape (n_items,); None for all of them. Needs the private key."""
    if not part:
        return None
    version = GoldVersion.objects.get(pk=gold_version_id)
    return _drawn(part, open_salt(bytes(version.sealed), private_key()), item_count)


def _drawn(part: str, salt: bytes, item_count: int) -> Mask:
    """The items whose digests come first are kept back."""
    seed = sha256(b"heldout remainder" + salt).digest()
    digests = [sha256(seed + at.to_bytes(8)).digest() for at in range(item_count)]
    first = sorted(range(item_count), key=digests.__getitem__)[: _kept_count(part, item_count)]
    is_kept = np.zeros(item_count, dtype=np.bool_)
    is_kept[first] = True
    return is_kept if part.startswith(REMAINDER) else ~is_kept


def _kept_count(part: str, item_count: int) -> int:
    return min(max(1, round(kept_back(part) * item_count)), max(1, item_count - 1)) if part else 0
