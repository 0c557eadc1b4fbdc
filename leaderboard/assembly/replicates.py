"""Stored replicates brought into the columns of a board: of tasks, and of averages of them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.spec import BenchmarkSpec, MissingTask, TaskSpec
from catalogue.disclosure.rule import NOISY
from scoring.disclosure.standings import Answer, Place
from scoring.models import ScoringRun
from scoring.uncertainty.noised_replicates import noised_replicates
from scoring.uncertainty.stored_replicates import replicates_of

Floats = NDArray[np.float64]
# By scoring run, then metric.
Known = Mapping[int, Mapping[str, Floats]]


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
        average = next((declared for declared in self.spec.averages if declared.id == column), None)
        if average is None:
            return self._task(self.spec.task(column), metric, on, split)
        parts = {part: self.column(part, metric=metric, track=track, split=split) for part in average.of}
        lacking = [part for part, values in parts.items() if values is None]
        present = alike([values for values in parts.values() if values is not None])
        is_short = bool(lacking) and average.missing is MissingTask.UNRANKED
        if is_short or not present or any(self._is_answered(part, on, split) for part in lacking):
            return None
        divisor = len(parts) if average.missing is MissingTask.ZERO else len(present)
        return np.asarray(np.sum(present, axis=0) / divisor)

    def _is_answered(self, column: str, track: str, split: str) -> bool:
        return any(
            (track, task.id, test_split) in self.runs
            for task in tasks_of(self.spec, column)
            for test_split in ((split,) if split else task.test_splits)
        )

    def _task(self, task: TaskSpec, metric: str, track: str, split: str) -> Floats | None:
        name = metric or task.primary_metric.name
        runs = [
            self.runs.get((track, task.id, test_split), {})
            for test_split in ((split,) if split else task.test_splits)
        ]
        return _mean([_mean([self.known.get(run, {}).get(name) for run in own.values()]) for own in runs])


def rows_of_answers(spec: BenchmarkSpec, rows: Iterable[Mapping[Place, Answer]]) -> list[RowReplicates]:
    """The replicates of these rows' answers, read at once; of numbers with noise those drawn about what is shown."""
    rows = list(rows)
    runs = [
        {
            place: {
                seed: next(iter(scores.values())).run_id for seed, scores in answer.scores.items() if scores
            }
            for place, answer in answers.items()
        }
        for answers in rows
    ]
    known = replicates_of({run for of_row in runs for by_seed in of_row.values() for run in by_seed.values()})
    known |= _about_noised(
        [answer for answers in rows for answer in answers.values() if answer.part in NOISY]
    )
    return [RowReplicates(spec, of_row, known) for of_row in runs]


def _about_noised(answers: Iterable[Answer]) -> dict[int, dict[str, Floats]]:
    """By run, the replicates of answers whose numbers carry noise, and none that were made of their labels."""
    values: dict[int, tuple[Answer, float | None]] = {}
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


def tasks_of(spec: BenchmarkSpec, column: str) -> list[TaskSpec]:
    """The tasks that a column is made of: the task itself, or those of all parts of an average."""
    average = next((declared for declared in spec.averages if declared.id == column), None)
    if average is None:
        return [spec.task(column)]
    return [task for part in average.of for task in tasks_of(spec, part)]


def alike(parts: Sequence[Floats | None]) -> list[Floats]:
    """All of these replicates; none at all where some are missing, or they differ in number."""
    there = [part for part in parts if part is not None]
    return there if len(there) == len(parts) and len({len(part) for part in there}) == 1 else []


def _mean(parts: Sequence[Floats | None]) -> Floats | None:
    """The mean of replicates that are `alike`."""
    there = alike(parts)
    if len(there) > 1:
        return np.asarray(np.mean(there, axis=0))
    return there[0] if there else None
