"""Boards about minimal pairs, as Build It Break It shows them: builders, breakers, and both against each other.

A pair is broken for a system when exactly one of its two items is right. The sets of pairs are those splits of a task
that its score is about, one per breaker team. Formulas: `scoring.core.measures.pairs`.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum

import numpy as np

from benchmarks.models import Phase
from benchmarks.spec import BREAKER_SCORE, DEV, TEST, BenchmarkSpec, RowKind, TaskSpec, column_key
from benchmarks.spec.protocol import PAIR_BOARDS, pair_boards
from leaderboard.assembly.boards import BoardKind, BoardsToMake, published_elsewhere
from leaderboard.assembly.frame import DrawnFor, Frame
from leaderboard.assembly.replicates import Floats, alike
from leaderboard.assembly.robustness_boards import from_parts
from leaderboard.assembly.row_cells import MISSING_SET, Entrant, with_interval
from leaderboard.board.charts.chart import Chart
from leaderboard.board.charts.strip_charts import broken_chart
from leaderboard.board.model.board import Board, BoardRow, Cell, Column, NotCounted
from scoring.core.measures.pairs import PairOutcomes, breaker_score, pooled_share
from scoring.core.uncertainty import derived
from scoring.disclosure.standings import is_higher_better
from scoring.uncertainty.stored_replicates import ACCURACIES, SHARE

AXIS = "Minimal pairs"
BROKEN = "Share of pairs broken"
# Undefined because there is no system that the formula can speak of.
NO_SYSTEM = "no_system"
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


class PairBoards(BoardKind):
    """Builders, breakers and both against each other, for every task whose items come in pairs.

    None before any set is made. While systems are built nobody is broken yet, or not again.
    """

    key = "pairs"

    def ids(self, spec: BenchmarkSpec) -> list[str]:
        return pair_boards([task.id for task in spec.tasks if task.pairs])

    def boards(self, frame: Frame) -> BoardsToMake:
        tasks = [task for task in frame.spec.tasks if task.pairs and not task.awaits_sets]
        breaking = [Breaking(frame, task) for task in tasks if frame.phase.kind != Phase.Kind.BUILD]
        boards = [
            board for of_task in breaking for board in (of_task.builders, of_task.breakers, of_task.matrix)
        ]
        return dict(zip(pair_boards([of_task.task.id for of_task in breaking]), boards, strict=True))

    def charts(self, board_id: str, board: Board, spec: BenchmarkSpec) -> tuple[Chart, ...]:
        chart = broken_chart(board) if board_id.startswith(f"{PAIR_BOARDS[2]}-") else None
        return (chart,) if chart else ()


@dataclass(frozen=True, slots=True)
class Breaking:
    """The boards of one task in one release. Its test splits are the sets of pairs; `_drawn` values are resampled."""

    frame: Frame
    task: TaskSpec

    # Table 1: builders

    def builders(self) -> Board:
        """Systems by their mean score over all sets, with the share of pairs that break them."""
        use, better = self.task.primary_metric, is_higher_better(self.task)
        mean = Column(
            self.task.id, "Average", f"Mean over all sets, {use.title}", use.name, use.title, better
        )
        sets = [
            Column(
                self._key(split),
                self._title(split),
                self._title(split),
                use.name,
                use.title,
                better,
                group=f"{use.title} per breaker",
                beside_title=BROKEN,
            )
            for split in self.task.test_splits
        ]
        columns = [mean, self._share_column(), *sets]
        return self._of_systems(
            "builders",
            columns,
            self._builder_cells,
            BUILDERS,
            lambda entrant: entrant.drawn(self.task.id),
            columns,
        )

    def _builder_cells(self, entrant: Entrant) -> dict[str, Cell]:
        cells = {}
        if mean := self._cell(entrant, TEST):
            cells[self.task.id] = replace(mean, beside=None)
        for split in self.task.test_splits:
            if cell := self._cell(entrant, split):
                share = self._cell(entrant, split, SHARE)
                cells[self._key(split)] = replace(cell, beside=share.value if share else None)
        return cells

    # Fig. 2: breakers against builders

    def matrix(self) -> Board:
        """The share of pairs that break a system: a row per system, a column per breaker."""
        sets = [
            Column(
                self._key(split, SHARE),
                self._title(split),
                self._title(split),
                SHARE,
                BROKEN,
                higher_is_better=False,
                group="Pairs of",
                heat=True,
            )
            for split in self.task.test_splits
        ]
        columns = [replace(self._share_column(), heat=True), *sets]
        return self._of_systems("matrix", columns, self._matrix_cells, MATRIX, self._drawn_pooled, sets)

    def _matrix_cells(self, entrant: Entrant) -> dict[str, Cell]:
        return {
            self._key(split, SHARE): cell
            for split in self.task.test_splits
            if (cell := self._cell(entrant, split, SHARE))
        }

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
        systems = [
            entrant for entrant in self.frame.entrants if entrant.standing.system.kind == RowKind.SYSTEM
        ]
        counted = {
            entrant: accuracy
            for entrant in systems
            if (accuracy := self._accuracy(entrant)) is not None
            and all(
                isinstance(self._outcomes(entrant, split), PairOutcomes) for split in self.task.test_splits
            )
        }
        rows = [self._breaker(split, systems, counted) for split in self.task.test_splits]
        rows += published_elsewhere(self.frame.spec, {score: score})
        board = self._board("breakers", columns, rows, BREAKERS)
        return replace(board, not_counted=self._left_out(systems, counted))

    def _breaker(self, split: str, systems: Sequence[Entrant], counted: Mapping[Entrant, float]) -> BoardRow:
        outcomes = {entrant: self._outcomes(entrant, split) for entrant in systems}
        known = {
            entrant: outcome for entrant, outcome in outcomes.items() if isinstance(outcome, PairOutcomes)
        }
        score = share = Cell(None, NO_SYSTEM)
        if known:
            share = Cell(fsum(outcome.broken_share for outcome in known.values()) / len(known), None)
            drawn = alike([self._drawn_share(entrant, split) for entrant in known])
            share = with_interval(share, np.mean(drawn, axis=0) if drawn else None)
        if counted:
            score = Cell(breaker_score(list(counted.values()), [known[entrant] for entrant in counted]), None)
            accuracies = [self._drawn_accuracy(entrant) for entrant in counted]
            drawn = alike([*accuracies, *(self._drawn_share(entrant, split) for entrant in counted)])
            if drawn:
                gains = derived.breaker_score(drawn[: len(counted)], drawn[len(counted) :])
                score = with_interval(score, gains)
        cells = {column_key(self.task.id, BREAKER_SCORE): score, self._key(TEST, SHARE): share}
        return BoardRow(self._title(split), None, "", RowKind.BREAKER, cells)

    def _left_out(
        self, systems: Sequence[Entrant], counted: Mapping[Entrant, float]
    ) -> tuple[NotCounted, ...]:
        """Which systems take no part in the scores of breakers, and why."""
        why: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for entrant in systems:
            if entrant not in counted and any(self._cell(entrant, split) for split in self.task.test_splits):
                lacks = "the development data" if self._accuracy(entrant) is None else "some of the sets"
                row = entrant.row({})
                why[lacks].append((str(row.system_id), row.system))
        return tuple(NotCounted(lacks, tuple(names)) for lacks, names in sorted(why.items()))

    def _drawn_share(self, entrant: Entrant, split: str) -> Floats | None:
        return entrant.drawn(self.task.id, metric=SHARE, split=split)

    @property
    def _accuracy_metric(self) -> str:
        """What tells how good a system is on the development data; a metric that nobody has where none of them does."""
        return next((name for name in ACCURACIES if name in {use.name for use in self.task.metrics}), "none")

    def _drawn_accuracy(self, entrant: Entrant) -> Floats | None:
        return entrant.drawn(self.task.id, metric=self._accuracy_metric, split=DEV)

    def _accuracy(self, entrant: Entrant) -> float | None:
        """How many of the development data a system gets right; None where that was not handed in or measured."""
        cell = self._cell(entrant, DEV, self._accuracy_metric)
        return cell.value if cell and cell.is_complete else None

    # What the boards share

    def _of_systems(
        self,
        name: str,
        columns: Sequence[Column],
        cells: Callable[[Entrant], dict[str, Cell]],
        note: str,
        drawn: DrawnFor,
        about: Sequence[Column],
    ) -> Board:
        """The board of systems that have `cells`; published rows stand on it with a value in a column it is `about`."""
        by_entrant = [(entrant, cells(entrant)) for entrant in self.frame.entrants]
        share = self._key(TEST, SHARE)
        rows = [entrant.row({**own, share: self._pooled(entrant)}) for entrant, own in by_entrant if own]
        keys = {column.key for column in about}
        published = published_elsewhere(self.frame.spec, {column.key: column.key for column in columns})
        rows += [row for row in published if keys & row.cells.keys()]
        return self._board(name, columns, rows, note, drawn)

    def _board(
        self,
        name: str,
        columns: Sequence[Column],
        rows: Sequence[BoardRow],
        note: str,
        drawn: DrawnFor | None = None,
    ) -> Board:
        """The board; its note names the sets that have been withdrawn."""
        withdrawn = [split.title for split in self.task.splits if split.withdrawn]
        if withdrawn:
            note = f"{note} Withdrawn, and in no score: {', '.join(withdrawn)}."
        title = f"{self.task.title}: {name}"
        return self.frame.board(title, columns, rows, axis=AXIS, note=note, drawn=drawn)

    def _title(self, split: str) -> str:
        return self.task.split(split).title

    def _key(self, split: str, metric: str = "") -> str:
        return column_key(self.task.id, metric, "" if split == TEST else split)

    def _share_column(self) -> Column:
        key = self._key(TEST, SHARE)
        return Column(key, "Broken", f"{BROKEN}, all sets together", SHARE, BROKEN, higher_is_better=False)

    def _cell(self, entrant: Entrant, split: str, metric: str = "") -> Cell | None:
        return entrant.cell(self.task.id, metric=metric, split=split)

    def _outcomes(self, entrant: Entrant, split: str) -> PairOutcomes | str:
        """What becomes of the pairs of a set, or the code of the reason why that is unknown."""
        cells = [self._cell(entrant, split, name) for name in ("pairs_both", "pairs_broken", "pairs_none")]
        values = [cell.value for cell in cells if cell and cell.value is not None]
        if len(values) == len(cells):
            return PairOutcomes(*values)
        return next((cell.undefined for cell in cells if cell and cell.undefined), MISSING_SET)

    def _pooled(self, entrant: Entrant) -> Cell:
        """The share of pairs that break a system, over the pairs of all sets."""
        outcomes = [self._outcomes(entrant, split) for split in self.task.test_splits]
        known = [outcome for outcome in outcomes if not isinstance(outcome, str)]
        if len(known) < len(outcomes):
            return Cell(None, next(outcome for outcome in outcomes if isinstance(outcome, str)))
        shares = [cell for split in self.task.test_splits if (cell := self._cell(entrant, split, SHARE))]
        return with_interval(from_parts(pooled_share(known), shares), self._drawn_pooled(entrant))

    def _drawn_pooled(self, entrant: Entrant) -> Floats | None:
        outcomes = [self._outcomes(entrant, split) for split in self.task.test_splits]
        counts = [outcome.count for outcome in outcomes if not isinstance(outcome, str)]
        drawn = alike([self._drawn_share(entrant, split) for split in self.task.test_splits])
        return derived.weighted_mean(counts, drawn) if drawn and len(counts) == len(drawn) else None
