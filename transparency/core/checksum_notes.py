"""A signed note about a folder of files: it names the digest of the folder's checksums, and so every byte in it."""

from __future__ import annotations

from dataclasses import dataclass

from transparency.core.signed_notes import BadNote, Signer, Verifier, verified_text

_HEAD = (
    "heldout checksums v1"  # with a blank, so that no log has it as its name: it is taken for no checkpoint
)
_DIGITS = 64


@dataclass(frozen=True, slots=True)
class ChecksumNote:
    """What is signed: the folder's name, the instant at which it was made (RFC 3339), the SHA-256 of its checksums."""

    folder: str
    made_at: str
    sha256: str

    def signed(self, signer: Signer) -> str:
        """The note. BadNote where the name has a line break, which would say something else."""
        if not self.folder.isprintable():
            raise BadNote(f"{self.folder!r} cannot be the name of a folder in a note.")
        return signer.sign(f"{_HEAD}\nof {self.folder}\nmade {self.made_at}\nsha256 {self.sha256}\n")


def read_checksum_note(note: str, verifier: Verifier) -> ChecksumNote:
    """What a note says that this key has signed.

    Raises
    ------
    BadNote
        If the signature is missing or wrong, or the text is no note about checksums.
    """
    lines = verified_text(note, verifier).splitlines()
    words = ("of ", "made ", "sha256 ")
    if len(lines) != 4 or lines[0] != _HEAD or not all(map(str.startswith, lines[1:], words)):
        raise BadNote("This is signed, and no note about checksums.")
    folder, made_at, digest = (line.removeprefix(word) for line, word in zip(lines[1:], words, strict=True))
    if len(digest) != _DIGITS:
        raise BadNote("This is no note about checksums: its digest cannot be read.")
    return ChecksumNote(folder, made_at, digest)
