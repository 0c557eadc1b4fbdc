"""How little two texts of a minimal pair differ, and which pairs differ by more than an organiser's rule allows.

The distance is the edit distance (Levenshtein 1966): the fewest insertions, removals and replacements that turn one
sequence into the other. It is computed a row of the table at a time, with the bits of one whole number for the row
(Myers 1999, doi:10.1145/316542.316550; Hyyrö 2003), so that thousands of pairs take no time worth waiting for.
"""

import re
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

# Named one by one, because `\w` splits words at the vowel signs of many scripts.
_MARKS = r"!-/:-@\[-`{-~\u00a1-\u00bf\u2010-\u205e\u3001-\u303f\uff01-\uff0f"
_WORD = rf"[^\s{_MARKS}]+"
# Space, or a word with its inner apostrophes (U+2019 is the typographic one) and hyphens, or a single mark.
_PIECES = re.compile(rf"\s+|{_WORD}(?:['\u2019-]{_WORD})*|[{_MARKS}]")


@dataclass(frozen=True, slots=True)
class Change:
    """How far apart two texts are.

    `character_edits` is zero for equal texts alone. `token_edits` counts edits of words and punctuation marks, and
    `token_count` those of the longer text; texts that differ only in spaces have no token edits.
    """

    character_edits: int
    token_edits: int
    token_count: int

    @property
    def token_share(self) -> float:
        """Share of tokens that change, in 0..1; 0 where neither text has a token."""
        return self.token_edits / self.token_count if self.token_count else 0.0


class SegmentKind(StrEnum):
    """Whether a stretch of text stands in both texts, in the first only, or in the second only."""

    KEPT = "kept"
    REMOVED = "removed"
    ADDED = "added"


class Segment(NamedTuple):
    """A stretch of text of a comparison; never empty."""

    kind: SegmentKind
    text: str


@dataclass(frozen=True, slots=True)
class OutlierRule:
    """What an organiser takes for a minimal pair. A limit that is None does not bind; one that is just reached holds.

    `largest_token_share` is in 0..1, `largest_token_edits` at least 0.
    """

    largest_token_share: float | None = None
    largest_token_edits: int | None = None

    def __post_init__(self) -> None:
        share, edits = self.largest_token_share, self.largest_token_edits
        if share is not None and not 0 <= share <= 1:
            raise ValueError(f"The largest share of tokens must lie in 0..1; it is {share}.")
        if edits is not None and edits < 0:
            raise ValueError(f"The largest number of edits must not be below 0; it is {edits}.")


def edit_distance(first: Sequence[Hashable], second: Sequence[Hashable]) -> int:
    """Fewest insertions, removals and replacements of single elements that make `second` of `first`.

    >>> edit_distance("kitten", "sitting")
    3
    """
    start, end = _common_ends(first, second)
    first, second = first[start : len(first) - end], second[start : len(second) - end]
    if not first or not second:
        return len(first) + len(second)
    *_, (_, _, distance) = _columns(first, second)
    return distance


def tokens(text: str) -> list[str]:
    """Words, each with its inner apostrophes and hyphens, and single punctuation marks, in order.

    >>> tokens("I'd die for this song!")
    ["I'd", 'die', 'for', 'this', 'song', '!']
    """
    return [piece for piece in _PIECES.findall(text) if not piece.isspace()]


def change_between(first: str, second: str) -> Change:
    """How far apart two texts are. Upper and lower case are different.

    >>> change_between("I like this song!", "I'd die for this song!")
    Change(character_edits=8, token_edits=3, token_count=6)
    """
    first_tokens, second_tokens = tokens(first), tokens(second)
    return Change(
        edit_distance(first, second),
        edit_distance(first_tokens, second_tokens),
        max(len(first_tokens), len(second_tokens)),
    )


def difference(first: str, second: str) -> tuple[Segment, ...]:
    """The two texts as one, by a way of fewest edits of words, marks and spaces: what is kept, removed, added.

    Segments that are kept or removed make up the first text, those that are kept or added the second, to the last
    space. No two neighbours are of one kind; what was removed stands before what was added in its place.

    >>> [(segment.kind.value, segment.text) for segment in difference("I love it!", "I hate it!")]
    [('kept', 'I '), ('removed', 'love'), ('added', 'hate'), ('kept', ' it!')]
    """
    stretches = _joined(_stretches(_PIECES.findall(first), _PIECES.findall(second)))
    # Lest a reader sees every word of a new phrase on its own.
    for place in range(1, len(stretches) - 1):
        if stretches[place].is_kept and stretches[place].before.isspace():
            stretches[place] = stretches[place]._replace(is_kept=False)
    return tuple(segment for stretch in _joined(stretches) for segment in stretch.segments() if segment.text)


