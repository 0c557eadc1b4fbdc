"""JSON that has one spelling, so that its digest speaks of what it says: RFC 8785 without fractions."""

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Any


def canonical_json(document: Mapping[str, Any]) -> bytes:
    """The document as UTF-8 with sorted keys and no blanks.

    Raises
    ------
    ValueError
        If it holds a float, a key that is no ASCII text, or what JSON has no word for: these have several spellings.
    """
    _refuse_ambiguous(document)
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.encode()


def digest_of(document: Mapping[str, Any]) -> str:
    """The SHA-256 of the canonical JSON, 64 hexadecimal digits."""
    return sha256(canonical_json(document)).hexdigest()


def salted_digest(salt: bytes, content: bytes) -> str:
    """The SHA-256 of salt and content, 64 hexadecimal digits: says nothing of the content until the salt is known."""
    return sha256(salt + content).hexdigest()


def quoted_cell(text: str) -> str:
    """A cell of a CSV file that is to be committed to: quoted where a comma, a quote or a line break needs it."""
    # Written out rather than left to the csv module, whose choice of cells to quote differs between versions.
    must_be_quoted = any(character in text for character in ',"\n\r')
    return '"' + text.replace('"', '""') + '"' if must_be_quoted else text


def _refuse_ambiguous(value: Any) -> None:
    match value:
        case dict():
            for key, inner in value.items():
                if not (isinstance(key, str) and key.isascii()):
                    raise ValueError(f"{key!r} cannot be a key: expected ASCII text.")
                _refuse_ambiguous(inner)
        case list() | tuple():
            for inner in value:
                _refuse_ambiguous(inner)
        case None | bool() | int() | str():
            return
        case _:
            raise ValueError(f"{value!r} has no one spelling in JSON: expected text, whole numbers, lists.")
