"""What somebody probably meant: the nearest label, id or path, and ids written as ranges."""

import difflib
import re
import unicodedata
from collections.abc import Iterable, Sequence

_COMPARED = 120
_ALIKE = 0.5
_NUMBER = re.compile(r"0|[1-9][0-9]{0,17}")
_WITHOUT_WIDTH = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff"))  # nobody sees them
_DECIMAL = re.compile(r"\.0+$")
_WHOLE = re.compile(r"-?[0-9]+\.0+")
# Between two words. Before a number, and at an end, it is a sign: -1 is not 1, and A- is not A.
_HYPHEN = re.compile(r"(?<=\w)-(?=\w)|(?<=\s)-(?=\s)")


def nearest(wanted: str, choices: Sequence[str]) -> str:
    """The choice most like `wanted`, whatever the case; the first one if none is like it at all."""
    return near(wanted, choices, at_least=0.0) or choices[0]


def near(wanted: str, choices: Sequence[str], at_least: float = _ALIKE) -> str | None:
    """The choice most like `wanted`, whatever the case; None if none is more like it than `at_least`, of 1.

    Takes up to a millisecond: ask it only for what somebody will read.
    """
    matcher = difflib.SequenceMatcher(b=wanted.casefold()[:_COMPARED])
    closest, best = None, at_least
    for choice in choices:
        matcher.set_seq1(choice.casefold()[:_COMPARED])
        # Two upper bounds first, because they cost little.
        if matcher.real_quick_ratio() > best and matcher.quick_ratio() > best and matcher.ratio() > best:
            closest, best = choice, matcher.ratio()
    return closest


def loose_label(label: str) -> str:
    """The label without what people change by accident: case, spaces, underscores, hyphens and the form of accents."""
    words = " ".join(composed(label).replace("_", " ").split())
    return " ".join(_HYPHEN.sub(" ", words).split()).casefold()


def without_decimals(text: str) -> str:
    """A whole number without the zeros behind a point that programs write for columns of numbers; else the text.

    >>> without_decimals("-1.0"), without_decimals("1.5"), without_decimals("v1.0")
    ('-1', '1.5', 'v1.0')
    """
    return _DECIMAL.sub("", text) if _WHOLE.fullmatch(text) else text


def loose_id(item: str) -> str:
    """The id without what programs change: spaces, leading zeros, a decimal `.0`, the form of accents."""
    bare = composed(item).translate(_WITHOUT_WIDTH).strip()
    if bare.endswith("0"):
        bare = _DECIMAL.sub("", bare)
    return bare.lstrip("0") or "0"


def composed(text: str) -> str:
    """The text with each accent and its letter as one character, where Unicode has one (NFC): both forms look alike."""
    return unicodedata.normalize("NFC", text)


def as_ranges(ids: Iterable[str], limit: int = 10) -> str:
    """The ids as text, whole numbers that follow each other drawn together: `50-61, 70, a-7`.

    At most `limit` pieces are written out; how many ids the rest stands for is said.
    """
    runs: list[tuple[str, str]] = []  # first and last of each that is written out
    following: int | None = None
    rest = 0
    for item in ids:
        number = int(item) if _NUMBER.fullmatch(item) else None
        is_next = number is not None and number == following
        following = None if number is None else number + 1
        if rest or (len(runs) == limit and not is_next):
            rest += 1
        elif is_next:
            runs[-1] = runs[-1][0], item
        else:
            runs.append((item, item))
    pieces = [first if first == last else f"{first}-{last}" for first, last in runs]
    return ", ".join(pieces) + (f" and {rest:,} more" if rest else "")
