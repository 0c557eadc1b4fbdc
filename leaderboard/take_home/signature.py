"""The signature under the checksums of a folder that this server has made."""

import datetime as dt
from hashlib import sha256

from transparency.core.checksum_notes import ChecksumNote
from transparency.keys import KeyRole, signer


def checksum_note(folder: str, made_at: dt.datetime, sums: bytes) -> bytes | None:
    """A note about these checksums, signed with the log's key; None in a process that was not given that key."""
    key = signer(KeyRole.LOG)
    if key is None:
        return None
    at = made_at.astimezone(dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return ChecksumNote(folder, at, sha256(sums).hexdigest()).signed(key).encode()
