"""The information contrast model by the recursion that its authors give: a set of classes, the first and the others."""

import math
from collections.abc import Callable, Sequence
from statistics import NormalDist
from typing import Any

import numpy as np

from catalogue.answers.across_labels.many_labels import labels_in
from catalogue.answers.arrays import as_table

Tree = Callable[[str], list[str]]
Soft = dict[str, float]


def tree_of(output: Any) -> Tree:
    above = dict(output.parents)

    def path(name: str) -> list[str]:
        """From the top to the name."""
        return [*path(above[name][0]), name] if above.get(name) else [name]

    return path


def in_common(path: Tree, one: str, other: str) -> list[str]:
    """The deepest name that both are kinds of, if there is any."""
    return [name for name in path(one) if name in path(other)][-1:]


def contrast(of_set: Callable[[Any], float], gold: Any, found: Any, both: Any) -> float:
    return 2 * of_set(gold) + 2 * of_set(found) - 3 * of_set(both)


def icm(case: Any) -> tuple[float, float]:
    """The score, and that of the gold labels."""
    gold, found = (sets(case.output, side) for side in (case.y_true, case.y_pred))
    path, count = tree_of(case.output), len(gold)

    def of_one(name: str) -> float:
        having = sum(any(name in path(label) for label in labels) for labels in gold)
        return -math.log2(max(having, 1) / count)

    def of_set(names: Sequence[str]) -> float:
        if not names:
            return 0.0
        first, others = names[0], names[1:]
        shared = {name for other in others for name in in_common(path, first, other)}
        return of_one(first) + of_set(others) - of_set(sorted(shared))

    def mean(side: list[list[str]]) -> float:
        return float(
            np.mean(
                [
                    contrast(of_set, one, other, sorted({*one, *other}))
                    for one, other in zip(gold, side, strict=True)
                ]
            )
        )

    return mean(found), mean(gold)


def sets(output: Any, answers: Any) -> list[list[str]]:
    if output.is_one_label:
        return [[output.labels[code]] for code in answers.tolist()]
    return list(map(labels_in, answers.tolist()))


def icm_soft(case: Any) -> tuple[float, float]:
    path, labels = tree_of(case.output), case.output.labels
    names = list(dict.fromkeys(name for label in labels for name in (label, *reversed(path(label)))))
    gold, found = (
        [dict(zip(labels, row, strict=True)) for row in as_table(side).tolist()]
        for side in (case.y_true, case.y_pred)
    )
    spread = np.array(
        [
            [max((share for label, share in row.items() if name in path(label)), default=0) for name in names]
            for row in gold
        ]
    )
    means = spread.mean(axis=0)
    deviations = np.abs(spread - means).mean(axis=0)

    def of_one(name: str, share: float) -> float:
        at = names.index(name)
        if not share:
            return 0.0
        if np.ptp(spread[:, at]) == 0:
            larger = float(share <= spread[0, at])
        else:
            larger = 1 - NormalDist(means[at], deviations[at]).cdf(share)
        return -math.log2(larger or 1 / len(gold))

    def of_set(shares: Soft) -> float:
        if not shares:
            return 0.0
        (first, share), *others = shares.items()
        common: Soft = {}
        for other, its in others:
            common = either(common, {name: min(share, its) for name in in_common(path, first, other)})
        return of_one(first, share) + of_set(dict(others)) - of_set(common)

    def mean(side: list[Soft]) -> float:
        return float(
            np.mean(
                [
                    contrast(of_set, one, other, either(one, other))
                    for one, other in zip(gold, side, strict=True)
                ]
            )
        )

    return mean(found), mean(gold)


def either(one: Soft, other: Soft) -> Soft:
    return {name: max(one.get(name, 0), other.get(name, 0)) for name in (*one, *(set(other) - set(one)))}


def normalised(both: tuple[float, float]) -> float | None:
    score, best = both
    return max(0.0, (score + best) / (2 * best)) if best > 0 else None


ORACLES = {"icm": lambda case: icm(case)[0], "icm_norm": lambda case: normalised(icm(case))}
SOFT_ORACLES = {
    "icm_soft": lambda case: icm_soft(case)[0],
    "icm_soft_norm": lambda case: normalised(icm_soft(case)),
}
