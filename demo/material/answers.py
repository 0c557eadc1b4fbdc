"""The gold labels of the demo's benchmarks and what systems answer. Pure: specification and seed in, answers out."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from benchmarks.spec import BenchmarkSpec, TaskSpec
from catalogue.answers import Answers
from demo.material.synthetic import make_gold, make_predictions
from submissions.baselines.learners import Labelled
from submissions.intake import CanonicalPredictions

_WOBBLE = 0.025  # how far a system's score on one task strays from its skill
_TRAINING_SIZE = 50


@dataclass(frozen=True)
class SyntheticAnswers:
    """What is made up for one benchmark; the same seed always gives the same answers.

    `ids` are the ids of every task's test items, in public order. `ceilings` are the scores that skill 1 reaches, for
    tasks that differ from `ceiling`. `given` are gold labels that are not made up here.
    """

    spec: BenchmarkSpec
    seed: int
    ids: Mapping[str, Sequence[str]]
    ceiling: float = 0.85
    ceilings: Mapping[str, float] | None = None
    given: Mapping[str, Answers] = field(default_factory=dict)

    @cached_property
    def gold(self) -> dict[str, Answers]:
        """The gold labels of every task's test items, in the order of its ids."""
        made = {
            task.id: make_gold(task.output, len(self.ids[task.id]), self.generator("gold", task.id))
            for task in self.spec.tasks
            if task.id not in self.given
        }
        return {**made, **self.given}

    def training(self, task: TaskSpec) -> Labelled:
        """Training labels, as frequent as those of the test items."""
        gold = self.gold[task.id]
        drawn = self.generator("training", task.id).integers(len(gold), size=_TRAINING_SIZE)
        return Labelled(task.output, gold[drawn])

    def answers(
        self, task: TaskSpec, skill: float, *subject: str, split: str = "test", seed: int = 1
    ) -> CanonicalPredictions:
        """What a system of that skill, from 0 (guesses) to 1, answers to the test items or what stands in for them.

        `subject` says who answers and when: other words give other answers.
        """
        generator = self.generator(*subject, task.id, split, str(seed))
        # About what guessing scores on the measure that `make_predictions` goes by.
        chance = 0.15 if task.output.is_subset else 0.0
        if task.output.is_one_label:
            chance = 1 / len(task.output.gold_labels)
        ceiling = (self.ceilings or {}).get(task.id, self.ceiling)
        wanted = chance + skill * (ceiling - chance) + generator.normal(0, _WOBBLE)
        codes = make_predictions(task.output, self.gold[task.id], wanted=wanted, generator=generator)
        return CanonicalPredictions(task.id, split, codes, seed)

    def generator(self, *subject: str) -> np.random.Generator:
        """One generator per subject, so that a change to one leaves all others as they were."""
        return np.random.default_rng([self.seed, *"/".join((self.spec.id, *subject)).encode()])


def tasks_like(spec: BenchmarkSpec, parts: Collection[str]) -> list[TaskSpec]:
    return [task for task in spec.tasks if any(part in task.id for part in parts)]
