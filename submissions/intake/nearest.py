"""What somebody probably meant: the nearest label, id or path, and ids written as ranges."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence

_COMPARED = 120
_NUMBER = re.compile(r"0|[1-9][0-9]{0,17}")


def nearest(wanted: str, choices: Sequence[str]) -> str:
    """The choice most like `wanted`, whatever the case; the first one if none is like it at all."""
    folded = {choice.casefold()[:_COMPARED]: choice for choice in reversed(choices)}
    matches = difflib.get_close_matches(wanted.casefold()[:_COMPARED], list(folded), n=1, cutoff=0.0)
    return folded[matches[0]]


def loose_label(label: str) -> str:
    """The label without what people change by accident: case, spaces, underscores and hyphens."""
    return re.sub(r"[\s_-]+", " ", label).strip().casefold()


def loose_id(item: str) -> str:
    """The id without what spreadsheets and data frames change: spaces, leading zeros, a decimal `.0`."""
    return re.sub(r"\.0+$", "", item.strip()).lstrip("0") or "0"


def as_ranges(ids: Iterable[str], limit: int = 10) -> str:
    """The ids as text, whole numbers that follow each other drawn together: `50-61, 70, a-7`.

    At most `limit` pieces are written out; how many ids the rest stands for is said.
    """
    runs: list[list[str]] = []
    for item in ids:
        if runs and _follows(runs[-1][-1], item):
            runs[-1].append(item)
        else:
            runs.append([item])
    pieces = [run[0] if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs[:limit]]
    rest = sum(len(run) for run in runs[limit:])
    return ", ".join(pieces) + (f" and {rest:,} more" if rest else "")


def _follows(before: str, item: str) -> bool:
    both_numbers = _NUMBER.fullmatch(before) and _NUMBER.fullmatch(item)
    return bool(both_numbers) and int(item) == int(before) + 1
