"""Checkpoints (C2SP tlog-checkpoint): the size and the root of a log at one moment, as a signed note."""

from base64 import b64decode, b64encode
from dataclasses import dataclass

from transparency.core.signed_notes import BadNote, Signer, Verifier, verified_text


@dataclass(frozen=True, slots=True)
class TreeHead:
    """So many entries, and the root hash of the tree over them."""

    size: int
    root: bytes

    def signed(self, signer: Signer) -> str:
        """The checkpoint; the name of the key is the name of the log."""
        return signer.sign(f"{signer.name}\n{self.size}\n{b64encode(self.root).decode()}\n")


def read_checkpoint(note: str, verifier: Verifier) -> TreeHead:
    """What a checkpoint says that this key has signed.

    Raises
    ------
    BadNote
        If the signature is missing or wrong, or the text is no checkpoint of the log of that name.
    """
    lines = verified_text(note, verifier).split("\n")
    if len(lines) < 4 or lines[0] != verifier.name:
        raise BadNote(f"This is no checkpoint of the log {verifier.name}.")
    try:
        size, root = int(lines[1]), b64decode(lines[2], validate=True)
    except ValueError:
        raise BadNote("This is no checkpoint: its size or its root cannot be read.") from None
    if len(root) != 32 or lines[1] != str(size) or size < 0:
        raise BadNote("This is no checkpoint: its size or its root cannot be read.")
    return TreeHead(size, root)
