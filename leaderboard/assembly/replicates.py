"""Stored replicates brought into the columns of a board: of tasks, and of averages of them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

from benchmarks.spec import AverageSpec, BenchmarkSpec, MissingTask, RowKind, TaskSpec
from benchmarks.spec.averages import missing_counts, tasks_of
from benchmarks.spec.averages.ranks import shared_rank
from benchmarks.spec.protocol import AveragePart
from catalogue.disclosure.rule import NOISY
from leaderboard.assembly.peers import Peers
from leaderboard.board.analysis.chance import Luck
from scoring.core.uncertainty.best_of import expected_luck, noise_of_best
from scoring.disclosure.standings import Place, StandingAnswer, is_higher_better
from scoring.models import ScoringRun
from scoring.uncertainty.noised_replicates import noised_replicates
from scoring.uncertainty.stored_replicates import replicates_of

Floats = NDArray[np.float64]
# By scoring run, then metric.
Known = Mapping[int, Mapping[str, Floats]]
# Of one cell, by its place, task and metric (empty for the first), an array; None where it is not known.
_OfCell = Callable[[Place, TaskSpec, str], Floats | None]


@dataclass(frozen=True, slots=True)
class RowReplicates:
    """What one row's cells would be in every resample of the items. `known` may hold other rows' runs too.

    `peers` are the rows that mean ranks are taken among. `tries` are, by place, the runs of all answers among which the
    one that counts was chosen.
    """

    spec: BenchmarkSpec
    runs: Mapping[Place, Mapping[int, int]]
    known: Known
    tries: Mapping[Place, Sequence[Mapping[int, int]]] = field(default_factory=dict)
    peers: "Peers[RowReplicates]" = field(default_factory=Peers, repr=False, compare=False)
    _lucks: dict[Place, Luck | None] = field(default_factory=dict, repr=False, compare=False)
    _columns: dict[tuple[str, str, str, str], Floats | None] = field(
        default_factory=dict, repr=False, compare=False
    )

    def column(
        self, column: str, *, metric: str = "", track: str | None = None, split: str = ""
    ) -> Floats | None:
        """A task's or an average's values, shape (replicates,); None where a part has no replicates.

        A part of an average that was answered and has no replicates is another thing than one that was not answered.

        Parameters
        ----------
        metric
            Empty for each task's primary one.
        track
            None for the main track.
        split
            Empty for the test split, or the mean over the sets of a task without one.
        """
        on = self.spec.main_track if track is None else track
        key = column, metric, on, split
        if key not in self._columns:
            self._columns[key] = self._combined(column, on, split, self._cell, metric)
        return self._columns[key]

    def luck(self, column: str, *, track: str | None = None, split: str = "") -> Luck | None:
        """What the choice among a row's own answers adds to its value in a column, asked as `column` is.

        None where no answer of it was chosen by its score, or its replicates are not known.
        """
        if not self.tries:
            return None
        on = self.spec.main_track if track is None else track
        places = [
            (on, task.id, test_split)
            for task in tasks_of(self.spec, column)
            for test_split in ((split,) if split else task.test_splits)
        ]
        tries = max((len(self.tries[place]) for place in places if place in self.tries), default=0)
        if tries < 2:
            return None
        noise = self._combined(column, on, split, self._noise, is_error=True)
        expected = self._combined(column, on, split, self._expected, is_error=True)
        return None if noise is None or expected is None else Luck(tries, noise, float(expected[0]))

    def read_tries(self) -> None:
        """Read what `luck` needs of the database: from then on it asks for nothing."""
        tasks = {task.id: task for task in self.spec.tasks}
        for place in self.tries:
            if place[1] in tasks:
                self._luck(place, tasks[place[1]])

    def _combined(
        self, column: str, on: str, split: str, of_cell: _OfCell, metric: str = "", *, is_error: bool = False
    ) -> Floats | None:
        """What `of_cell` gives, averaged over seeds, sets and tasks as the column's scores are.

        Of errors, which stand about 0, a missing part has none.
        """
        average = next((declared for declared in self.spec.averages if declared.id == column), None)
        if average is None:
            task = self.spec.task(column)
            splits = (split,) if split else task.test_splits
            return _mean([of_cell((on, task.id, test_split), task, metric) for test_split in splits])
        if average.of_ranks and not metric:
            return None if is_error else self._mean_rank(average, on, split)
        present, total, constant = [], 0.0, 0.0
        for part in average.each(metric):
            asked = metric or part.metric
            if is_error:
                values = self._combined(part.id, on, split, of_cell, asked, is_error=True)
            else:  # kept, for the part has a board or a column of its own
                values = self.column(part.id, metric=asked, track=on, split=split)
            counts = missing_counts(average, part)
            if values is not None:
                present.append(part.weight * _counted(part, values, is_error=is_error))
            elif self._is_answered(part.id, on, split):
                return None
            elif counts is not None:
                constant += 0.0 if is_error else part.weight * counts
            elif average.missing is MissingTask.PARTIAL:
                continue
            else:
                return None
            total += part.weight
        there = alike(present)
        return np.asarray((np.sum(there, axis=0) + constant) / total) if there else None

    def _mean_rank(self, average: AverageSpec, on: str, split: str) -> Floats | None:
        """The mean of the ranks among the peers, resample by resample: all are drawn alike."""
        ranks, total = [], 0.0
        for part in average.each():
            own = self._part(part, on, split)
            ask = partial(RowReplicates._part, part=part, on=on, split=split)
            others = self.peers.others(self, (part.key, on, split), ask)
            if own is None or others is None:
                return None
            if len(own) or average.missing is MissingTask.WORST:
                score = own if len(own) else np.full(others.shape[1], np.nan)
                ranks.append(part.weight * shared_rank(score, others, falls=part.falls))
                total += part.weight
            elif average.missing is not MissingTask.PARTIAL:
                return None
        there = alike(ranks)
        return np.asarray(np.sum(there, axis=0) / total) if there else None

    def _part(self, part: AveragePart, on: str, split: str) -> Floats | None:
        """A task's values; empty where it was not answered, None where it was and has no replicates."""
        values = self._combined(part.id, on, split, self._cell, part.metric)
        return np.empty(0) if values is None and not self._is_answered(part.id, on, split) else values

    def _is_answered(self, column: str, track: str, split: str) -> bool:
        return any(
            (track, task.id, test_split) in self.runs
            for task in tasks_of(self.spec, column)
            for test_split in ((split,) if split else task.test_splits)
        )

    def _cell(self, place: Place, task: TaskSpec, metric: str = "") -> Floats | None:
        """The values of one cell: the mean over its seeds."""
        name = metric or task.primary_metric.name
        return _of_seeds(self.runs.get(place, {}), self.known, name)

    def _noise(self, place: Place, task: TaskSpec, metric: str) -> Floats | None:
        """What chance adds to the merit of one cell's value, its choice by the first metric included."""
        if metric:
            return None
        if luck := self._luck(place, task):
            return luck.noise
        own = self._cell(place, task)
        return None if own is None else _merit_errors(own, task)

    def _expected(self, place: Place, task: TaskSpec, metric: str) -> Floats | None:
        if metric or place not in self.runs:
            return None
        luck = self._luck(place, task)
        return np.array([luck.expected if luck else 0.0])

    def _luck(self, place: Place, task: TaskSpec) -> Luck | None:
        if place not in self._lucks:
            self._lucks[place] = self._luck_among(self.tries.get(place, ()), self.runs.get(place, {}), task)
        return self._lucks[place]

    def _luck_among(
        self, tries: Sequence[Mapping[int, int]], chosen: Mapping[int, int], task: TaskSpec
    ) -> Luck | None:
        """Replicates of answers that do not count are read here, and not kept: there may be many."""
        if len(tries) < 2:
            return None
        known = replicates_of({run for runs in tries for run in runs.values()})
        by_try = [(runs, _of_seeds(runs, known, task.primary_metric.name)) for runs in tries]
        there = [(runs, values) for runs, values in by_try if values is not None]
        at = next((place for place, (runs, _) in enumerate(there) if runs == chosen), None)
        values = alike([values for _, values in there])
        if at is None or not values:
            return None
        sign = 1 if is_higher_better(task) else -1
        errors = np.stack([_merit_errors(own, task) for own in values], axis=1)
        merits = sign * np.array([np.nanmean(own) for own in values])
        return Luck(len(tries), noise_of_best(merits, errors, at), expected_luck(merits, errors))


