"""Takes what is sealed; gives what is in it, where this process holds a key for it or for a copy."""

from scoring.gold.keys import has_private_key, key_ring
from scoring.models import GoldVersion, SealedCopy
from submissions.intake.sealing import (
    GoldLabels,
    KeyMissingError,
    KeyWrongError,
    open_file,
    open_with_salt,
    recipient,
)


def box_and_key(box: bytes, commitment: str) -> tuple[bytes, str]:
    """What to open, and the private key for it: the box itself, or a copy of it that was sealed to a key of the ring.

    Raises
    ------
    KeyMissingError
        If this process was given no key.
    KeyWrongError
        If its keys open neither the box nor a copy.
    GoldDamagedError
        If the box names no recipient.
    """
    if not has_private_key():
        raise KeyMissingError
    ring = key_ring()
    if (fingerprint := recipient(box)) in ring:
        return box, ring[fingerprint].private
    copies = SealedCopy.objects.filter(commitment=commitment, key_fingerprint__in=ring)
    copy = copies.order_by("-pk").first()
    if copy is None:
        raise KeyWrongError
    return bytes(copy.ciphertext), ring[copy.key_fingerprint].private


def open_version(version: GoldVersion) -> tuple[bytes, GoldLabels]:
    """The 32 salt bytes and the gold labels, checked against the commitment. Errors as `box_and_key`, and damage."""
    return open_with_salt(
        *box_and_key(bytes(version.sealed.ciphertext), version.commitment), version.commitment
    )


def open_sealed_file(box: bytes, commitment: str) -> bytes:
    """A file that was sealed, checked against its commitment. Errors as `open_version`."""
    return open_file(*box_and_key(box, commitment), commitment)
