"""Names that stand on boards, in mail and in files."""

import unicodedata

from django.core.exceptions import ValidationError

_NOT_OF_A_LINE = {"Cc", "Zl", "Zp"}  # control characters, and what ends lines and paragraphs
# Of what shows nothing by itself: what joins letters in Persian and Hindi, and people in emoji.
_JOINERS = "\u200c\u200d"
_LETTERS_OF_NOTHING = "\u115f\u1160\u2800\u3164\uffa0"
# Cyrillic and Greek letters that look like Latin ones.
_LIKE_LATIN = str.maketrans(
    "\u0410\u0412\u0415\u0405\u0406\u0408\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425"
    "\u0430\u0435\u0441\u0501\u0455\u0456\u0458\u043e\u0440\u0443\u0445\u04bb\u051b\u051d"
    "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03bf",
    "ABESIJKMHOPCTYXaecdsijopyxhqwABEZHIKMNOPTYXo",
)


def one_line(name: str) -> str:
    """The name as it is. ValidationError if it holds a line break or something else that nobody sees."""
    if any(unicodedata.category(character) in _NOT_OF_A_LINE for character in name):
        raise ValidationError("A name is one line: expected no line breaks and no control characters.")
    if any(map(_is_unseen, name)) or (name and not look_of(name)):
        raise ValidationError(
            "A name is what one sees of it: expected no invisible characters, and none that turn the direction of "
            "what stands after them."
        )
    return name


def as_one_line(name: str) -> str:
    """The name without what `one_line` refuses; empty where nothing else is in it.

    >>> as_one_line("Ada\\nLovelace\\u202e")
    'Ada Lovelace'
    """
    seen = (
        " " if unicodedata.category(character) in _NOT_OF_A_LINE else character
        for character in name
        if not _is_unseen(character)
    )
    plain = " ".join("".join(seen).split())
    return plain if look_of(plain) else ""


def look_of(name: str) -> str:
    """The same for names that look the same, or differ in case alone.

    >>> look_of("N\u043erth") == look_of("north ")  # a Cyrillic letter, a space
    True
    """
    plain = unicodedata.normalize("NFKC", name).translate(_LIKE_LATIN).casefold()
    return " ".join("".join(letter for letter in plain if letter not in _JOINERS).split())


def _is_unseen(character: str) -> bool:
    if character in _JOINERS:
        return False
    return character in _LETTERS_OF_NOTHING or unicodedata.category(character) == "Cf"
