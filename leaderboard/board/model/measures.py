"""Whether two releases rank by the same measure: only then is a score better or worse than one before it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from leaderboard.board.model.board import Board

MOST_NAMED = 3
_SAID = {"remainder": "kept back"}  # the part of the items that releases call so


def differences_in_measure(old: Board, new: Board) -> list[str]:
    """What is another in the column that ranks two boards, in words: "mood: gold labels 1 → 2"; empty if nothing is.

    What is not known of either board makes no difference.
    """
    before, now = old.column(old.rank_by), new.column(new.rank_by)
    differences = []
    if before.metric != now.metric:
        differences.append(f"{before.metric_title} → {now.metric_title}")
    if old.ranked_on and new.ranked_on and old.ranked_on != new.ranked_on:
        differences += _of_sets(old.ranked_on, new.ranked_on)
    return differences


def _of_sets(old: Mapping[str, Mapping[str, str]], new: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    """What came, what went, and what is another; what is the same of many sets, such as their items, is said once."""
    changed: dict[str, list[str]] = {}
    for name in dict.fromkeys([*new, *old]):
        if name not in old:
            yield f"{name} is new"
        elif name not in new:
            yield f"{name} has gone"
        else:
            for about, now in new[name].items():
                if (was := old[name].get(about, now)) != now:
                    change = f"{about} {_SAID.get(was, was)} → {_SAID.get(now, now)}"
                    changed.setdefault(change, []).append(name)
    for change, (first, *others) in changed.items():
        yield f"{first}{f' and {len(others)} more' if others else ''}: {change}"


def in_words(differences: Sequence[str]) -> str:
    """The first few of these differences, and how many more there are."""
    more = len(differences) - MOST_NAMED
    return "; ".join([*differences[:MOST_NAMED], *([f"{more} more"] if more > 0 else [])])


def spells(boards: Iterable[Board]) -> list[list[Board]]:
    """The boards in the order of their releases, divided wherever the column that ranks them was measured otherwise."""
    parts: list[list[Board]] = []
    for board in sorted(boards, key=lambda board: board.release):
        if parts and not differences_in_measure(parts[-1][-1], board):
            parts[-1].append(board)
        else:
            parts.append([board])
    return parts
