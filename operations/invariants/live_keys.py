"""I9: what is sealed can be opened."""

import datetime as dt
from collections.abc import Iterator

from breaking.sealed_columns import SEALED
from operations.violation import Invariant, Violation
from scoring.gold.keys import has_private_key, key_ring
from scoring.gold.resealing import unopenable


class LiveKeys(Invariant):
    """Whether a key of the ring is that of each sealed box; only where there are private keys."""

    key = "I9"
    title = "each sealed box has a key in the ring"

    def violations(self, now: dt.datetime, *, thoroughly: bool) -> Iterator[Violation]:
        if not has_private_key():
            return
        for fingerprint, count in sorted(unopenable(SEALED, key_ring()).items()):
            yield Violation(
                "key ring",
                f"{count:,} sealed rows need the key {fingerprint}, which is not here.",
                "Put its file into the ring, or run `manage.py reseal` where it is.",
            )
