"""Ranges of ranks on boards of many systems, beside the plain way of csranks: every difference in every replicate.

Boards are like those of benchmarks: items differ in difficulty, systems in skill. On the second board of each size
all systems are variants of a few. The plain way is measured for a few replicates and multiplied.

Run: python -m perf.statistics.rank_sets [most systems]
"""

import os

import numpy as np
from numpy.typing import NDArray

from perf.figures import Measurement, report
from perf.timing import cpu_seconds, number_asked_for
from scoring.core.uncertainty.rank_sets import RankSets, rank_sets

ITEMS, REPLICATES = 2_000, 1_000
SIZES = (12, 100, 300, 1_000, 2_000)
GOAL, GOAL_SYSTEMS = 0.1, 1_000  # seconds
FAMILIES, ALIKE = 30, 0.9
STEPS = 2  # that are counted for the plain way; boards whose systems lie apart take three or four
LOOPS = 10  # replicates of the plain way that are really looked at
Floats = NDArray[np.float64]


def board(systems: int, *, families: int | None = None) -> tuple[Floats, Floats]:
    """Accuracies and their replicates."""
    random = np.random.default_rng(systems)
    answers = random.random((ITEMS, systems))
    if families:
        shared = random.random((ITEMS, families))[:, random.integers(families, size=systems)]
        answers = np.where(random.random(answers.shape) < ALIKE, shared, answers)
    skill = random.normal(0.65, 0.15, systems).clip(0.3, 0.9)
    right = (0.6 * answers + 0.4 * random.random((ITEMS, 1)) < skill).astype(np.float64)
    drawn = random.multinomial(ITEMS, np.full(ITEMS, 1 / ITEMS), size=REPLICATES)
    return right.mean(axis=0), drawn @ right / ITEMS


def plain_step(replicates: Floats, sets: RankSets) -> None:
    """The largest studentised difference of a few replicates."""
    scale = 1 / np.where(sets.deviations > 0, sets.deviations, np.inf)
    for one in (replicates - replicates.mean(axis=0))[:LOOPS]:
        ((one[:, None] - one[None, :]) * scale).max()


def measured(systems: int, families: int | None) -> float:
    """Prints a line; returns our seconds."""
    points, replicates = board(systems, families=families)
    found: list[RankSets] = []
    ours = min(cpu_seconds(lambda: found.append(rank_sets(points, replicates))) for _ in range(3))
    plain = cpu_seconds(lambda: plain_step(replicates, found[0])) / LOOPS * REPLICATES * STEPS
    kind = "variants" if families else "apart"
    print(
        f"  {systems:5} {kind:9} {1000 * ours:8.1f} ms   plainly {1000 * plain:9.0f} ms"
        f"  {plain / ours:6.0f} times as fast"
    )
    goal = GOAL if systems == GOAL_SYSTEMS else None
    name = f"ranges of ranks of {systems} systems, {kind}"
    report(
        Measurement(
            name, ours, "s", goal, ratio=plain / ours, peer="every difference in every replicate, in numpy"
        )
    )
    return ours


def main(most: int) -> None:
    os.sched_setaffinity(0, {0})
    print(f"ranges of ranks of one board, {REPLICATES:,} replicates, one core")
    for systems in SIZES:
        if systems <= most:
            ours = [measured(systems, families) for families in (None, FAMILIES)]
            if systems == GOAL_SYSTEMS:
                apart, variants = (seconds / GOAL for seconds in ours)
                print(f"        {apart:.2f} of what is allowed, where variants abound {variants:.2f}")


if __name__ == "__main__":
    main(number_asked_for(2_000))
