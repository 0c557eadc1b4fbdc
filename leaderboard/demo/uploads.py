"""The files that the demo's organiser and teams upload. Pure: specification, cast and seed in, bytes out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from benchmarks.spec import BenchmarkSpec, TaskSpec, names_of
from leaderboard.demo import cast, synthetic
from leaderboard.demo.cast import DemoSystem
from submissions.intake.write import zip_of

_WOBBLE = 0.025  # how far a system's macro F1 on one task strays from its skill


@dataclass(frozen=True)
class DemoUploads:
    """Every file of the demo; the same seed always gives the same bytes."""

    spec: BenchmarkSpec
    seed: int

    def gold_file(self, task: TaskSpec) -> bytes:
        """The task's gold file."""
        return synthetic.to_csv(task, self._gold[task.id])

    def upload(self, system: DemoSystem, week: int) -> bytes:
        """What the system sends in that week: a zip, or one file where it was made for one task."""
        files = self._files(system, week)
        return next(iter(files.values())) if system.only_task else zip_of(files)

    def cut_short(self, system: DemoSystem, week: int) -> bytes:
        """The same upload with its first file broken off in the middle of a row."""
        files = self._files(system, week)
        first = next(iter(files))
        return zip_of(files | {first: files[first][:-40]})

    def _files(self, system: DemoSystem, week: int) -> dict[str, bytes]:
        return {
            task.file.path: synthetic.to_csv(task, self._predictions(system, task, week))
            for task in self.spec.tasks
            if system.only_task in (None, task.id)
        }

    def _predictions(self, system: DemoSystem, task: TaskSpec, week: int) -> synthetic.Codes:
        gold = self._gold[task.id]
        if system.is_baseline:
            return synthetic.most_frequent(gold)
        label_count = len(names_of(task.output))
        generator = self._generator(system.name, task.id, str(week))
        guessing = 1 / label_count
        reached = guessing + system.skill(week) * (cast.CEILINGS[task.id] - guessing)
        return synthetic.make_predictions(
            gold,
            label_count=label_count,
            f1_macro=reached + generator.normal(0, _WOBBLE),
            generator=generator,
        )

    @cached_property
    def _gold(self) -> dict[str, synthetic.Codes]:
        return {
            task.id: synthetic.make_gold(task, self._generator("gold", task.id)) for task in self.spec.tasks
        }

    def _generator(self, *subject: str) -> np.random.Generator:
        """One generator per subject, so that a change to one leaves all others as they were."""
        return np.random.default_rng([self.seed, *"/".join(subject).encode()])
