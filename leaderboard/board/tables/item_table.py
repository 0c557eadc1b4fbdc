"""The pairs of one task, item by item, with every system's answers."""

import datetime as dt
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from scoring.core.measures.minimality import Change, change_between

SIDES = ("original", "changed")


@dataclass(frozen=True, slots=True)
class Answerer:
    """A system with its public name. Baselines are shown and not counted; `team` is empty where it is hidden."""

    name: str
    team: str
    is_counted: bool


@dataclass(frozen=True, slots=True)
class ContestedLabel:
    """A contest of an item's label: what was said, how annotators voted, and what came of it."""

    outcome: str
    reason: str
    proposed: str = ""
    votes: tuple[tuple[str, int], ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class PublishedItem:
    """One item. `answers` and `rights` go along with the table's systems and are None where one has not answered."""

    id: str
    text: str
    label: str
    answers: tuple[str | None, ...]
    rights: tuple[bool | None, ...]
    contests: tuple[ContestedLabel, ...] = ()


@dataclass(frozen=True, slots=True)
class PublishedPair:
    """An original and what was made of it. `context` is what both have in common, such as a question, by column.

    Texts are empty where none are known.
    """

    id: str
    original: PublishedItem
    changed: PublishedItem
    context: tuple[tuple[str, str], ...] = ()
    rationale: str = ""
    category: str = ""

    @property
    def items(self) -> tuple[PublishedItem, PublishedItem]:
        """Both, the original first."""
        return self.original, self.changed

    @property
    def change(self) -> Change | None:
        """How far apart the sentences are; None where they are not known."""
        texts = [item.text for item in self.items]
        return change_between(*texts) if all(texts) else None

    def outcomes(self, systems: Sequence[Answerer]) -> tuple[int, int]:
        """How many systems that count it breaks (exactly one item right), and of how many."""
        both = [
            first != second
            for system, first, second in zip(systems, self.original.rights, self.changed.rights, strict=True)
            if system.is_counted and first is not None and second is not None
        ]
        return sum(both), len(both)


@dataclass(frozen=True, slots=True)
class PublishedSet:
    """A breaker's pairs, those that break most systems first; of equally many in the order of the set."""

    split: str
    title: str
    gold_version: int
    pairs: tuple[PublishedPair, ...]
    withdrawn_at: dt.datetime | None = None
    withdrawal_reason: str = ""

    @property
    def contested_count(self) -> int:
        return sum(bool(item.contests) for pair in self.pairs for item in pair.items)


@dataclass(frozen=True, slots=True)
class ItemTable:
    """All sets of one task. `release` is that of the answers, 0 as long as none of them is published."""

    benchmark: str
    task: str
    title: str
    release: int
    synthetic: bool
    systems: tuple[Answerer, ...]
    sets: tuple[PublishedSet, ...]


def names(systems: Sequence[Answerer]) -> list[str]:
    """What the systems are called where no two may be called alike."""
    counts = Counter(system.name for system in systems)
    return [
        system.name if counts[system.name] == 1 or not system.team else f"{system.name} ({system.team})"
        for system in systems
    ]
