"""What stands in any column that can be asked of a row: a task's metric or an average of it, on any split and track."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import fsum, inf

from benchmarks.spec import BenchmarkSpec, TaskSpec
from benchmarks.spec.averages import averages
from benchmarks.spec.model import PAIR_MEASURES
from catalogue.metrics.choice import metric_for
from leaderboard.assembly.replicates import Floats, RowReplicates
from leaderboard.board.model.board import Cell
from scoring.core.measures.seeds import summarise_seeds
from scoring.core.uncertainty.intervals import interval
from scoring.disclosure.standings import Answer, Measured, Place

TEST = "test"
MISSING_SET = "missing_set"
"""Undefined because a task's score is the mean over several sets, and not all of them were answered."""
NO_SHARED_SEED = "no_shared_seed"
"""Undefined because the parts of an average were answered with different seeds: no seed has an average."""


@dataclass(frozen=True)
class RowValues:
    """The cells of one row; columns are ids of tasks and of averages. Averages take intervals from `replicates`."""

    spec: BenchmarkSpec
    answers: Mapping[Place, Answer]
    replicates: RowReplicates | None = None
    _known: dict[tuple[str, str, str, str], dict[str, Cell]] = field(default_factory=dict)

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
        if asked not in self._known:
            self._known[asked] = self._cells(*asked)
        return self._known[asked].get(column)

    def answers_in(self, track: str | None = None, *, but_for: str = "") -> bool:
        """Whether anything at all was submitted on a track, but for one split; None for the main track."""
        asked = self.spec.main_track if track is None else track
        return any(on == asked and split != but_for for on, _, split in self.answers)

    def _cells(self, metric: str, attack: str, track: str, split: str) -> dict[str, Cell]:
        cells: dict[str, Cell] = {}
        by_seed: dict[str, Mapping[int, float]] = {}
        for task in self.spec.tasks:
            if split == TEST and not attack and task.test_splits != (TEST,):
                mean = self._mean_of_sets(task, metric, track)
                if mean:
                    cells[task.id], by_seed[task.id] = mean
                continue
            answer = self._answer(task, attack, track, split)
            measured = answer.measured(metric or task.primary_metric.name) if answer else None
            if answer and measured:
                cells[task.id] = self._task_cell(answer, measured, metric)
                by_seed[task.id] = measured.by_seed
        cells |= self._averages(cells, by_seed)
        return {
            column: self._with_interval(cell, column, metric, attack, track, split)
            for column, cell in cells.items()
        }

    def drawn(
        self, column: str, *, metric: str = "", attack: str = "", track: str | None = None, split: str = TEST
    ) -> Floats | None:
        """A column's values in every resample, asked as `cell` is; None where they are not known."""
        drawn_on = self._split_of(attack) if attack else "" if split == TEST else split
        if self.replicates is None or drawn_on is None:
            return None
        return self.replicates.column(column, metric=metric, track=track, split=drawn_on)

    def _split_of(self, attack: str) -> str | None:
        """The split that an attack has made of every task's test split; None where tasks name it differently."""
        names = {made.id for task in self.spec.tasks if (made := task.attack_split(attack))}
        return names.pop() if len(names) == 1 else None

    def _with_interval(
        self, cell: Cell, column: str, metric: str, attack: str, track: str, split: str
    ) -> Cell:
        """The cell with the interval of its replicates, where it was not scored with one of its own."""
        if cell.value is None or cell.ci_low is not None:
            return cell
        drawn = self.drawn(column, metric=metric, attack=attack, track=track, split=split)
        return cell if drawn is None else with_interval(cell, drawn, *self._range(column, metric))

    def _range(self, column: str, metric: str) -> tuple[float, float]:
        """The least and the largest value that a column can have; an average can have those of its parts."""
        ranges = [_range_of(task, metric or task.primary_metric.name) for task in self._tasks(column)]
        known = [one for one in ranges if one is not None]
        if not known:
            return -inf, inf
        return min(low for low, _ in known), max(high for _, high in known)

    def _tasks(self, column: str) -> list[TaskSpec]:
        """The tasks that a column is made of."""
        average = next((one for one in self.spec.averages if one.id == column), None)
        if average is None:
            return [self.spec.task(column)]
        return [task for part in average.of for task in self._tasks(part)]

    def _mean_of_sets(
        self, task: TaskSpec, metric: str, track: str
    ) -> tuple[Cell, Mapping[int, float]] | None:
        """The score of a task without a test split, the mean over its sets: none before all are answered."""
        answers = [self.answers.get((track, task.id, one)) for one in task.test_splits]
        there = [answer for answer in answers if answer is not None]
        name = metric or task.primary_metric.name
        parts = [part for answer in there if (part := answer.measured(name))]
        if not parts:
            return None
        reason = next((part.undefined for part in parts if part.undefined), None)
        seeds = set.intersection(*(set(part.by_seed) for part in parts))
        if reason or len(parts) < len(answers) or not seeds:
            return Cell(None, reason or MISSING_SET), {}
        by_seed = {seed: fsum(part.by_seed[seed] for part in parts) / len(parts) for seed in sorted(seeds)}
        summary = summarise_seeds(list(by_seed.values()))
        use = task.beside_metric
        beside = self._mean_of_sets(task, use.name, track) if use and not metric else None
        named = {str(answer.submission.pk) for answer in there}
        cell = Cell(
            summary.mean,
            None,
            submission=named.pop() if len(named) == 1 else None,
            beside=beside[0].value if beside else None,
        )
        return self._with_seeds(cell, len(by_seed), summary.deviation), by_seed

    def _answer(self, task: TaskSpec, attack: str, track: str, split: str) -> Answer | None:
        if not attack:
            return self.answers.get((track, task.id, split))
        attacked = task.attack_split(attack)
        return self.answers.get((track, task.id, attacked.id)) if attacked else None

    def _task_cell(self, answer: Answer, measured: Measured, metric: str) -> Cell:
        task = answer.task.spec
        beside = answer.measured(task.beside_metric.name) if task.beside_metric and not metric else None
        low, high = answer.interval(metric or task.primary_metric.name)
        cell = Cell(
            measured.value,
            measured.undefined,
            low,
            high,
            str(answer.submission.pk),
            beside=beside.value if beside else None,
        )
        return self._with_seeds(cell, len(answer.scores), measured.deviation)

    def _averages(
        self, cells: Mapping[str, Cell], by_seed: Mapping[str, Mapping[int, float]]
    ) -> dict[str, Cell]:
        """The averages of the cells. Their deviation is that of the averages which each seed has by itself."""
        results = averages(self.spec.averages, {key: cell.value for key, cell in cells.items()})
        seeds = {seed for scores in by_seed.values() for seed in scores}
        of_seed = {
            seed: averages(
                self.spec.averages, {task: scores[seed] for task, scores in by_seed.items() if seed in scores}
            )
            for seed in seeds
        }
        found = {}
        for key, result in results.items():
            values = [one[key].value for one in of_seed.values()]
            present = [value for value in values if value is not None]
            if result.value is not None and not present:
                found[key] = Cell(None, NO_SHARED_SEED)
                continue
            deviation = summarise_seeds(present).deviation if present else 0.0
            found[key] = self._with_seeds(Cell(result.value, result.undefined), len(present), deviation)
        return found

    def _with_seeds(self, cell: Cell, seeds: int, deviation: float) -> Cell:
        """What a cell says about its seeds, where the benchmark asks for several."""
        if self.spec.seeds == 1 or cell.value is None:
            return cell
        return replace(cell, deviation=deviation, seeds=seeds, seeds_wanted=self.spec.seeds)


def with_interval(cell: Cell, drawn: Floats | None, low: float = 0.0, high: float = 1.0) -> Cell:
    """The cell with the interval that its replicates give it, within the range of its measure."""
    found = None if cell.value is None or drawn is None else interval(cell.value, drawn, low, high)
    return replace(cell, ci_low=found.low, ci_high=found.high) if found else cell


def _range_of(task: TaskSpec, metric: str) -> tuple[float, float] | None:
    """The range of a measure of a task; None of one that it does not have."""
    if metric in PAIR_MEASURES:
        return 0.0, 1.0 if metric == PAIR_MEASURES[-1] else inf
    if metric not in {use.name for use in task.metrics}:
        return None
    found = metric_for(task.output, metric)
    return found.low, found.high
