"""A receipt: what a server says that it has taken, when, and for what, signed."""

import json
from dataclasses import asdict, dataclass
from typing import Any

from transparency.core.canonical import canonical_json, digest_of
from transparency.core.signed_notes import BadNote, Signer, Verifier, verified_text


@dataclass(frozen=True, slots=True)
class UploadReceipt:
    """One accepted upload.

    Parameters
    ----------
    submission
        Its id, drawn at random: whoever does not know it cannot guess the digest of the receipt.
    sha256
        Of the file as it was sent, 64 hexadecimal digits.
    received_at
        When its request began, in UTC, to the microsecond: "2026-11-18T12:00:00.000000Z".
    """

    submission: str
    sha256: str
    received_at: str
    benchmark: str
    phase: str

    @property
    def digest(self) -> str:
        """What stands for the receipt in the log: 64 hexadecimal digits."""
        return digest_of(asdict(self))

    def signed(self, signer: Signer) -> str:
        """The receipt as a note: canonical JSON in one line, and the signature under it."""
        return signer.sign(canonical_json(asdict(self)).decode() + "\n")


def read_receipt(note: str, verifier: Verifier) -> UploadReceipt:
    """What a receipt says that this key has signed.

    Raises
    ------
    BadNote
        If the signature is missing or wrong, or the text is no receipt.
    """
    text = verified_text(note, verifier)
    try:
        document: dict[str, Any] = json.loads(text)
        receipt = UploadReceipt(**{key: str(value) for key, value in document.items()})
    except (ValueError, TypeError, AttributeError):
        raise BadNote("This is no receipt: its text is not the JSON of one.") from None
    if canonical_json(asdict(receipt)).decode() + "\n" != text:
        raise BadNote("This is no receipt: its text is not the JSON of one.")
    return receipt
