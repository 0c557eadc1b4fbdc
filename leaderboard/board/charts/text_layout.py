"""Text in drawings: about how wide it is, what of it has room, and what XML can hold."""

from __future__ import annotations

import re
from unicodedata import bidirectional, category, combining, east_asian_width

ELLIPSIS = "…"
NARROW, BROAD = frozenset("fijlrtI.,:;'|!()[] -"), frozenset("mwMW@%&")
JOINS = {"\u200d", "\ufe0e", "\ufe0f"}
RIGHT_TO_LEFT = {"R", "AL"}
_NOT_IN_XML = re.compile(r"[\x00-\x20\x7f-\x9f\ud800-\udfff\ufffe\uffff\u2028\u2029]+")


def one_line(text: str) -> str:
    """The text without what XML may not hold: control characters become spaces."""
    return _NOT_IN_XML.sub(" ", text).strip()


def width(text: str, size: float) -> float:
    """About how many pixels a line takes in any sans-serif of that size, rather more than fewer."""
    return size * sum(map(_ems, text))


def _ems(letter: str) -> float:
    if letter.isascii():
        if letter in NARROW:
            return 0.36
        return 0.9 if letter in BROAD else 0.7 if letter.isupper() else 0.58
    if combining(letter) or letter in JOINS or category(letter) == "Cf":
        return 0.0
    return 1.25 if east_asian_width(letter) in "WF" else 0.7


def shortened(text: str, room: float, size: float) -> str:
    """The text as one line, cut at an ellipsis where it takes more than `room` pixels."""
    line = one_line(text)
    if width(line, size) <= room:
        return line
    room -= width(ELLIPSIS, size)
    for index, letter in enumerate(line):
        room -= width(letter, size)
        if room < 0:
            return _whole(line[:index], letter) + ELLIPSIS
    return line


def _whole(kept: str, following: str) -> str:
    """What is kept without the beginning of a sign that the cut would have parted."""
    while kept and (_belongs(following) or kept[-1] == "\u200d"):
        kept, following = kept[:-1], kept[-1]
    return kept.rstrip()


def _belongs(letter: str) -> bool:
    return bool(combining(letter)) or letter in JOINS or "\U0001f3fb" <= letter <= "\U0001f3ff"


def wrapped(text: str, room: float, size: float, *, lines: int) -> list[str]:
    """The text in at most so many lines of `room` pixels; the last one is cut where that is not enough."""
    found: list[str] = []
    words = one_line(text).split(" ")
    while words and len(found) < lines - 1:
        count = 1
        while count < len(words) and width(" ".join(words[: count + 1]), size) <= room:
            count += 1
        found.append(shortened(" ".join(words[:count]), room, size))
        words = words[count:]
    return [*found, shortened(" ".join(words), room, size)] if words else found


def quoted(name: str, room: float = 190, size: float = 15) -> str:
    """A name as it stands in a sentence: shortened, and by itself where it is written from right to left."""
    short = shortened(name, room, size)
    return (
        f"\u2068{short}\u2069" if any(bidirectional(letter) in RIGHT_TO_LEFT for letter in short) else short
    )
