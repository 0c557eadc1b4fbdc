"""The gold labels of the demo's benchmarks and what systems answer. Pure: specification and seed in, answers out."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial

import numpy as np
import numpy.typing as npt

from benchmarks.spec import BenchmarkSpec, TaskSpec
from catalogue.answers import AnswerKind, Answers
from catalogue.answers.arrays import as_masks, has_bit
from submissions.baselines.learners import Labelled
from submissions.intake import CanonicalPredictions

Codes = npt.NDArray[np.intp]
Floats = npt.NDArray[np.float64]

_SEARCH_STEPS = 14
_DECIMALS = 3
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
        return {
            task.id: make_gold(task.output, len(self.ids[task.id]), self.generator("gold", task.id))
            for task in self.spec.tasks
            if task.id not in self.given
        } | dict(self.given)

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
        return CanonicalPredictions(
            task.id,
            split,
            make_predictions(task.output, self.gold[task.id], wanted=wanted, generator=generator),
            seed,
        )

    def generator(self, *subject: str) -> np.random.Generator:
        """One generator per subject, so that a change to one leaves all others as they were."""
        return np.random.default_rng([self.seed, *"/".join((self.spec.id, *subject)).encode()])


def tasks_like(spec: BenchmarkSpec, parts: Collection[str]) -> list[TaskSpec]:
    return [task for task in spec.tasks if any(part in task.id for part in parts)]


def make_gold(output: AnswerKind, size: int, generator: np.random.Generator) -> Answers:
    """Gold labels, shape (size,): some labels are rare, and each that can be right occurs at least once.

    Numbers lie around the middle of their range, and so do ordered classes; subsets hold one to three labels or so.
    """
    if output.is_subset:
        shares = generator.uniform(0.08, 0.35, size=len(output.labels))
        return as_masks(generator.random((size, len(output.labels))) < shares)
    if output.is_one_label:
        return _codes_of(output)[_uneven(len(output.gold_labels), size, generator)].astype(np.uint16)
    if output.bounds is None:
        raise TypeError(f"no gold labels are made up for {output!r}")
    low, high = output.bounds
    if output.is_continuous:
        return _as_answers(output, low + (high - low) * generator.beta(2.5, 2.5, size=size))
    return output.array(low + _uneven(len(output.classes), size, generator))


def make_predictions(
    output: AnswerKind, gold: Answers, *, wanted: float, generator: np.random.Generator
) -> Answers:
    """Predictions that reach about the wanted score against `gold`; 1.0 gives the gold labels themselves.

    The score is macro F1 for labels, Pearson's r for numbers and ordered classes, and the Jaccard index for subsets.
    What guessing reaches is the least that can be asked for.
    """
    if output.is_subset:
        members = np.stack([has_bit(gold, bit) for bit in range(len(output.labels))], axis=1)
        return as_masks(_subsets(members, wanted, generator))
    if output.is_one_label:
        return _labels(output, gold.astype(np.intp), wanted, generator)
    if output.has_bounds:
        return _as_answers(output, _correlated(gold.astype(np.float64), wanted, generator))
    raise TypeError(f"no predictions are made up for {output!r}")


def _uneven(count: int, size: int, generator: np.random.Generator) -> Codes:
    """Numbers from 0 below `count`, some of them rare, each at least once if there is room."""
    codes = generator.choice(count, size=size, p=generator.dirichlet(np.full(count, 4.0)))
    codes[generator.permutation(size)[:count]] = np.arange(count)[:size]
    return codes


def _codes_of(output: AnswerKind) -> Codes:
    return np.array([output.labels.index(name) for name in output.gold_labels])


def _labels(output: AnswerKind, gold: Codes, f1_macro: float, generator: np.random.Generator) -> Answers:
    codes = _codes_of(output)
    guessed = codes[generator.integers(len(codes), size=len(gold))]
    counts = np.bincount(gold, minlength=len(output.labels))[codes]
    # So that the expected macro F1 is the wanted one.
    share = _least_share(partial(_expected_f1, counts), f1_macro)
    is_known = generator.random(len(gold)) < share
    return np.where(is_known, gold, guessed).astype(np.uint16)


def _least_share(score_of: Callable[[float], float], wanted: float) -> float:
    """The least share from 0 to 1 that brings the wanted score, by bisection."""
    low, high = 0.0, 1.0
    for _ in range(_SEARCH_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if score_of(middle) < wanted else (low, middle)
    return high


def _expected_f1(counts: Codes, share_known: float) -> float:
    """Macro F1 of the expected confusion matrix where the rest is guessed evenly among the labels."""
    guessed = (1 - share_known) / len(counts)
    right = counts * (share_known + guessed)
    predicted = counts * share_known + counts.sum() * guessed
    return float(np.mean(2 * right / (counts + predicted)))


def _correlated(gold: Floats, pearson: float, generator: np.random.Generator) -> Floats:
    """Numbers with the mean and deviation of `gold`, of which the wanted share is no noise."""
    spread = gold.std() or 1.0
    noise = spread * generator.standard_normal(len(gold))
    pearson = min(max(pearson, 0.0), 1.0)
    return np.asarray(gold.mean() + pearson * (gold - gold.mean()) + np.sqrt(1 - pearson**2) * noise)


def _as_answers(output: AnswerKind, values: Floats) -> Answers:
    """The nearest answers that the task takes."""
    within = np.clip(values, *output.bounds) if output.bounds else values
    return np.round(within, _DECIMALS) if output.is_continuous else output.array(np.rint(within))


def _subsets(
    gold: npt.NDArray[np.bool_], jaccard: float, generator: np.random.Generator
) -> npt.NDArray[np.bool_]:
    """Right members and non-members with guesses put in, more and more of them until the score is the wanted one."""
    guessed = generator.random(gold.shape) < gold.mean(axis=0)
    places = generator.random(gold.shape)
    share = _least_share(lambda part: _jaccard(gold, np.where(places < part, gold, guessed)), jaccard)
    return np.where(places < share, gold, guessed)


def _jaccard(gold: npt.NDArray[np.bool_], given: npt.NDArray[np.bool_]) -> float:
    both, either = (gold & given).sum(axis=1), (gold | given).sum(axis=1)
    return float(np.mean(np.where(either == 0, 1.0, both / np.maximum(either, 1))))