def rows_of_answers(
    spec: BenchmarkSpec, rows: Iterable[Mapping[Place, StandingAnswer]]
) -> list[RowReplicates]:
    """The replicates of these rows' answers, read at once; of numbers with noise those drawn about what is shown."""
    rows = list(rows)
    runs = [{place: answer.run_ids for place, answer in answers.items()} for answers in rows]
    tries = [{place: answer.tries for place, answer in answers.items() if answer.tries} for answers in rows]
    known = replicates_of({run for of_row in runs for by_seed in of_row.values() for run in by_seed.values()})
    known |= _about_noised(
        [answer for answers in rows for answer in answers.values() if answer.part in NOISY]
    )
    peers: Peers[RowReplicates] = Peers()
    found = [
        RowReplicates(spec, of_row, known, tried, peers) for of_row, tried in zip(runs, tries, strict=True)
    ]
    peers.members += [
        row for row, answers in zip(found, rows, strict=True) if _are_of_system(answers.values())
    ]
    return found


def _are_of_system(answers: Iterable[StandingAnswer]) -> bool:
    return any(answer.submission.system.kind == RowKind.SYSTEM for answer in answers)


def _about_noised(answers: Iterable[StandingAnswer]) -> dict[int, dict[str, Floats]]:
    """By run, the replicates of answers whose numbers carry noise, and none that were made of their labels."""
    values: dict[int, tuple[StandingAnswer, float | None]] = {}
    for answer in answers:
        metric = answer.task.spec.primary_metric.name
        measured = answer.measured(metric)
        for scores in answer.scores.values():
            if metric in scores:
                values[scores[metric].run_id] = answer, measured.value if measured else None
    shown = []
    for run in ScoringRun.objects.filter(pk__in=values).select_related("predictions"):
        answer, value = values[run.pk]
        run.submission, run.split = answer.submission, answer.split
        if value is not None:
            shown.append((run, value))
    return {run: {} for run in values} | noised_replicates(shown)


