"""Stored replicates brought into the columns of a board: of tasks, and of averages of them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.spec import AverageSpec, BenchmarkSpec
from benchmarks.spec.model import MissingTask
from scoring.disclosure.standings import Answer, Place
from scoring.uncertainty.stored_replicates import replicates_of

Floats = NDArray[np.float64]
Known = Mapping[int, Mapping[str, Floats]]
"""By scoring run, then metric."""


@dataclass(frozen=True, slots=True)
class RowReplicates:
    """What one row's cells would be in every resample of the items. `known` may hold other rows' runs too."""

    spec: BenchmarkSpec
    runs: Mapping[Place, Mapping[int, int]]
    known: Known

    def column(
        self, column: str, *, metric: str = "", track: str | None = None, split: str = ""
    ) -> Floats | None:
        """A task's or an average's values, shape (replicates,); None where a part has no replicates.

        Parameters
        ----------
        metric
            Empty for each task's primary one.
        track
            None for the main track.
        split
            Empty for the test split, or the mean over the sets of a task without one.
        """
        average = next((one for one in self.spec.averages if one.id == column), None)
        if average is None:
            return self._task(column, metric, self.spec.main_track if track is None else track, split)
        return self._average(average, metric, track, split)

    def _average(self, average: AverageSpec, metric: str, track: str | None, split: str) -> Floats | None:
        """A part that was answered and has no replicates is another thing than one that was not answered."""
        parts = {part: self.column(part, metric=metric, track=track, split=split) for part in average.of}
        lacking = [part for part, values in parts.items() if values is None]
        present = [values for values in parts.values() if values is not None]
        is_short = bool(lacking) and average.missing is MissingTask.UNRANKED
        is_old = any(self._is_answered(part, track, split) for part in lacking)
        if is_short or is_old or len({len(values) for values in present}) != 1:
            return None
        divisor = len(parts) if average.missing is MissingTask.ZERO else len(present)
        return np.asarray(np.sum(present, axis=0) / divisor)

    def _is_answered(self, column: str, track: str | None, split: str) -> bool:
        average = next((one for one in self.spec.averages if one.id == column), None)
        if average is not None:
            return any(self._is_answered(part, track, split) for part in average.of)
        on = self.spec.main_track if track is None else track
        splits = (split,) if split else self.spec.task(column).test_splits
        return any((on, column, one) in self.runs for one in splits)

    def _task(self, task: str, metric: str, track: str, split: str) -> Floats | None:
        spec = self.spec.task(task)
        name = metric or spec.primary_metric.name
        splits = (split,) if split else spec.test_splits
        return _mean(_mean(self._of_seeds((track, task, one), name)) for one in splits)

    def _of_seeds(self, place: Place, metric: str) -> Iterable[Floats | None]:
        runs = self.runs.get(place, {})
        return [self.known.get(run, {}).get(metric) for run in runs.values()]


def rows_of_answers(spec: BenchmarkSpec, rows: Iterable[Mapping[Place, Answer]]) -> list[RowReplicates]:
    """The replicates of these rows' answers, read at once."""
    runs = [
        {
            place: {
                seed: next(iter(scores.values())).run_id for seed, scores in answer.scores.items() if scores
            }
            for place, answer in answers.items()
            if answer.disclosed is None  # else they would tell the score that is not shown
        }
        for answers in rows
    ]
    known = replicates_of({run for of_row in runs for by_seed in of_row.values() for run in by_seed.values()})
    return [RowReplicates(spec, of_row, known) for of_row in runs]


def _mean(parts: Iterable[Floats | None]) -> Floats | None:
    """The mean of all of these; None where one is missing, there are none, or they differ in number."""
    found = list(parts)
    there = [part for part in found if part is not None]
    if not there or len(there) < len(found) or len({len(part) for part in there}) > 1:
        return None
    return np.asarray(np.mean(there, axis=0)) if len(there) > 1 else there[0]
