"""What public pages call systems. Releases are frozen with real names; what is printed goes through here."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby, starmap
from typing import Any
from uuid import UUID

from benchmarks.models import Benchmark
from benchmarks.spec import RowKind
from breaking.sets.removed_names import titles_instead
from leaderboard.board.model.board import NOTHING_DECLARED, Board, BoardRow, Column, NotCounted
from leaderboard.board.model.decisions import reordered
from leaderboard.board.model.serialization import from_dict
from submissions.claims.services import accepted_claims
from submissions.models import System
from submissions.systems.board_names import team_names_on_boards
from submissions.systems.name_removals import names_instead
from submissions.systems.name_texts import PublicName
from submissions.systems.pseudonyms import public_names

RowName = tuple[str, str, str]
"""System, team and date, as a row of an earlier leaderboard is told by."""
ANONYMOUS = "Systems are anonymous: they bear numbers until the organiser lifts that."


@dataclass(frozen=True, slots=True)
class Naming:
    """How one benchmark's systems are called; `names` is None where all bear their own.

    `instead` is what systems are called whose frozen names may have been removed since. `claimed` has
    the team, and the id of its system where that has a page, of each row of an earlier leaderboard that was claimed.
    `sets` has what stands in place of frozen titles of breakers' sets.
    """

    names: Mapping[UUID, PublicName] | None
    instead: Mapping[UUID, PublicName] = field(default_factory=dict)
    claimed: Mapping[RowName, tuple[str, str]] = field(default_factory=dict)
    sets: Mapping[str, str] = field(default_factory=dict)

    def board(self, frozen: Mapping[str, Any]) -> Board:
        """A frozen board as everybody may see it."""
        return self.of_board(from_dict(frozen))

    def of_board(self, board: Board) -> Board:
        """The board with no more about an anonymous system than its scores: no name, team, tag, id or submission.

        Ranks stay as they are. Rows of equal rank stand by what they are called now, for by their real names they
        would tell which of them comes first in the alphabet. KeyError for a system that has no name of either kind:
        rather no page than one that gives it away.
        """
        if self.sets:
            board = replace(board, columns=tuple(self._column(column) for column in board.columns))
        if self.names is None and not self.instead and not self.claimed and not self.sets:
            return board
        rows = [self._row(row) for row in board.rows]
        not_counted = tuple(self._not_counted(lacking) for lacking in board.not_counted)
        if self.names is None:
            return replace(board, rows=tuple(rows), not_counted=not_counted)
        return replace(
            board,
            rows=_in_order(rows, board),
            note=f"{board.note} {ANONYMOUS}".strip(),
            not_counted=not_counted,
            team_total=board.team_count,
        )

    def report(self, frozen: Any) -> Any:
        """A frozen report as everybody may see it: whatever has a `system_id` is named, or not, as on a board."""
        if self.names is None and not self.instead and not self.sets:
            return frozen
        if isinstance(frozen, dict):
            report = {key: self.report(value) for key, value in frozen.items()}
            if self.sets and isinstance(report.get("title"), str):
                report["title"] = self._title(report["title"])
            if public_name := self._hidden(frozen.get("system_id")):
                return report | _about(public_name, frozen)
            if public_name := self._renamed(frozen.get("system_id")):
                called = {"system": public_name.name, "team": public_name.team}
                return report | {key: value for key, value in called.items() if key in frozen}
            return report
        return [self.report(entry) for entry in frozen] if isinstance(frozen, list) else frozen

    def _hidden(self, system_id: str | None) -> PublicName | None:
        """The pseudonym of a system; None for one that may be named, and for what is no system."""
        if self.names is None or not system_id:
            return None
        public_name = self.names[UUID(system_id)]
        return public_name if public_name.is_pseudonym else None

    def _renamed(self, system_id: str | None) -> PublicName | None:
        """What a system is called instead of its frozen name; None where that stands."""
        return self.instead.get(UUID(system_id)) if system_id else None

    def _title(self, frozen: str) -> str:
        """The title of a set, or of a task and a set, as it is now."""
        task, comma, of_set = frozen.rpartition(", ")
        return f"{task}{comma}{self.sets.get(of_set, of_set)}"

    def _column(self, column: Column) -> Column:
        name, title = map(self._title, (column.name, column.title))
        return replace(column, name=name, title=title)

    def _row(self, row: BoardRow) -> BoardRow:
        if row.kind is RowKind.BREAKER:
            return row._replace(system=self.sets.get(row.system, row.system))
        if row.moved and (claim := self.claimed.get((row.system, row.team, row.moved.date))):
            return row._replace(moved=replace(row.moved, claimed_by=claim[0], claimed_system=claim[1]))
        if renamed := self._renamed(row.system_id):
            # A row that several systems fill bears the team's name, and names them as its source.
            name, source = (renamed.team, "several systems") if row.source else (renamed.name, "")
            row = row._replace(system=name, team=renamed.team, source=source)
        public_name = self._hidden(row.system_id)
        if public_name is None:
            return row
        cells = {key: replace(cell, submission=None) for key, cell in row.cells.items()}
        return row._replace(
            system=public_name.name,
            system_id=None,
            team=public_name.team,
            cells=cells,
            tags=(),
            facts=NOTHING_DECLARED,
            source="",
        )

    def _not_counted(self, lacking: NotCounted) -> NotCounted:
        return NotCounted(lacking.lacks, tuple(sorted(starmap(self._called, lacking.systems))))

    def _called(self, system_id: str, name: str) -> tuple[str, str]:
        if public_name := self._hidden(system_id):
            return "", public_name.name
        renamed = self._renamed(system_id)
        return system_id, renamed.name if renamed else name


def naming(benchmark: Benchmark) -> Naming:
    """How the public pages of a benchmark name its systems now."""
    if benchmark.is_anonymous:
        return Naming(public_names(benchmark), names_instead(benchmark), sets=titles_instead(benchmark))
    return Naming(None, names_instead(benchmark), _claimed(benchmark), titles_instead(benchmark))


def _claimed(benchmark: Benchmark) -> dict[RowName, tuple[str, str]]:
    """Whose rows of an earlier leaderboard are, see `Naming.claimed`."""
    claims = accepted_claims(benchmark)
    if not claims:
        return {}
    instead = team_names_on_boards(benchmark)
    systems = [claim.system_id for claim in claims.values() if claim.system_id]
    with_pages = set(System.objects.public().filter(pk__in=systems).values_list("pk", flat=True))
    return {
        name: (
            instead.get(claim.team_id, claim.team.name),
            str(claim.system_id) if claim.system_id in with_pages else "",
        )
        for name, claim in claims.items()
    }


def _about(public_name: PublicName, said: Mapping[str, Any]) -> dict[str, Any]:
    """What a report says of a hidden system in place of what it said of a named one."""
    instead = {"system": public_name.name, "system_id": None, "team": public_name.team, "submission": None}
    return {key: value for key, value in instead.items() if key in said}


def _in_order(rows: list[BoardRow], board: Board) -> tuple[BoardRow, ...]:
    """The rows of a board with those that only names tell apart by what they are called; systems before others."""
    if board.by_column:
        return _by_firsts(rows, board)
    ties = groupby(range(len(rows)), key=lambda at: (rows[at].value(board.rank_by), rows[at].rank))
    return reordered(rows, [at for _, tied in ties for at in sorted(tied, key=lambda at: _name(rows[at]))])


def _by_firsts(rows: list[BoardRow], board: Board) -> tuple[BoardRow, ...]:
    """The same where each column is a ranking of its own, as `unranked` has them.

    Those that are first in most columns stand by their names at once: where a board has but its leading rows, nobody
    knows in how many columns they stand.
    """
    firsts = Counter(at for marks in board.standouts.values() for at in marks.best)
    most = max(firsts.values(), default=0)
    entered = [sum(row.value(column.key) is not None for column in board.columns) for row in rows]

    def place(at: int) -> tuple[Any, ...]:
        if rows[at].kind is not RowKind.SYSTEM:
            return True, at
        return False, -firsts[at], 0 if firsts[at] == most else -entered[at], _name(rows[at])

    return tuple(rows[at] for at in sorted(range(len(rows)), key=place))


def _name(row: BoardRow) -> tuple[bool, int, str, str]:
    return row.kind is not RowKind.SYSTEM, len(row.system), row.system, row.team
