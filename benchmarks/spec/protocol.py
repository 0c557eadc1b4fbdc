"""What a benchmark's protocol has beside its tasks: attacks, tracks, fact sheets and boards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

OVERALL = "overall"
"""The id of the board at a benchmark's own address."""


@dataclass(frozen=True, slots=True)
class AttackSpec:
    """A way of perturbing test texts.

    `correct_share` (c_a, in 0..1) is the share of samples that it transforms correctly; None while nobody has
    determined it.
    """

    id: str
    title: str
    correct_share: float | None = None


@dataclass(frozen=True, slots=True)
class TrackSpec:
    """What part of the training data (`share`, in 0..1) the systems of a track have seen."""

    id: str
    title: str
    share: float


@dataclass(frozen=True, slots=True)
class FactListSpec:
    """One question of the fact sheet: which of these options a system uses."""

    id: str
    title: str
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ColumnGroup:
    """Columns that stand under a common head.

    `columns` are ids of tasks and averages. `metric` is empty for the primary metric of each task, else the name of
    the metric that is shown of all of them; an average is then the mean of that metric. `heads` are short titles
    for some of the columns, under this common head.
    """

    title: str
    columns: tuple[str, ...]
    metric: str = ""
    heads: tuple[tuple[str, str], ...] = ()

    def key(self, column: str) -> str:
        """The key of one of its columns on the board."""
        return column_key(column, self.metric)

    def title_of(self, column: str) -> str:
        """The short title of one of its columns; empty where the definition gives none."""
        return dict(self.heads).get(column, "")


@dataclass(frozen=True, slots=True)
class BoardSpec:
    """A board that the definition asks for. `axis` is the head under which links to it stand."""

    id: str
    title: str
    axis: str
    groups: tuple[ColumnGroup, ...]


def boards_anyway(attacks: Sequence[AttackSpec], tracks: Sequence[TrackSpec]) -> list[str]:
    """Ids of the boards that a benchmark has without declaring them, beside those of its tasks.

    >>> boards_anyway([AttackSpec("typos", "Typos")], [])
    ['overall', 'attacks', 'resilience', 'potency', 'attack-typos']
    """
    boards = [OVERALL]
    if attacks:
        boards += ["attacks", "resilience", "potency", *(f"attack-{attack.id}" for attack in attacks)]
    if len(tracks) > 1:
        boards += ["tracks", *(f"{OVERALL}-{track.id}" for track in tracks[1:])]
    return boards


def column_key(column: str, metric: str = "") -> str:
    """How a board calls the column of a task or average, of its primary metric where `metric` is empty.

    >>> column_key("EI-reg-en", "pearson_gold_ge_0.5")
    'EI-reg-en:pearson_gold_ge_0.5'
    """
    return f"{column}:{metric}" if metric else column
