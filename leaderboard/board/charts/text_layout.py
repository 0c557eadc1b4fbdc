"""Text in drawings: about how wide it is, what of it has room, and where labels stand apart."""

from collections.abc import Sequence
from unicodedata import bidirectional, category, combining, east_asian_width

from leaderboard.board.model.plain_text import one_line

ELLIPSIS = "…"
NARROW, BROAD = frozenset("fijlrtI.,:;'|!()[] -"), frozenset("mwMW@%&")
JOINS = {"\u200d", "\ufe0e", "\ufe0f"}
LINE_HEIGHT = 16
RIGHT_TO_LEFT = {"R", "AL"}


def width(text: str, size: float) -> float:
    """About how many pixels a line takes in any sans-serif of that size, rather more than fewer."""
    return size * sum(map(_ems, text))


def _ems(letter: str) -> float:
    if letter.isascii():
        plain = 0.7 if letter.isupper() else 0.58
        return 0.36 if letter in NARROW else 0.9 if letter in BROAD else plain
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
    wrapped_lines: list[str] = []
    words = one_line(text).split(" ")
    while words and len(wrapped_lines) < lines - 1:
        count = 1
        while count < len(words) and width(" ".join(words[: count + 1]), size) <= room:
            count += 1
        wrapped_lines.append(shortened(" ".join(words[:count]), room, size))
        words = words[count:]
    return [*wrapped_lines, shortened(" ".join(words), room, size)] if words else wrapped_lines


def quoted(name: str, room: float = 190, size: float = 15) -> str:
    """A name as it stands in a sentence: shortened, and by itself where it is written from right to left."""
    short = shortened(name, room, size)
    return (
        f"\u2068{short}\u2069" if any(bidirectional(letter) in RIGHT_TO_LEFT for letter in short) else short
    )


def apart(wanted: Sequence[float], low: float, high: float) -> list[float]:
    """Heights near those wanted, which ascend, a line apart; between `low` and `high` where all fit there.

    What would overlap moves apart together, as far up as down.
    """
    blocks: list[tuple[float, int]] = []  # middle, how many lines
    for height in wanted:
        middle, count = _within(height, 1, low, high), 1
        while blocks and blocks[-1][0] + (blocks[-1][1] + count) * LINE_HEIGHT / 2 > middle:
            above, members = blocks.pop()
            middle = (above * members + middle * count) / (members + count)
            count += members
            middle = _within(middle, count, low, high)
        blocks.append((middle, count))
    return [
        middle + (index - (count - 1) / 2) * LINE_HEIGHT for middle, count in blocks for index in range(count)
    ]


def _within(middle: float, count: int, low: float, high: float) -> float:
    half = (count - 1) * LINE_HEIGHT / 2
    return max(low + half, min(high - half, middle))


def shelved(wanted: Sequence[tuple[float, float]], low: float, high: float) -> list[tuple[bool, int]]:
    """Whether each label stands to the left of its place, and on which line; `wanted` are places in order, and widths.

    A label begins at its place, or ends there where it has no room at the right. Line 0 is the lowest. No label stands
    on another, nor in the way of a hair from another down to its place.
    """
    spans: list[tuple[bool, float, float]] = []  # whether it is left, where it begins, where it ends
    for x, wide in reversed(wanted):
        is_crossed = any(is_left and x + wide > end for is_left, _, end in spans)
        is_left = x + wide > high or (is_crossed and x - wide >= low)
        spans.insert(0, (is_left, x - wide if is_left else x, x if is_left else x + wide))
    lines: dict[int, int] = {}
    for index in sorted(range(len(spans)), key=lambda at: (spans[at][0], at if spans[at][0] else -at)):
        _, begin, end = spans[index]
        near = [line for at, line in lines.items() if spans[at][1] < end + 8 and begin < spans[at][2] + 8]
        lines[index] = max(near, default=-1) + 1
    return [(is_left, lines[index]) for index, (is_left, _, _) in enumerate(spans)]
