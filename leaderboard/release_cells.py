"""The cells of a release, stored as what differs from those of the phase's release before."""

import uuid
from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from operator import attrgetter
from typing import Any, NamedTuple, TypeAlias

from benchmarks.models import Split, Task
from leaderboard.models import Release, ReleaseCell
from scoring.models import Disclosed, Score
from scoring.queue.row_writing import insert_rows
from submissions.models import Submission, System

FACTS = (
    "system_id",
    "task_id",
    "split_id",
    "track",
    "seed",
    "submission_id",
    "score_id",
    "disclosed_id",
)
"""What a cell says: one that says the same in the next release goes on."""
Facts = tuple[Any, ...]


class DraftCell(NamedTuple):
    """A cell of a release that is being made: what is read of it is called as in a `ReleaseCell`.

    There are many, and to make an object of a model takes ten times as long.
    """

    system: System
    task: Task
    split: Split
    track: str
    seed: int
    submission: Submission
    score: Score
    disclosed: Disclosed | None

    @property
    def system_id(self) -> uuid.UUID:
        return self.system.id

    @property
    def task_id(self) -> int:
        return self.task.id

    @property
    def split_id(self) -> int:
        return self.split.id

    @property
    def submission_id(self) -> uuid.UUID:
        return self.submission.id

    @property
    def score_id(self) -> int:
        return self.score.id

    @property
    def disclosed_id(self) -> int | None:
        return None if self.disclosed is None else self.disclosed.id

    @property
    def value(self) -> float | None:
        """The number that the release shows; None where it is undefined."""
        return self.score.value if self.disclosed is None else self.disclosed.shown


AnyCell: TypeAlias = ReleaseCell | DraftCell

_STEP = 2**32
_AT_ONCE = 10_000  # cells; a database takes only so many ids in one statement


def store_cells(release: Release, cells: Sequence[DraftCell]) -> None:
    """Begin those of the cells that are new in the release, which is the phase's newest, and end those that it lacks.

    Part of the transaction that stores the release, whose number no other can have.
    """
    held = {facts: (key, place) for key, place, *said in _open(release) if (facts := tuple(said))}
    wanted = list(map(attrgetter(*FACTS), cells))
    kept, begun = set(), []
    places = rising_places({facts: place for facts, (_, place) in held.items()}, wanted)
    for facts, place in zip(wanted, places, strict=True):
        if facts in held and held[facts][1] == place:
            kept.add(held[facts][0])
        else:
            begun.append((release.pk, place, *facts))
    ended = [key for key, _ in held.values() if key not in kept]
    for start in range(0, len(ended), _AT_ONCE):
        ReleaseCell.objects.filter(pk__in=ended[start : start + _AT_ONCE]).update(until=release.number)
    insert_rows(ReleaseCell, ("first_id", "place", *FACTS), begun)


def holds_in(number: int, begun: int, until: int | None) -> bool:
    """Whether a cell that begins with one release of its phase and is ended by another stands in that of a number."""
    return begun <= number and (until is None or number < until)


def _open(release: Release) -> Any:
    newest = ReleaseCell.objects.of_newest().filter(first__phase=release.phase_id)
    return newest.values_list("pk", "place", *FACTS)


def rising_places(held: Mapping[Facts, int], wanted: Sequence[Facts]) -> list[int]:
    """A place for each of the wanted cells, from 1 on and rising in their order.

    Of those that are held as many as can be keep the place that they have: all, but for those that changed their order.
    """
    kept = _longest_rising([held.get(facts, 0) for facts in wanted])
    places = [0] * len(wanted)
    low, between = 0, list[int]()
    for at in range(len(wanted) + 1):
        if at < len(wanted) and at not in kept:
            between.append(at)
            continue
        high = held[wanted[at]] if at < len(wanted) else low + _STEP * (len(between) + 1)
        step = (high - low) // (len(between) + 1)
        if not step:  # no room is left here
            return [_STEP * (number + 1) for number in range(len(wanted))]
        for number, one in enumerate(between, start=1):
            places[one] = low + step * number
        if at < len(wanted):
            places[at] = high
        low, between = high, []
    return places


def _longest_rising(values: Sequence[int]) -> Collection[int]:
    """Where the numbers of a longest rising part of these stand; 0 is no number."""
    least: list[int] = []  # the least number that a rising part of so many can end with
    ends: list[int] = []
    before: dict[int, int] = {}
    for at, value in enumerate(values):
        if value:
            length = bisect_left(least, value)
            least[length : length + 1], ends[length : length + 1] = [value], [at]
            before[at] = ends[length - 1] if length else -1
    found = set()
    at = ends[-1] if ends else -1
    while at >= 0:
        found.add(at)
        at = before[at]
    return found
