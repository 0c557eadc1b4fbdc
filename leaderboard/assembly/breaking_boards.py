"""Boards about minimal pairs, as Build It Break It shows them: builders, breakers, and both against each other.

A pair is broken for a system when exactly one of its two items is right. The sets of pairs are those splits of a task
that its score is about, one per breaker team. Formulas: `scoring.core.measures.pairs`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum

import numpy as np

from benchmarks.models import Phase
from benchmarks.spec import BenchmarkSpec, RowKind, TaskSpec, column_key
from benchmarks.spec.model import BREAKER_SCORE, DEV
from benchmarks.spec.protocol import PAIR_BOARDS, pair_boards
from leaderboard.assembly.boards import BoardKind, Entrant, Frame, published_elsewhere
from leaderboard.assembly.replicates import Floats
from leaderboard.assembly.robustness_boards import alike, by_system, from_parts
from leaderboard.assembly.row_cells import MISSING_SET, TEST, with_interval
from leaderboard.board.charts.chart import Chart
from leaderboard.board.charts.strip_charts import broken_chart
from leaderboard.board.model.board import Board, BoardRow, Cell, Column, NotCounted
from scoring.core.measures.pairs import PairOutcomes, breaker_score, pooled_share
from scoring.core.uncertainty import derived
from scoring.disclosure.standings import is_higher_better
from scoring.uncertainty.stored_replicates import ACCURACIES, SHARE

AXIS = "Minimal pairs"
BROKEN = "Share of pairs broken"
NO_SYSTEM = "no_system"
"""Undefined because there is no system that the formula can speak of."""
BUILDERS = (
    "A pair is broken for a system that gets exactly one of its two items right. The score is the mean over the "
    "sets of all breakers; the share of broken pairs is that of the pairs of all sets together."
)
BREAKERS = (
    "The score of a breaker is the mean, over systems, of the accuracy on the development data times the share of the "
    "pairs that break the system. Systems with predictions for the development data and every set count; "
    "baselines do not. The other column is the plain mean of the shares, over all systems with predictions for the set."
)
MATRIX = (
    "Each cell is the share of the pairs of a breaker that break the system: the stronger its shade, the more of them, "
    "in five steps of a fifth. Published figures are of all sets together and stand on the board of builders."
)

CellsOf = Callable[[Entrant], dict[str, Cell]]
Outcomes = PairOutcomes | str
"""What becomes of the pairs of a set, or the code of the reason why that is unknown."""


class PairBoards(BoardKind):
    """Builders, breakers and both against each other, for every task whose items come in pairs.

    None before any set is made. While systems are built nobody is broken yet, or not again.
    """

    key = "pairs"

    def ids(self, spec: BenchmarkSpec) -> list[str]:
        return pair_boards([task.id for task in spec.tasks if task.pairs])

    def boards(self, frame: Frame) -> dict[str, Board]:
        tasks = [task for task in frame.spec.tasks if task.pairs and not task.awaits_sets]
        breaking = [Breaking(frame, task) for task in tasks if frame.phase.kind != Phase.Kind.BUILD]
        made = [board for one in breaking for board in (one.builders(), one.breakers(), one.matrix())]
        return dict(zip(pair_boards([one.task.id for one in breaking]), made, strict=True))

    def charts(self, board_id: str, board: Board, spec: BenchmarkSpec) -> tuple[Chart, ...]:
        chart = broken_chart(board) if board_id.startswith(f"{PAIR_BOARDS[2]}-") else None
        return (chart,) if chart else ()


@dataclass(frozen=True, slots=True)
class Breaking:
    """The boards of one task in one release."""

    frame: Frame
    task: TaskSpec

    # Table 1: builders

    def builders(self) -> Board:
        """Systems by their mean score over all sets, with the share of pairs that break them."""
        use = self.task.primary_metric
        better = is_higher_better(self.task)
        mean = Column(
            self.task.id, "Average", f"Mean over all sets, {use.title}", use.name, use.title, better
        )
        sets = [
            Column(
                self._key(one),
                self._title(one),
                self._title(one),
                use.name,
                use.title,
                better,
                group=f"{use.title} per breaker",
                beside_title=BROKEN,
            )
            for one in self.sets
        ]
        columns = [mean, self._share_column(), *sets]
        drawn = self.frame.replicates(self.task.id)
        return self._of_systems("builders", columns, self._builder_cells, BUILDERS, drawn)

    def _builder_cells(self, entrant: Entrant) -> dict[str, Cell]:
        found = {self.task.id: entrant.values.cell(self.task.id)}
        for one in self.sets:
            cell, share = self._cell(entrant, one), self._cell(entrant, one, SHARE)
            found[self._key(one)] = cell and replace(cell, beside=share.value if share else None)
        cells = {key: cell for key, cell in found.items() if cell is not None}
        if self.task.id in cells:
            cells[self.task.id] = replace(cells[self.task.id], beside=None)
        return cells | {self._key(TEST, SHARE): self._pooled(entrant)} if cells else {}

    # Fig. 2: breakers against builders

    def matrix(self) -> Board:
        """The share of pairs that break a system: a row per system, a column per breaker."""
        sets = [
            Column(
                self._key(one, SHARE),
                self._title(one),
                self._title(one),
                SHARE,
                BROKEN,
                higher_is_better=False,
                group="Pairs of",
                heat=True,
            )
            for one in self.sets
        ]
        columns = [replace(self._share_column(), heat=True), *sets]
        drawn = by_system(self.frame, self._drawn_pooled)
        return self._of_systems("matrix", columns, self._matrix_cells, MATRIX, drawn, about=sets)

    def _matrix_cells(self, entrant: Entrant) -> dict[str, Cell]:
        found = {self._key(one, SHARE): self._cell(entrant, one, SHARE) for one in self.sets}
        cells = {key: cell for key, cell in found.items() if cell is not None}
        return {self._key(TEST, SHARE): self._pooled(entrant)} | cells if cells else {}

    # Table 2: breakers. The rows are no systems

    def breakers(self) -> Board:
        """Breakers by what their pairs earn them."""
        score = column_key(self.task.id, BREAKER_SCORE)
        columns = [
            Column(score, "Score", "Breaker score", BREAKER_SCORE, "Breaker score", higher_is_better=True),
            Column(
                self._key(TEST, SHARE), "Broken", f"{BROKEN}, mean over systems", SHARE, BROKEN, higher_is_better=True
            ),
        ]  # fmt: skip
        systems = [one for one in self.frame.entrants if one.standing.system.kind == RowKind.SYSTEM]
        counted = [one for one in systems if self._counts(one)]
        rows = [self._breaker(one, systems, counted) for one in self.sets]
        rows += published_elsewhere(self.frame.spec, {score: score})
        note = self._with_withdrawn(BREAKERS)
        board = self.frame.board(self._titled("breakers"), columns, rows, axis=AXIS, note=note)
        return replace(board, not_counted=self._left_out(systems, counted))

    def _breaker(self, one: str, systems: Sequence[Entrant], counted: Sequence[Entrant]) -> BoardRow:
        shares = [
            found.broken_share
            for system in systems
            if isinstance(found := self._outcomes(system, one), PairOutcomes)
        ]
        parts = [(self._accuracy(system), self._outcomes(system, one)) for system in counted]
        known = [
            (accuracy, found) for accuracy, found in parts if accuracy is not None and not isinstance(found, str)
        ]  # fmt: skip
        accuracies, outcomes = [accuracy for accuracy, _ in known], [found for _, found in known]
        none = Cell(None, NO_SYSTEM)
        score = Cell(breaker_score(accuracies, outcomes), None) if known else none
        share = Cell(fsum(shares) / len(shares), None) if shares else none
        drawn = alike(
            [*map(self._drawn_accuracy, counted), *(self._drawn_share(one_of, one) for one_of in counted)]
        )
        of_all = alike([self._drawn_share(one_of, one) for one_of in systems if self._is_known(one_of, one)])
        if drawn and len(known) == len(counted):
            drawn_score = derived.breaker_score(drawn[: len(counted)], drawn[len(counted) :])
            score = with_interval(score, drawn_score)
        cells = {
            column_key(self.task.id, BREAKER_SCORE): score,
            self._key(TEST, SHARE): with_interval(share, np.mean(of_all, axis=0) if of_all else None),
        }
        return BoardRow(self._title(one), None, "", RowKind.BREAKER, cells)

    def _left_out(self, systems: Sequence[Entrant], counted: Sequence[Entrant]) -> tuple[NotCounted, ...]:
        """Which systems take no part in the scores of breakers, and why."""
        why: dict[str, list[tuple[str, str]]] = {}
        for one in systems:
            if one not in counted and any(self._cell(one, split) for split in self.sets):
                lacks = "some of the sets" if self._accuracy(one) is not None else "the development data"
                row = one.row({})
                why.setdefault(lacks, []).append((str(row.system_id), row.system))
        return tuple(NotCounted(lacks, tuple(names)) for lacks, names in sorted(why.items()))

    def _counts(self, entrant: Entrant) -> bool:
        outcomes = (self._outcomes(entrant, one) for one in self.sets)
        return self._accuracy(entrant) is not None and all(not isinstance(one, str) for one in outcomes)

    def _is_known(self, entrant: Entrant, split: str) -> bool:
        return isinstance(self._outcomes(entrant, split), PairOutcomes)

    def _drawn_share(self, entrant: Entrant, split: str) -> Floats | None:
        """The share of a set's pairs that break a system, in every resample of the pairs."""
        return entrant.values.drawn(self.task.id, metric=SHARE, split=split)

    def _drawn_accuracy(self, entrant: Entrant) -> Floats | None:
        """What `_accuracy` gives, in every resample of the development data."""
        measured = [name for name in ACCURACIES if name in {use.name for use in self.task.metrics}]
        return entrant.values.drawn(self.task.id, metric=measured[0], split=DEV) if measured else None

    def _accuracy(self, entrant: Entrant) -> float | None:
        """How many of the development data a system gets right; None where that was not handed in or measured."""
        measured = [name for name in ACCURACIES if name in {use.name for use in self.task.metrics}]
        cell = self._cell(entrant, DEV, measured[0]) if measured else None
        return cell.value if cell and cell.is_complete else None

    # What the boards share

    @property
    def sets(self) -> tuple[str, ...]:
        """The splits that are sets of pairs."""
        return self.task.test_splits

    def _of_systems(
        self,
        name: str,
        columns: Sequence[Column],
        cells: CellsOf,
        note: str,
        drawn: Mapping[str, Floats],
        *,
        about: Sequence[Column] = (),
    ) -> Board:
        """The board; published rows stand on it that have a value in a column that it is `about`, by default any."""
        found = ((entrant, cells(entrant)) for entrant in self.frame.entrants)
        rows = [entrant.row(own) for entrant, own in found if own]
        keys = {column.key for column in about or columns}
        published = published_elsewhere(self.frame.spec, {column.key: column.key for column in columns})
        rows += [row for row in published if keys & row.cells.keys()]
        note = self._with_withdrawn(note)
        title = self._titled(name)
        return self.frame.board(title, columns, rows, axis=AXIS, note=note, replicates=drawn)

    def _with_withdrawn(self, note: str) -> str:
        """The note, with the names of the sets that have been withdrawn."""
        names = [split.title for split in self.task.splits if split.withdrawn]
        return f"{note} Withdrawn, and in no score: {', '.join(names)}." if names else note

    def _titled(self, name: str) -> str:
        return f"{self.task.title}: {name}"

    def _title(self, split: str) -> str:
        return self.task.split(split).title

    def _key(self, split: str, metric: str = "") -> str:
        return column_key(self.task.id, metric, "" if split == TEST else split)

    def _share_column(self) -> Column:
        key = self._key(TEST, SHARE)
        return Column(key, "Broken", f"{BROKEN}, all sets together", SHARE, BROKEN, higher_is_better=False)

    def _cell(self, entrant: Entrant, split: str, metric: str = "") -> Cell | None:
        return entrant.values.cell(self.task.id, metric=metric, split=split)

    def _outcomes(self, entrant: Entrant, split: str) -> Outcomes:
        cells = [self._cell(entrant, split, name) for name in ("pairs_both", "pairs_broken", "pairs_none")]
        values = [cell.value for cell in cells if cell and cell.value is not None]
        if len(values) == len(cells):
            return PairOutcomes(*values)
        return next((cell.undefined for cell in cells if cell and cell.undefined), MISSING_SET)

    def _pooled(self, entrant: Entrant) -> Cell:
        """The share of pairs that break a system, over the pairs of all sets."""
        outcomes = [self._outcomes(entrant, one) for one in self.sets]
        known = [one for one in outcomes if not isinstance(one, str)]
        if len(known) < len(outcomes):
            return Cell(None, next(one for one in outcomes if isinstance(one, str)))
        shares = [cell for one in self.sets if (cell := self._cell(entrant, one, SHARE))]
        return with_interval(from_parts(pooled_share(known), shares), self._drawn_pooled(entrant))

    def _drawn_pooled(self, entrant: Entrant) -> Floats | None:
        """Of what `_pooled` gives, the values in every resample."""
        counts = [
            one.count for split in self.sets if not isinstance(one := self._outcomes(entrant, split), str)
        ]
        drawn = alike([self._drawn_share(entrant, one) for one in self.sets])
        return derived.weighted_mean(counts, drawn) if drawn and len(counts) == len(drawn) else None
