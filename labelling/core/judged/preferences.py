"""Preferences between outputs of two systems: the share of comparisons that each wins, and its strength."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

from labelling.core.judged.figures import ONE_ALONE, Floats, JudgedFigure, drawn_items, ratios, with_range
from labelling.core.judged.strengths import are_connected, divided, strengths
from scoring.core.uncertainty.weights import REPLICATES

MOST_WITHOUT = 0.05
"""Of resamples that may have no finite strengths; with more there is no interval."""
NOT_COMPARED = (
    "There are no strengths: not all systems were compared with each other, not even by way of others. More pairs of "
    "each item would have compared them."
)
WON_ALL = (
    "There are no strengths: between two groups of systems one has won every comparison, so that no finite numbers fit "
    "best."
)
NO_RANGE = (
    "There are no intervals of strengths: in too many resamples a system wins, or loses, every comparison."
)


@dataclass(frozen=True, slots=True)
class ComparedOutputs:
    """The outputs of two systems, by their numbers, for an item.

    `share` is that of the answers that prefer the first; a tie counts half.
    """

    item: str
    first: int
    second: int
    share: float


@dataclass(frozen=True, slots=True)
class PreferredSystem:
    """In how many comparisons a system was, the share that it won, ties as halves, and its strength."""

    comparisons: int
    wins: JudgedFigure
    strength: JudgedFigure


@dataclass(frozen=True, slots=True)
class SystemPreferences:
    """What came of preferences, by the number of the system.

    `because` says why there are no strengths, or no intervals of them; `groups` which systems are apart then, those
    that won first.
    """

    systems: dict[int, PreferredSystem]
    items: int
    because: str = ""
    groups: tuple[tuple[int, ...], ...] = ()


def prefer(
    compared: Sequence[ComparedOutputs],
    systems: Sequence[int],
    *,
    seed: bytes,
    belongs: Mapping[str, int] | None = None,
    replicates: int = REPLICATES,
) -> SystemPreferences:
    """Shares of wins and strengths of systems, with intervals by drawing the items again, the same for all systems.

    Items of which `belongs` says that they belong to the same are drawn together. Every comparison counts once, however
    many people have made it.
    """
    drawn = drawn_items([each.item for each in compared], belongs or {}, seed=seed, replicates=replicates)
    items, at, size = drawn.places, {name: at for at, name in enumerate(systems)}, len(systems)
    of_item = np.zeros((len(items), size, size))
    for each in compared:
        first, second, item = at[each.first], at[each.second], items[each.item]
        of_item[item, first, second] += each.share
        of_item[item, second, first] += 1 - each.share
    wins = (drawn.weights @ of_item.reshape(-1, size * size)).reshape(-1, size, size)
    shares = ratios(wins.sum(axis=2), (wins + wins.transpose(0, 2, 1)).sum(axis=2))
    strong, because = _strong(wins)
    because = because or (ONE_ALONE if drawn.units == 1 else "")
    is_apart = bool(np.isnan(strong[0]).any())
    found = {
        name: PreferredSystem(
            sum(name in (each.first, each.second) for each in compared),
            with_range(shares[:, place], 0.0, 1.0),
            with_range(strong[:, place], -inf, inf, has_range=not because),
        )
        for name, place in at.items()
    }
    groups = tuple(tuple(systems[one] for one in group) for group in divided(wins[0])) if is_apart else ()
    return SystemPreferences(found, len(items), because, groups)


def _strong(wins: Floats) -> tuple[Floats, str]:
    """The strengths as they are and in every resample, and why they, or their intervals, are not told."""
    first = strengths(wins[:1])
    if np.isnan(first).any():
        nothing = np.full(wins.shape[:2], np.nan)
        return nothing, WON_ALL if are_connected(wins[0]) else NOT_COMPARED
    found = np.concatenate([first, strengths(wins[1:])])
    without = np.isnan(found).any(axis=1).mean()
    return found, NO_RANGE if without > MOST_WITHOUT else ""
