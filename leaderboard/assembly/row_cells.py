"""Rows of systems on any board: a task's metric or an average, on any split and track."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from math import fsum

import numpy as np

from benchmarks.spec import TEST, BenchmarkSpec, RowKind, TaskSpec
from benchmarks.spec.averages import averages
from catalogue.declared_facts import DeclaredFacts
from leaderboard.assembly.peers import Peers
from leaderboard.assembly.replicates import Floats, RowReplicates
from leaderboard.board.analysis.chance import Luck
from leaderboard.board.model.board import BoardRow, Cell
from scoring.core.measures.seeds import summarise_seeds
from scoring.core.uncertainty.intervals import interval
from scoring.disclosure.standings import Standing

Ends = Callable[[str, str], tuple[float, float]]
"""The least and the largest value that a column can have by a metric, as `ends_of` says for a benchmark."""

# Metric, attack, track and split, as `Entrant.cell` takes them.
_Asked = tuple[str, str, str, str]
# The cell of a task, and the score of each seed.
_OfTask = tuple[Cell, Mapping[int, float]]

# Undefined because a task's score is the mean over several sets, and not all of them were answered.
MISSING_SET = "missing_set"
# Undefined because the parts of an average were answered with different seeds: no seed has an average.
NO_SHARED_SEED = "no_shared_seed"


@dataclass(frozen=True, eq=False)
class Entrant:
    """A row of any board: who it is, its cells, and how these vary over test sets.

    Columns are ids of tasks and of averages. Averages take intervals from `replicates`, within the `ends` that a column
    can reach by a metric. `over_all` is the same row with the scores over all items, where others rank it. `peers` are
    those that mean ranks are taken among.
    """

    standing: Standing
    spec: BenchmarkSpec
    ends: Ends
    replicates: RowReplicates
    over_all: Entrant | None = None
    peers: Peers[Entrant] = field(default_factory=Peers)
    _known: dict[tuple[str, _Asked], Cell | None] = field(default_factory=dict)
    _of_tasks: dict[tuple[str, _Asked], _OfTask | None] = field(default_factory=dict)
    _of_averages: dict[_Asked, dict[str, Cell]] = field(default_factory=dict)
    _peer_values: dict[tuple[str, str, str], dict[str, float | None]] = field(default_factory=dict)

    def row(self, cells: dict[str, Cell]) -> BoardRow:
        """The row with these cells; where several systems of a team fill it, under the team's name."""
        return self._bare_row._replace(cells=cells)

    @cached_property
    def _bare_row(self) -> BoardRow:
        """What the row says of itself on every board."""
        system = self.standing.system
        names = sorted({answer.submission.system.name for answer in self.standing.answers.values()})
        return BoardRow(
            system=system.name if len(names) == 1 else system.team.name,
            system_id=self.system_id,
            team=system.team.name,
            kind=RowKind(system.kind),
            cells={},
            tags=tuple(system.tags),
            facts=DeclaredFacts.from_dict(system.facts),
            source="" if len(names) == 1 else ", ".join(names),
        )

    @cached_property
    def system_id(self) -> str:
        return str(self.standing.system.pk)

    def cell(
        self,
        column: str,
        *,
        metric: str = "",
        attack: str = "",
        track: str | None = None,
        split: str = TEST,
    ) -> Cell | None:
        """The cell of a column; None where nothing was submitted for it.

        Parameters
        ----------
        metric
            Empty for each task's primary one.
        attack
            The attack whose split is asked for; empty for `split`.
        track
            None for the main track.
        """
        asked = (metric, attack, self.spec.main_track if track is None else track, split)
        if (column, asked) not in self._known:
            self._known[column, asked] = self._cell(column, asked)
        cell = self._known[column, asked]
        if cell is None or self.over_all is None:
            return cell
        beside = self.over_all.cell(column, metric=metric, attack=attack, track=track, split=split)
        return replace(cell, beside=beside.value if beside else None)

    def answers_in(self, track: str | None = None, *, but_for: str = "") -> bool:
        """Whether anything at all was submitted on a track, but for one split; None for the main track."""
        wanted_track = self.spec.main_track if track is None else track
        return any(on == wanted_track and split != but_for for on, _, split in self.standing.answers)

    def drawn(
        self, column: str, *, metric: str = "", attack: str = "", track: str | None = None, split: str = TEST
    ) -> Floats | None:
        """A column's values in every resample, asked as `cell` is; None where they are not known."""
        splits = {"" if split == TEST else split}
        if attack:  # tasks may call the split that it has made of their test split differently
            splits = {
                attack_split.id for task in self.spec.tasks if (attack_split := task.attack_split(attack))
            }
        if len(splits) != 1:
            return None
        return self.replicates.column(column, metric=metric, track=track, split=splits.pop())

    def luck(self, column: str, *, track: str | None = None, split: str = TEST) -> Luck | None:
        """What the choice among the row's own answers adds to its value, asked as `cell` is; None without any."""
        return self.replicates.luck(column, track=track, split="" if split == TEST else split)

    def _cell(self, column: str, asked: _Asked) -> Cell | None:
        """The cell of a task; of an average made with all others, once the first of them is asked for."""
        if any(average.id == column for average in self.spec.averages):
            if asked not in self._of_averages:
                self._of_averages[asked] = self._averages(*asked)
            return self._with_interval(self._of_averages[asked][column], column, *asked)
        task = next((task for task in self.spec.tasks if task.id == column), None)
        found = self._of_task(task, *asked) if task else None
        return self._with_interval(found[0], column, *asked) if found else None

    def _parts(self, metric: str, attack: str, track: str, split: str) -> dict[str, _OfTask]:
        """What averages are made of, by task; of first metrics also what parts ask for beside them, by their keys."""
        asked = [(task.id, task, metric) for task in self.spec.tasks]
        if not metric:
            parts = {part for average in self.spec.averages for part in average.each() if part.metric}
            asked += [(part.key, self.spec.task(part.id), part.metric) for part in parts]
        found = {key: self._of_task(task, of, attack, track, split) for key, task, of in asked}
        return {key: cell_and_seeds for key, cell_and_seeds in found.items() if cell_and_seeds}

    def _others(self, attack: str, track: str, split: str) -> dict[str, Floats]:
        """By the keys of parts, the values of the other systems that mean ranks are taken among."""
        place = attack, track, split

        def of(peer: Entrant, key: str) -> Floats:
            if place not in peer._peer_values:
                parts = peer._parts("", *place)
                peer._peer_values[place] = {name: cell.value for name, (cell, _) in parts.items()}
            return np.array([peer._peer_values[place].get(key)], dtype=np.float64)

        parts = (part for average in self.spec.averages if average.of_ranks for part in average.each())
        found = {
            part.key: self.peers.others(self, (part.key, *place), partial(of, key=part.key)) for part in parts
        }
        return {key: values[:, 0] for key, values in found.items() if values is not None}

    def _of_task(self, task: TaskSpec, metric: str, attack: str, track: str, split: str) -> _OfTask | None:
        """Worked out once, and of one task alone: of those that another process makes the boards of, nothing."""
        key = task.id, (metric, attack, track, split)
        if key not in self._of_tasks:
            if split == TEST and not attack and task.test_splits != (TEST,):
                self._of_tasks[key] = self._mean_of_sets(task, metric, track)
            else:
                self._of_tasks[key] = self._of_split(task, metric, attack, track, split)
        return self._of_tasks[key]

    def _with_interval(
        self, cell: Cell, column: str, metric: str, attack: str, track: str, split: str
    ) -> Cell:
        """The cell with the interval of its replicates, where it was not scored with one of its own."""
        if cell.value is None or cell.ci_low is not None:
            return cell
        drawn = self.drawn(column, metric=metric, attack=attack, track=track, split=split)
        return cell if drawn is None else with_interval(cell, drawn, *self.ends(column, metric))

    def _of_split(self, task: TaskSpec, metric: str, attack: str, track: str, split: str) -> _OfTask | None:
        """The score of a task on a split, or on what an attack has made of it, and that of each seed."""
        attacked = task.attack_split(attack) if attack else None
        place = track, task.id, attacked.id if attacked else split
        answer = None if attack and attacked is None else self.standing.answers.get(place)
        name = metric or task.primary_metric.name
        measured = answer.measured(name) if answer else None
        if answer is None or measured is None:
            return None
        beside = answer.measured(task.beside_metric.name) if task.beside_metric and not metric else None
        low, high = answer.interval(name)
        cell = Cell(
            measured.value,
            measured.undefined,
            low,
            high,
            str(answer.submission.pk),
            beside=beside.value if beside else None,
        )
        return self._with_seeds(cell, len(answer.scores), measured.deviation), measured.by_seed

    def _mean_of_sets(self, task: TaskSpec, metric: str, track: str) -> _OfTask | None:
        """The score of a task without a test split, the mean over its sets: none before all are answered."""
        places = [(track, task.id, split) for split in task.test_splits]
        answers = [answer for place in places if (answer := self.standing.answers.get(place))]
        name = metric or task.primary_metric.name
        parts = [part for answer in answers if (part := answer.measured(name))]
        if not parts:
            return None
        reason = next((part.undefined for part in parts if part.undefined), None)
        seeds = set.intersection(*(set(part.by_seed) for part in parts))
        if reason or len(parts) < len(places) or not seeds:
            return Cell(None, reason or MISSING_SET), {}
        by_seed = {seed: fsum(part.by_seed[seed] for part in parts) / len(parts) for seed in sorted(seeds)}
        summary = summarise_seeds(list(by_seed.values()))
        use = task.beside_metric
        beside = self._mean_of_sets(task, use.name, track) if use and not metric else None
        submissions = {str(answer.submission.pk) for answer in answers}
        cell = Cell(
            summary.mean,
            None,
            submission=submissions.pop() if len(submissions) == 1 else None,
            beside=beside[0].value if beside else None,
        )
        return self._with_seeds(cell, len(by_seed), summary.deviation), by_seed

    def _averages(self, metric: str, attack: str, track: str, split: str) -> dict[str, Cell]:
        """The averages of the tasks' cells. Their deviation is that of the averages which each seed has by itself."""
        parts = self._parts(metric, attack, track, split)
        by_seed = {key: of_seeds for key, (_, of_seeds) in parts.items()}
        others = self._others(attack, track, split)
        by_key = {}
        values = {key: cell.value for key, (cell, _) in parts.items()}
        results = averages(self.spec.averages, values, metric, others)
        seeds_of_all = set().union(*by_seed.values())
        of_seed = [results] * len(seeds_of_all)  # of one alone the cells are its scores
        if len(seeds_of_all) > 1:
            of_seed = [
                averages(
                    self.spec.averages,
                    {task: scores[seed] for task, scores in by_seed.items() if seed in scores},
                    metric,
                    others,
                )
                for seed in seeds_of_all
            ]
        for key, result in results.items():
            seeds = [value for results in of_seed if (value := results[key].value) is not None]
            has_shared_seed = bool(seeds) or result.value is None
            cell = Cell(result.value, result.undefined) if has_shared_seed else Cell(None, NO_SHARED_SEED)
            deviation = summarise_seeds(seeds).deviation if seeds else 0.0
            by_key[key] = self._with_seeds(cell, len(seeds), deviation)
        return by_key

    def _with_seeds(self, cell: Cell, seeds: int, deviation: float) -> Cell:
        """What a cell says about its seeds, where the benchmark asks for several."""
        if self.spec.seeds == 1 or cell.value is None:
            return cell
        return replace(cell, deviation=deviation, seeds=seeds, seeds_wanted=self.spec.seeds)


def with_interval(cell: Cell, drawn: Floats | None, low: float = 0.0, high: float = 1.0) -> Cell:
    """The cell with the interval that its replicates give it, within the range of its measure."""
    ends = None if cell.value is None or drawn is None else interval(cell.value, drawn, low, high)
    return replace(cell, ci_low=ends.low, ci_high=ends.high) if ends else cell
