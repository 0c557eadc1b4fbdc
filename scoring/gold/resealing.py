"""Sealed boxes copied to another key: opened, checked against their commitment and sealed anew in memory alone.

What was sealed first never changes. Copies stand beside it in a table of their own, and whoever holds the newer key
opens those.
"""

import datetime as dt
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import models, transaction
from django.db.models.functions import Substr

from scoring.gold.box_opening import box_and_key
from scoring.gold.keys import key_ring
from scoring.models import ResponseSet, SealedCopy, SealedDelivery, SealedLabels
from submissions.intake.sealing import (
    HEAD_BYTES,
    KeyMissingError,
    KeyPair,
    KeyWrongError,
    VaultError,
    check_box,
    key_fingerprint,
    recipient,
    resealed,
)


@dataclass(frozen=True, slots=True)
class SealedColumn:
    """A column of sealed boxes: the rows, what each is called, and where its box and its commitment stand."""

    all_rows: models.QuerySet[Any, Any]
    called: str
    box: str
    commitment: str = "commitment"

    def rows(self) -> models.QuerySet[Any, Any]:
        """Those that have a box."""
        return self.all_rows.exclude(**{f"{self.box}__isnull": True}).order_by("pk")

    def heads(self) -> Iterator[tuple[str, bytes]]:
        """Commitment and first bytes of every box; these name its recipient."""
        head = Substr(self.box, 1, HEAD_BYTES, output_field=models.BinaryField())
        for commitment, start in self.rows().annotate(head=head).values_list(self.commitment, "head"):
            yield commitment, bytes(start)

    def boxes(self) -> Iterator[tuple[str, str, bytes]]:
        """Name, commitment and bytes of every box, one at a time."""
        for key, commitment in self.rows().values_list("pk", self.commitment):
            box = self.rows().values_list(self.box, flat=True).get(pk=key)
            yield f"{self.called} {key}", commitment, bytes(box)


SEALED = (
    SealedColumn(SealedLabels.objects.all(), "gold labels", "ciphertext", "version__commitment"),
    SealedColumn(ResponseSet.objects.all(), "responses", "sealed"),
    SealedColumn(SealedDelivery.objects.filter(status="waiting"), "sealed delivery", "sealed"),
)
"""What this app seals; apps to the right have columns of their own."""


@dataclass(frozen=True, slots=True)
class Resealed:
    """How many boxes were copied, and had been sealed to the key before; and what failed, by name with its code."""

    copied: int
    there: int
    failed: Mapping[str, str]


def reseal(columns: Sequence[SealedColumn], to: KeyPair, now: dt.datetime) -> Resealed:
    """Copy every box that the ring opens to another key; each in a transaction, so that it can go on after a break.

    The same content sealed several times, as for attack sets, is copied once.
    """
    fingerprint = key_fingerprint(to.public)
    copied, there, failed = 0, 0, {}
    for column in columns:
        for name, commitment, box in column.boxes():
            try:
                if _is_sealed_to(box, commitment, fingerprint):
                    there += 1
                    continue
                copied += _copy(box, commitment, to.public, fingerprint, now)
            except VaultError as error:
                failed[name] = error.code
    return Resealed(copied, there, failed)


def _is_sealed_to(box: bytes, commitment: str, fingerprint: str) -> bool:
    copies = SealedCopy.objects.filter(commitment=commitment, key_fingerprint=fingerprint)
    return recipient(box) == fingerprint or copies.exists()


def _copy(box: bytes, commitment: str, public_key: str, fingerprint: str, now: dt.datetime) -> bool:
    again = resealed(*box_and_key(box, commitment), commitment, public_key)
    with transaction.atomic():
        values = {"ciphertext": again, "made_at": now}
        _row, is_new = SealedCopy.objects.get_or_create(
            commitment=commitment, key_fingerprint=fingerprint, defaults=values
        )
    return is_new


def unopenable(columns: Sequence[SealedColumn], ring: Mapping[str, KeyPair]) -> Counter[str]:
    """How many boxes these keys do not open, by the key that each is sealed to. Nothing is opened."""
    copied = set(SealedCopy.objects.filter(key_fingerprint__in=ring).values_list("commitment", flat=True))
    missing: Counter[str] = Counter()
    for column in columns:
        for commitment, head in column.heads():
            fingerprint = _recipient_or_unknown(head)
            if fingerprint not in ring and commitment not in copied:
                missing[fingerprint] += 1
    return missing


def sealed_to(columns: Sequence[SealedColumn]) -> Counter[str]:
    """How many boxes, copies included, are sealed to each key."""
    own = (_recipient_or_unknown(head) for column in columns for _, head in column.heads())
    return Counter(own) + Counter(SealedCopy.objects.values_list("key_fingerprint", flat=True))


def faults(columns: Sequence[SealedColumn]) -> dict[str, str]:
    """Open every box with the ring, and hold it against its commitment: by name, the code of each that fails.

    A box that is sealed to a key that is not here is not among them: `unopenable` counts those, once for each key.
    """
    found, ring = {}, key_ring()
    for column in columns:
        for name, commitment, box in column.boxes():
            try:
                check_box(*box_and_key(box, commitment), commitment)
            except VaultError as error:
                is_elsewhere = isinstance(error, KeyMissingError | KeyWrongError)
                if not is_elsewhere or _recipient_or_unknown(box[:HEAD_BYTES]) in ring:
                    found[name] = error.code
    return found


def _recipient_or_unknown(head: bytes) -> str:
    try:
        return recipient(head)
    except VaultError:
        return "unknown"
