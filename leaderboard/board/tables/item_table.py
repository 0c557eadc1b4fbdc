"""The pairs of one task, item by item, with every system's answers."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from scoring.core.measures.minimality import Change, Segment, change_between, difference

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

    @property
    def items(self) -> tuple[PublishedItem, PublishedItem]:
        """Both, the original first."""
        return self.original, self.changed

    @property
    def has_texts(self) -> bool:
        """Whether both sentences are known."""
        return bool(self.original.text and self.changed.text)

    @property
    def change(self) -> Change | None:
        """How far apart the sentences are."""
        return change_between(self.original.text, self.changed.text) if self.has_texts else None

    @property
    def segments(self) -> tuple[Segment, ...]:
        """Both sentences as one."""
        return difference(self.original.text, self.changed.text) if self.has_texts else ()

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
        """How many of its items are or were contested."""
        return sum(bool(item.contests) for pair in self.pairs for item in pair.items)

    def breaking_count(self, systems: Sequence[Answerer]) -> int:
        """How many of its pairs break at least one system that counts."""
        return sum(pair.outcomes(systems)[0] > 0 for pair in self.pairs)


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


def in_order(pairs: Sequence[PublishedPair], systems: Sequence[Answerer]) -> tuple[PublishedPair, ...]:
    """Those that break most systems first."""
    return tuple(sorted(pairs, key=lambda pair: -pair.outcomes(systems)[0]))


def answering(table: ItemTable, of_set: PublishedSet) -> list[int]:
    """The positions of the systems that have answered any item of a set."""
    items = [item for pair in of_set.pairs for item in pair.items]
    return [at for at in range(len(table.systems)) if any(item.answers[at] is not None for item in items)]


def names(systems: Sequence[Answerer]) -> list[str]:
    """What the systems are called where no two may be called alike."""
    called = {
        name: [system.name for system in systems].count(name) for name in {system.name for system in systems}
    }
    return [
        system.name if called[system.name] == 1 or not system.team else f"{system.name} ({system.team})"
        for system in systems
    ]