def alike(parts: Sequence[Floats | None]) -> list[Floats]:
    """All of these replicates; none at all where some are missing, or they differ in number."""
    there = [part for part in parts if part is not None]
    return there if len(there) == len(parts) and len({len(part) for part in there}) == 1 else []


def _counted(part: AveragePart, values: Floats, *, is_error: bool) -> Floats:
    """Replicates of a part as its scores count in the average; errors are of its merit, and grow alike."""
    if is_error or part.ends is None:
        return part.stretch * values
    low, high = part.ends
    reached = high - values if part.falls else values - low
    return np.clip(part.stretch * reached, 0.0, 1.0)


def _of_seeds(runs: Mapping[int, int], known: Known, metric: str) -> Floats | None:
    return _mean([known.get(run, {}).get(metric) for run in runs.values()])


def _merit_errors(values: Floats, task: TaskSpec) -> Floats:
    """How far the values stand from their mean, up for better; 0 where they are undefined."""
    errors = np.nan_to_num(values - np.nanmean(values))
    return errors if is_higher_better(task) else -errors


def _mean(parts: Sequence[Floats | None]) -> Floats | None:
    """The mean of replicates that are `alike`."""
    if len(parts) == 1:
        return parts[0]
    there = alike(parts)
    return np.asarray(np.mean(there, axis=0)) if there else None