def outlier_reason(change: Change, rule: OutlierRule) -> str:
    """Why a pair with that change waits for the organiser, in a sentence; empty if the rule has nothing against it."""
    largest_share, largest_edits = rule.largest_token_share, rule.largest_token_edits
    exceeded = []
    if largest_share is not None and change.token_share > largest_share:
        exceeded.append(_percent(largest_share))
    if largest_edits is not None and change.token_edits > largest_edits:
        exceeded.append(f"{largest_edits} edit{'' if largest_edits == 1 else 's'}")
    if not exceeded:
        return ""
    share = f"{change.token_edits} of {change.token_count} words and punctuation marks"
    allowed = " and ".join(exceeded)
    return f"The change touches {share} ({_percent(change.token_share)}); the rule allows at most {allowed}."


class _Stretch(NamedTuple):
    """What the first text has at a place, and the second in its stead; the same where it is kept."""

    before: str
    after: str
    is_kept: bool = False

    def segments(self) -> Iterator[Segment]:
        if self.is_kept:
            yield Segment(SegmentKind.KEPT, self.before)
        else:
            yield Segment(SegmentKind.REMOVED, self.before)
            yield Segment(SegmentKind.ADDED, self.after)


def _common_ends(first: Sequence[Hashable], second: Sequence[Hashable]) -> tuple[int, int]:
    """With how many elements the two begin alike and, of the rest, end alike: no edit is spent on these."""
    shorter = min(len(first), len(second))
    start = next((place for place in range(shorter) if first[place] != second[place]), shorter)
    most = shorter - start
    end = next((back for back in range(most) if first[-1 - back] != second[-1 - back]), most)
    return start, end


def _columns(first: Sequence[Hashable], second: Sequence[Hashable]) -> Iterator[tuple[int, int, int]]:
    """The columns of the table of distances, one per element of `second`, as (up, down, distance).

    Bit k of `up` (`down`) says that the column grows (falls) by one after row k; `distance` is that of all of the first
    sequence, which is not empty, and the second up to this column.
    """
    places: defaultdict[Hashable, int] = defaultdict(int)
    for place, element in enumerate(first):
        places[element] |= 1 << place
    mask, last = (1 << len(first)) - 1, 1 << (len(first) - 1)
    up, down, distance = mask, 0, len(first)
    for element in second:
        equal = places.get(element, 0)
        straight = equal | down
        diagonal = (((equal & up) + up) ^ up) | equal
        grows = (down | ~(diagonal | up)) & mask
        falls = up & diagonal
        distance += bool(grows & last) - bool(falls & last)
        grows, falls = grows << 1 | 1, falls << 1
        up = (falls | ~(straight | grows)) & mask
        down = grows & straight & mask
        yield up, down, distance


def _stretches(first: Sequence[str], second: Sequence[str]) -> list[_Stretch]:
    """The way of fewest edits between two lists of pieces, read backwards from the last corner of the table."""
    start, end = _common_ends(first, second)
    kept = [_Stretch(piece, piece, is_kept=True) for piece in first]
    old, new = first[start : len(first) - end], second[start : len(second) - end]
    columns = list(_columns(old, new)) if old else []
    row, at = len(old), len(new)
    backwards = []
    while row or at:
        if row and (not at or columns[at - 1][0] >> (row - 1) & 1):
            row -= 1
            backwards.append(_Stretch(old[row], ""))
        elif at and (not row or (at > 1 and columns[at - 2][1] >> (row - 1) & 1)):
            at -= 1
            backwards.append(_Stretch("", new[at]))
        else:
            row, at = row - 1, at - 1
            backwards.append(_Stretch(old[row], new[at], old[row] == new[at]))
    return [*kept[:start], *reversed(backwards), *kept[len(first) - end :]]


def _joined(stretches: Iterable[_Stretch]) -> list[_Stretch]:
    """Neighbours that are both kept, or both changed, as one."""
    joined: list[_Stretch] = []
    for stretch in stretches:
        if joined and joined[-1].is_kept == stretch.is_kept:
            last = joined.pop()
            stretch = _Stretch(last.before + stretch.before, last.after + stretch.after, last.is_kept)
        joined.append(stretch)
    return joined


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"
