"""Signed notes (C2SP signed-note): lines of text that anybody can read, with Ed25519 signatures under them.

A verifier key is `name+hash+base64`; the secret key has `PRIVATE+KEY+` in front. Both are those of Go's note package.
"""

from __future__ import annotations

import hmac
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from dataclasses import dataclass, field
from hashlib import sha256

from nacl.exceptions import BadSignatureError
from nacl.signing import SigningKey, VerifyKey

_ED25519 = b"\x01"
_SECRET = "PRIVATE+KEY+"  # noqa: S105  # the mark of a secret key, which is none itself
_MARK_BYTES = 4


class BadNote(Exception):
    """A key or a note cannot be read, or a signature is not that of the key; the message says which."""


@dataclass(frozen=True, slots=True)
class Verifier:
    """The public half of a key: the name that it signs under, and 32 bytes."""

    name: str
    public: bytes

    def __str__(self) -> str:
        return f"{self.name}+{self.mark.hex()}+{b64encode(_ED25519 + self.public).decode()}"

    @property
    def mark(self) -> bytes:
        """Four bytes that tell keys of one name apart."""
        return sha256(self.name.encode() + b"\n" + _ED25519 + self.public).digest()[:_MARK_BYTES]

    @classmethod
    def read(cls, text: str) -> Verifier:
        """The verifier written as `name+hash+base64`. BadNote where it is none."""
        name, mark, public = _parts(text)
        verifier = cls(name, public)
        if mark != verifier.mark.hex():
            raise BadNote(f"{text!r} is no verifier key: its hash does not fit its name and key.")
        return verifier


@dataclass(frozen=True, slots=True)
class Signer:
    """The secret half of a key."""

    name: str
    secret: bytes = field(repr=False)

    def __str__(self) -> str:
        return f"<signer {self.name}>"

    @classmethod
    def generate(cls, name: str) -> Signer:
        """A new key. BadNote where the name holds a blank or a plus, which notes have no place for."""
        if not name or "+" in name or any(character.isspace() for character in name):
            raise BadNote(f"{name!r} cannot be the name of a key: it must have no blank and no plus in it.")
        return cls(name, bytes(SigningKey.generate()))

    @classmethod
    def read(cls, text: str) -> Signer:
        """The signer from its secret key as `written` gives it. BadNote where it is none."""
        if not text.startswith(_SECRET):
            raise BadNote(f"This is no secret key: it does not begin with {_SECRET}.")
        try:
            name, mark, secret = _parts(text.removeprefix(_SECRET))
        except BadNote:
            raise BadNote("This is no secret key: its parts cannot be read.") from None
        signer = cls(name, secret)
        if mark != signer.verifier.mark.hex():
            raise BadNote("This is no secret key: its hash does not fit its name and key.")
        return signer

    def written(self) -> str:
        """The secret key as text; keep it from everybody."""
        encoded = b64encode(_ED25519 + self.secret).decode()
        return f"{_SECRET}{self.name}+{self.verifier.mark.hex()}+{encoded}"

    @property
    def verifier(self) -> Verifier:
        return Verifier(self.name, bytes(SigningKey(self.secret).verify_key))

    def sign(self, text: str) -> str:
        """The note: the text, which must end with a line feed, an empty line, and the signature."""
        if not text.endswith("\n"):
            raise BadNote("The text of a note must end with a line feed.")
        signature = SigningKey(self.secret).sign(text.encode()).signature
        mark = self.verifier.mark
        return f"{text}\n\u2014 {self.name} {b64encode(mark + signature).decode()}\n"


def verified_text(note: str, verifier: Verifier) -> str:
    """The text of a note that the key has signed; signatures of others are passed over.

    Raises
    ------
    BadNote
        If there is no signature of this key under it, or it is not a signature of this text.
    """
    text, gap, signatures = note.rpartition("\n\n")
    if not gap:
        raise BadNote("This is no signed note: it has no empty line with signatures under it.")
    text += "\n"
    for line in signatures.splitlines():
        said = line.removeprefix("\u2014 ").split(" ")
        if len(said) != 2 or said[0] != verifier.name:
            continue
        signature = _decoded(said[1])
        if not hmac.compare_digest(signature[:_MARK_BYTES], verifier.mark):
            continue
        try:
            VerifyKey(verifier.public).verify(text.encode(), signature[_MARK_BYTES:])
        except (BadSignatureError, ValueError, TypeError):
            raise BadNote(f"The signature of {verifier.name} is not one of this text.") from None
        return text
    raise BadNote(f"There is no signature of the key {verifier.name}+{verifier.mark.hex()} under this note.")


def _parts(text: str) -> tuple[str, str, bytes]:
    """Name, hash and 32 bytes of a written key."""
    name, _, rest = text.strip().partition("+")
    mark, _, encoded = rest.partition("+")
    key = _decoded(encoded)
    if not name or len(key) != 1 + 32 or key[:1] != _ED25519:
        raise BadNote(f"{text!r} is no verifier key: expected name+hash+base64 of an Ed25519 key.")
    return name, mark, key[1:]


def _decoded(text: str) -> bytes:
    try:
        return b64decode(text, validate=True)
    except (Base64Error, ValueError):
        return b""
