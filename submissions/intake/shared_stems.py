"""Whether ids look as if items belonged together: posts of a thread, sentences of a document."""

import re
from collections.abc import Sequence
from typing import NamedTuple

# What comes before the last separator, and a short mark behind it: `thread12_3`, `doc-7/2`.
_PARTED = re.compile(r"([^0-9]*[0-9].*)[_\-/.:#][A-Za-z0-9]{1,6}")
_FEWEST_STEMS = 5
_LEAST_PARTED = 0.9  # of all ids
_LEAST_TOGETHER = 2  # items of a stem, on average


class SharedStems(NamedTuple):
    """How many beginnings the ids share, and the first of them that several ids have, with two of these."""

    stems: int
    stem: str
    first: str
    second: str

    def __str__(self) -> str:
        return (
            f"The ids share {self.stems:,} beginnings, such as {self.stem} of {self.first} and {self.second}. If items "
            "of one beginning belong together, as posts of a thread do, give the gold file a column that says so and "
            "name it in the definition as cluster_column: otherwise intervals come out too narrow."
        )


def shared_stems(ids: Sequence[str]) -> SharedStems | None:
    """What ids with a number before their last separator share, if that is how nearly all of them are written.

    None where fewer than nine in ten are, where they share fewer than five beginnings, as those of a year or a
    language are, or where there are fewer than two ids to a beginning on average.

    Examples
    --------
    >>> shared_stems([f"thread{at}_{post}" for at in range(9) for post in range(3)])
    SharedStems(stems=9, stem='thread0', first='thread0_0', second='thread0_1')
    >>> shared_stems([f"2018-En-{at:05}" for at in range(99)]) is None
    True
    """
    items: dict[str, list[str]] = {}
    for item in ids:
        if found := _PARTED.fullmatch(item):
            items.setdefault(found[1], []).append(item)
    parted = sum(map(len, items.values()))
    if len(items) < _FEWEST_STEMS or parted < max(_LEAST_PARTED * len(ids), _LEAST_TOGETHER * len(items)):
        return None
    stem, (first, second, *_) = next((stem, own) for stem, own in items.items() if len(own) > 1)
    return SharedStems(len(items), stem, first, second)
