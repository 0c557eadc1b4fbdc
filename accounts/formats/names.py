"""Names that stand on boards, in mail and in files."""

import unicodedata

from django.core.exceptions import ValidationError

_NOT_OF_A_LINE = {"Cc", "Zl", "Zp"}  # control characters, and what ends lines and paragraphs


def one_line(name: str) -> str:
    """The name as it is. ValidationError if it holds a line break or another control character."""
    if any(unicodedata.category(character) in _NOT_OF_A_LINE for character in name):
        raise ValidationError("A name is one line: expected no line breaks and no control characters.")
    return name
