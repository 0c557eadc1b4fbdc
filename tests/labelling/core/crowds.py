"""Answers of made-up crowds, whose truth is known."""

from collections.abc import Mapping, Sequence
from random import Random

import numpy as np
from numpy.typing import NDArray

from labelling.core.answers import GivenAnswer, Value, Work
from labelling.core.tuples import balanced_tuples


def answered(answers: Mapping[str, Sequence[Value]], options: Sequence[str] = ()) -> Work:
    """Work in which each item's answers are those of workers 0, 1, 2 …"""
    given = [
        GivenAnswer(item, worker, value)
        for item, values in answers.items()
        for worker, value in enumerate(values)
    ]
    return Work(tuple(options), {item: (item,) for item in answers}, given)


def erring_crowd(
    truth: NDArray[np.intp], error_rates: NDArray[np.float64], per_item: int, rng: np.random.Generator
) -> Work:
    """Each item of true class `truth` answered by `per_item` workers with these rates, (worker, true class, answer)."""
    names = tuple("abcdefgh"[: error_rates.shape[1]])
    workers = rng.random((len(truth), len(error_rates))).argsort(axis=1)[:, :per_item]
    bounds = error_rates.cumsum(axis=2)[workers, truth[:, None]]
    said = (rng.random(workers.shape)[..., None] > bounds[..., :-1]).sum(axis=2)
    given = [
        GivenAnswer(f"i{item:04}", worker, names[label])
        for item, row in enumerate(zip(workers.tolist(), said.tolist(), strict=True))
        for worker, label in zip(*row, strict=True)
    ]
    return Work(names, {f"i{item:04}": (f"i{item:04}",) for item in range(len(truth))}, given)


def best_worst_crowd(
    values: NDArray[np.float64], noise: float, per_tuple: int, rng: np.random.Generator
) -> Work:
    """2N tuples, answered by workers who see true values with normal noise of that deviation."""
    names = [f"i{item:04}" for item in range(len(values))]
    value_of = dict(zip(names, values.tolist(), strict=True))
    shown = {f"t{n:05}": shown for n, shown in enumerate(balanced_tuples(names, Random(1)))}
    given = []
    for unit, items in shown.items():
        for worker in range(per_tuple):
            seen = sorted(items, key=lambda item: value_of[item] + noise * rng.standard_normal())
            given.append(GivenAnswer(unit, worker, (seen[-1], seen[0])))
    return Work((), shown, given)
