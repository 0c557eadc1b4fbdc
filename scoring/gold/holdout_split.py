"""Which items count while a phase runs and which at its end, where some are kept back as a private remainder.

The order in which items are drawn for it follows from their ids and from the salt that is sealed with the first version
of the gold labels: nobody can know it before these are public, and anybody can draw it again then. Later versions keep
the same items back. Attacked copies of a test split share its salts, and so are split alike.
"""

from functools import lru_cache
from hashlib import sha256

import numpy as np
from django.db.models import Q, QuerySet
from numpy.typing import NDArray

from benchmarks.models import Split
from benchmarks.spec.disclosure import REMAINDER, kept_back
from scoring.gold.alignment import opened_version
from scoring.models import GoldVersion, SealedCopy
from submissions.intake.sealing import Sealed

Mask = NDArray[np.bool_]


def part_size(part: str, item_count: int) -> int:
    """How many of a split's items a part has; of two parts none is empty, unless there is but one item."""
    kept = _kept_count(part, item_count)
    return kept if part.startswith(REMAINDER) else item_count - kept


def remainder_by(split: Split, sealed: Sealed, *, same_items: bool) -> str:
    """The commitment of the version by whose salt the remainder of newly sealed gold labels is drawn.

    It is the one that drew so far, so that a correction keeps the same items back. A new one draws where the items are
    others, or the salt of then was sealed to another key.
    """
    current = GoldVersion.objects.current().filter(split=split).first()
    if current is None or not same_items:
        return sealed.commitment
    so_far = current.remainder_by or current.commitment
    is_sealed_to_it = Q(key_fingerprint=sealed.key_fingerprint)
    copies = SealedCopy.objects.filter(is_sealed_to_it, commitment=so_far)
    is_readable = _versions_of(split).filter(is_sealed_to_it, commitment=so_far).exists() or copies.exists()
    return so_far if is_readable else sealed.commitment


@lru_cache(maxsize=64)
def items_of_part(part: str, gold_version_id: int) -> Mask | None:
    """Whether each item of a gold version, in its order, belongs to a part; None for all. Needs the private key."""
    if not part:
        return None
    by = version = GoldVersion.objects.select_related("split").get(pk=gold_version_id)
    ids = opened_version(gold_version_id)[1].ids
    if version.remainder_by not in ("", version.commitment):
        by = _versions_of(version.split).filter(commitment=version.remainder_by).earliest("pk")
    salt, gold = opened_version(by.pk)
    seed = sha256(b"heldout remainder" + salt).digest()
    places = {item: at for at, item in enumerate(gold.ids)}
    named = [item.encode() if by.remainder_by else places[item].to_bytes(8) for item in ids]
    drawn = [sha256(seed + name).digest() for name in named]
    # Those whose digests come first are kept back.
    first = sorted(range(len(drawn)), key=drawn.__getitem__)[: _kept_count(part, len(drawn))]
    is_kept = np.zeros(len(drawn), dtype=np.bool_)
    is_kept[first] = True
    return is_kept if part.startswith(REMAINDER) else ~is_kept


def _versions_of(split: Split) -> QuerySet[GoldVersion]:
    """Those of a test split and of what attacks made of it share their salts."""
    return GoldVersion.objects.filter(split__task=split.task_id)


def _kept_count(part: str, item_count: int) -> int:
    return min(max(1, round(kept_back(part) * item_count)), max(1, item_count - 1)) if part else 0
