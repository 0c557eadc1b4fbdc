"""What a report of a release is: made from the draft of the release, stored with it, shown on its boards' pages."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, Generic, TypedDict, TypeVar

from benchmarks.spec import OVERALL, BenchmarkSpec
from leaderboard.assembly.replicates import RowReplicates
from leaderboard.board.model.board import Board
from leaderboard.models import Release
from leaderboard.release_cells import DraftCell
from leaderboard.rendering.rendered_page import RenderedPage
from scoring.disclosure.standings import Standing
from submissions.models import System

Payload = TypeVar("Payload")
"""What a release stores of a report: what JSON can hold."""


class RankedRow(TypedDict):
    """A row in two releases: what it is called, and its ranks, None where it has none."""

    system: str
    system_id: str | None
    team: str
    rank_before: int | None
    rank: int | None


class Slot(StrEnum):
    """Where on a board's page a part of a report stands.

    The sections of an overall board stand on its analysis page; its foot also stands with the list of releases.
    """

    NOTICES = "notices"
    TOOLS = "tools"
    CHANGES = "changes"
    SECTIONS = "sections"
    ABOUT_TASK = "about_task"
    FOOT = "foot"


@dataclass(frozen=True, slots=True)
class ReleaseDraft:
    """A release that is about to be published, and what it is made of.

    `boards` have all digits, `cells` fill the release, `rows` stand on its boards and `replicates` are theirs.
    """

    release: Release
    rows: Sequence[Standing]
    replicates: Sequence[RowReplicates]
    cells: Sequence[DraftCell]
    boards: Mapping[str, Board]

    @property
    def before(self) -> Release | None:
        """The release of the same phase before this one."""
        earlier = Release.objects.filter(phase=self.release.phase, number__lt=self.release.number)
        return earlier.order_by("-number").first()


@dataclass(frozen=True, slots=True)
class BoardPlace:
    """The page of one board of a release: `path` is its address without the last slash."""

    key: str
    board: Board
    spec: BenchmarkSpec
    path: str
    is_archived: bool

    @property
    def is_overall(self) -> bool:
        return self.key == OVERALL


@dataclass(frozen=True, slots=True)
class ReportPart:
    """A template that shows `view` in a slot of a board's page."""

    slot: Slot
    template: str
    view: object


class ReleaseReport(ABC, Generic[Payload]):
    """One kind of report. Names in what is stored are replaced where it has a `system_id`, see `public_names`."""

    key: ClassVar[str]
    """Under which a release stores it."""
    is_rounded: ClassVar[bool] = True
    """Whether it is stored with as few digits as the boards."""

    @abstractmethod
    def make(self, draft: ReleaseDraft) -> Payload | None:
        """What the release stores; None where there is nothing to report."""

    def parts(self, stored: Payload, place: BoardPlace) -> Iterable[ReportPart]:
        """What the page of a board shows of it. No query is made."""
        return ()

    def files(self, stored: Payload, place: BoardPlace) -> Iterable[RenderedPage]:
        """Further pages and files beside the page of a board."""
        return ()


def called_and_ranked(systems: Sequence[System], before: Release, board: Board) -> RankedRow:
    """What these systems, which fill one row, are called as, with the rank of then and that of now."""
    ranks_before = {row["system_id"]: row["rank"] for row in before.overall["rows"]}
    ranks = {row.system_id: row.rank for row in board.rows}
    keys = [str(system.pk) for system in systems]
    head = next((system for system in systems if str(system.pk) in ranks), systems[0])
    return {
        "system": head.name,
        "system_id": str(head.pk),
        "team": head.team.name,
        "rank_before": next((ranks_before[key] for key in keys if key in ranks_before), None),
        "rank": ranks.get(str(head.pk)),
    }


def by_rank(row: Mapping[str, Any], *ranks: str) -> tuple[Any, ...]:
    """The place of a row by these ranks, then by what it is called now: real names would tell hidden ones apart."""
    known = (float("inf") if row[rank] is None else row[rank] for rank in ranks)
    return *known, len(row["system"]), row["system"]
