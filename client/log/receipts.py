"""Signed receipts of uploads: kept when they come, checked when somebody asks."""

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

from client.errors import ClientError
from client.login import folder
from transparency.core.receipts import UploadReceipt, read_receipt
from transparency.core.signed_notes import BadNote, Verifier


def keep_receipt(submission: str, note: str) -> Path:
    """Store a receipt in the person's own folder; returns the file. ClientError where that is impossible."""
    file = folder() / "receipts" / f"{submission}.txt"
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(note, encoding="utf-8")
    except OSError as error:
        raise ClientError(f"The receipt could not be stored in {file}: {error.strerror}.") from None
    return file


def checked_receipt(path: Path, verifiers: Sequence[Verifier]) -> UploadReceipt:
    """What a receipt in a file says, if one of these keys has signed it.

    Raises
    ------
    ClientError
        If the file cannot be read, or no key is known.
    BadNote
        If none of the keys has signed it.
    """
    try:
        note = path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise ClientError(f"{path} cannot be read ({type(error).__name__}).") from None
    if not verifiers:
        raise ClientError(
            "No server's key is known on this machine. Give the one that is published: --key name+hash+base64."
        )
    refusals = []
    for verifier in verifiers:
        try:
            return read_receipt(note, verifier)
        except BadNote as error:
            refusals.append(error)
    raise refusals[-1]


def is_of(receipt: UploadReceipt, path: Path) -> bool:
    """Whether a receipt is about this very file. ClientError where it cannot be read."""
    try:
        return sha256(path.read_bytes()).hexdigest() == receipt.sha256
    except OSError as error:
        raise ClientError(f"{path} cannot be read: {error.strerror}.") from None
