"""Made-up gold labels and predictions. Pure: everything follows from the specification and a seeded generator."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from benchmarks.spec import TaskSpec, names_of
from submissions.intake.write import write_predictions

Codes = npt.NDArray[np.intp]

FIRST_ID = 50  # the fifty training examples of each RAFT task carry the ids before it

_SEARCH_STEPS = 30


def make_gold(task: TaskSpec, generator: np.random.Generator) -> Codes:
    """Gold labels as codes, shape (task.test_size,); some labels are rare and each occurs at least once."""
    label_count = len(names_of(task.output))
    shares = generator.dirichlet(np.full(label_count, 4.0))
    codes = generator.choice(label_count, size=task.test_size, p=shares)
    codes[generator.permutation(task.test_size)[:label_count]] = np.arange(label_count)
    return codes


def make_predictions(
    gold: Codes, *, label_count: int, f1_macro: float, generator: np.random.Generator
) -> Codes:
    """Predictions that reach about the wanted macro F1: right labels with others put in at random places.

    What guessing reaches is the least that can be asked for; 1.0 gives the gold labels themselves.
    """
    guessed = generator.integers(label_count, size=len(gold))
    is_known = generator.random(len(gold)) < _share_known(gold, label_count, f1_macro)
    return np.where(is_known, gold, guessed)


def most_frequent(gold: Codes) -> Codes:
    """Predictions that give every item the commonest label."""
    return np.full_like(gold, np.bincount(gold).argmax())


def _share_known(gold: Codes, label_count: int, f1_macro: float) -> float:
    """The share of items to answer rightly so that the expected macro F1 is the wanted one, by bisection."""
    counts = np.bincount(gold, minlength=label_count)
    low, high = 0.0, 1.0
    for _ in range(_SEARCH_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if _expected_f1(counts, middle) < f1_macro else (low, middle)
    return high


def _expected_f1(counts: Codes, share_known: float) -> float:
    """Macro F1 of the expected confusion matrix where the rest is guessed evenly among the labels."""
    guessed = (1 - share_known) / len(counts)
    right = counts * (share_known + guessed)
    predicted = counts * share_known + counts.sum() * guessed
    return float(np.mean(2 * right / (counts + predicted)))


def to_csv(task: TaskSpec, codes: Codes) -> bytes:
    """The task's file with these labels, one row per item, ids from FIRST_ID on."""
    ids = [str(number) for number in range(FIRST_ID, FIRST_ID + len(codes))]
    return write_predictions(task, ids, codes)
