"""How often the plain interval and the corrected range of a score that was chosen for being the best hold its truth.

Run it from the project's folder: `python -m perf.statistics.selection [test sets per line]`. In each line systems
answer the same items; the best one is taken, as a board or the rule "the best submission counts" does. "Alike" systems
find the same items hard: two of them differ far less than their scores vary. "Uneven" ones are worth less and less, by
a standard error in all; of "a leader" one is five standard errors above the others. Seeded: the table comes out the
same each time.
"""

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from perf.timing import number_asked_for
from scoring.core.uncertainty.best_of import corrected_range, expected_luck, noise_of_best
from scoring.core.uncertainty.intervals import interval
from scoring.core.uncertainty.weights import item_weights

SIZES = (150, 516, 2_000)
TRUTHS = (0.6, 0.8, 0.95)
TRIES = (20, 104)
SETS = 300
WORLDS = ("equal", "equal, alike", "uneven", "uneven, alike", "a leader, alike")
ALIKE = 0.8  # the correlation of two systems' latent answers to an item


class BestOfMany(NamedTuple):
    """Of many test sets: shares that hold the truth, and mean widths in those of the plain interval."""

    plain: float
    corrected: float
    width: float
    luck: float
    excess: float


@cache
def weights_of(item_count: int) -> NDArray[np.float32]:
    """The weights of items in resamples, as for every board."""
    return item_weights(b"selection", item_count).astype(np.float32)


def truths_of(world: str, truth: float, item_count: int, tries: int) -> NDArray[np.float64]:
    """What each system is worth; the best one `truth`."""
    error = (truth * (1 - truth) / item_count) ** 0.5
    truths = np.full(tries, truth)
    if world.startswith("uneven"):
        truths -= error * np.linspace(0, 1, tries)
    if world.startswith("a leader"):
        truths[1:] -= 5 * error
    return truths


def answers(
    random: Generator, truths: NDArray[np.float64], item_count: int, alike: float
) -> NDArray[np.bool_]:
    """Which items each system has right: (items, systems)."""
    from scipy.special import ndtri

    hard = random.standard_normal((item_count, 1))
    own = random.standard_normal((item_count, len(truths)))
    return np.asarray(alike**0.5 * hard + (1 - alike) ** 0.5 * own < ndtri(truths))


def best_of_many(world: str, truth: float, item_count: int, tries: int, sets: int) -> BestOfMany:
    """Take the best of so many systems on so many test sets."""
    random = np.random.default_rng([*world.encode(), int(1000 * truth), item_count, tries])
    truths, weights = truths_of(world, truth, item_count, tries), weights_of(item_count)
    alike = ALIKE if world.endswith("alike") else 0.0
    held, corrected, widths, lucks, excesses = 0, 0, [], [], []
    for _ in range(sets):
        right = answers(random, truths, item_count, alike)
        values = right.mean(axis=0)
        errors = (weights @ right.astype(np.float32)).astype(np.float64) / item_count - values
        best = int(random.choice(np.flatnonzero(values == values.max())))
        replicates = values[best] + errors[:, best]
        noise = noise_of_best(values, errors, best)
        plain = interval(values[best], replicates)
        ends = corrected_range(values[best], replicates, noise)
        lucks.append(expected_luck(values, errors))
        excesses.append(values[best] - truths[best])
        if plain is None or ends is None:
            continue
        held += plain.low <= truths[best] <= plain.high
        corrected += ends[0] <= truths[best] <= ends[1]
        widths.append((ends[1] - ends[0]) / (plain.high - plain.low))
    return BestOfMany(
        held / sets, corrected / sets, *(float(np.mean(some)) for some in (widths, lucks, excesses))
    )


def lines() -> Iterator[tuple[str, float, int, int]]:
    """The rows of the table: world, truth, items and tries."""
    return product(WORLDS, TRUTHS, SIZES, TRIES)


def main(sets: int) -> None:
    print(
        f"The best of several systems on {sets} test sets: plain and corrected coverage of 100, width of the"
    )
    print(
        "corrected range over that of the plain interval, expected luck, and by how much the best was too high"
    )
    for world, truth, item_count, tries in lines():
        of_line = best_of_many(world, truth, item_count, tries, sets)
        print(
            f"{world:<16} {truth:>4} {item_count:>6,} items {tries:>4} tries  {100 * of_line.plain:5.1f} "
            f"{100 * of_line.corrected:5.1f}  x{of_line.width:.2f}  {of_line.luck:.3f} {of_line.excess:.3f}",
            flush=True,
        )


if __name__ == "__main__":
    main(number_asked_for(SETS))
