"""How often pairs of one kind of change break systems: a share for every system, and for all of them together."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from leaderboard.board.tables.item_table import ItemTable, PublishedPair
from scoring.core.uncertainty.intervals import share_interval

NO_CATEGORY = ""
"""The kind of the pairs whose breakers named none."""


@dataclass(frozen=True, slots=True)
class BreakRate:
    """Of the pairs of one kind that a system has answered, how many break it; both ends of the share's 95 % interval.

    `share`, `low` and `high` are None where it has answered none.
    """

    broken: int
    answered: int
    low: float | None = None
    high: float | None = None

    @property
    def share(self) -> float | None:
        return self.broken / self.answered if self.answered else None


@dataclass(frozen=True, slots=True)
class CategoryRates:
    """The pairs of one kind of change.

    systems : goes along with the table's systems
    together : over all systems that count; without an interval, because they answer the same pairs
    """

    category: str
    pairs: int
    together: BreakRate
    systems: tuple[BreakRate, ...]


def category_rates(table: ItemTable) -> tuple[CategoryRates, ...]:
    """The kinds of changes that the pairs of sets in force name, most pairs first; none if no pair names one.

    A pair breaks a system that has exactly one of its two items right. Intervals: `share_interval`.
    """
    of_kind: defaultdict[str, list[PublishedPair]] = defaultdict(list)
    for of_set in table.sets:
        if of_set.withdrawn_at is None:
            for pair in of_set.pairs:
                of_kind[pair.category].append(pair)
    if not of_kind.keys() - {NO_CATEGORY}:
        return ()
    made = [_rates(category, pairs, table) for category, pairs in of_kind.items()]
    return tuple(sorted(made, key=lambda one: (one.category == NO_CATEGORY, -one.pairs, one.category)))


def rates_as_dicts(table: ItemTable) -> list[dict[str, object]]:
    """The same for JSON: shares from 0 to 1, null where a system has answered no pair of that kind."""
    return [
        {
            "category": one.category or None,
            "pairs": one.pairs,
            "broken": one.together.broken,
            "answered": one.together.answered,
            "share": one.together.share,
            "systems": [
                {
                    "broken": rate.broken,
                    "answered": rate.answered,
                    "share": rate.share,
                    "low": rate.low,
                    "high": rate.high,
                }
                for rate in one.systems
            ],
        }
        for one in category_rates(table)
    ]


def _rates(category: str, pairs: list[PublishedPair], table: ItemTable) -> CategoryRates:
    known: Mapping[int, tuple[int, int]] = {
        at: _counts([(pair.original.rights[at], pair.changed.rights[at]) for pair in pairs])
        for at in range(len(table.systems))
    }
    counted = [known[at] for at, system in enumerate(table.systems) if system.is_counted]
    together = BreakRate(sum(broken for broken, _ in counted), sum(answered for _, answered in counted))
    return CategoryRates(
        category, len(pairs), together, tuple(_with_interval(*one) for one in known.values())
    )


def _counts(rights: list[tuple[bool | None, bool | None]]) -> tuple[int, int]:
    both = [first != second for first, second in rights if first is not None and second is not None]
    return sum(both), len(both)


def _with_interval(broken: int, answered: int) -> BreakRate:
    if not answered:
        return BreakRate(0, 0)
    ends = share_interval(broken, answered)
    return BreakRate(broken, answered, ends.low, ends.high)
