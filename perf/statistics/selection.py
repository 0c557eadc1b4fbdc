"""How often the plain interval and the corrected range of a score that was chosen for being the best hold its truth.

Run it from the project's folder: `python -m perf.statistics.selection [test sets per line]`. In each line systems
answer the same items; the best one is taken, as a board or the rule "the best submission counts" does. "Alike" systems
find the same items hard: two of them differ far less than their scores vary. "Uneven" ones are worth less and less, by
a standard error in all; of "a leader" one is five standard errors above the others. Of accuracy a system's truth is
known; of macro F1 over two labels, one of them on three items of ten, it is the mean of all scores that equal systems
got. With 1,000 sets a share of .95 is itself known to 1.4 points. Seeded: the table comes out the same each time.
"""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from catalogue.answers import Label
from catalogue.comparison import Comparison
from catalogue.metrics.choice import metric_for
from perf.timing import number_asked_for
from scoring.core.uncertainty.best_of import corrected_range, expected_luck, noise_of_best
from scoring.core.uncertainty.intervals import interval
from scoring.core.uncertainty.replicates import Resamples, replicate_scores_together
from scoring.core.uncertainty.smoothing import calibrated_together
from scoring.core.uncertainty.weights import item_weights

SIZES = (150, 516, 2_000)
TRUTHS = (0.6, 0.8, 0.95)
TRIES = (20, 104)
SETS = 300
WORLDS = ("equal", "equal, alike", "uneven", "uneven, alike", "a leader, alike")
ALIKE = 0.8  # the correlation of two systems' latent answers to an item
RARER = 0.3  # the share of the rarer of two labels
Floats = NDArray[np.float64]
# From the answers, right or not, to each system's score and its scores in the resamples: (replicates, systems).
Measure = Callable[[Generator, NDArray[np.bool_]], tuple[Floats, Floats]]


class BestOfMany(NamedTuple):
    """Of many test sets: shares that hold the truth, and mean widths in those of the plain interval."""

    plain: float
    corrected: float
    width: float
    luck: float
    excess: float


@cache
def resamples_of(item_count: int) -> Resamples:
    """The resamples of items, as for every board."""
    return Resamples(item_weights(b"selection", item_count))


def accuracies(random: Generator, right: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Shares of right answers."""
    weights = resamples_of(len(right)).weights.astype(np.float32)
    return right.mean(axis=0), (weights @ right.astype(np.float32)).astype(np.float64) / len(right)


def macro_f1s(random: Generator, right: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """Macro F1 over two labels, of which a wrong answer is the other one."""
    output, resamples = Label(("commoner", "rarer")), resamples_of(len(right))
    gold = (random.random(len(right)) < RARER).astype(np.uint8)
    systems = [Comparison(output, gold, np.where(own, gold, 1 - gold).astype(np.uint8)) for own in right.T]
    metric = metric_for(output, _F1)
    values = [float(metric.value(system)) for system in systems]  # type: ignore[arg-type]  # never None: both labels occur
    raw = replicate_scores_together(systems, [_F1], resamples)[_F1]
    replicates = calibrated_together(systems, metric, values, raw, resamples.further)
    return np.array(values), np.ascontiguousarray(replicates.T)


_F1 = "f1_macro"
MEASURES: dict[str, Measure] = {"accuracy": accuracies, _F1: macro_f1s}


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


class _Chosen(NamedTuple):
    """The best one on one test set: which it is, its score, both its ranges, and its expected luck.

    Ranges are NaN where all answers are right: then resamples alone, which accuracy is measured with here, say nothing.
    """

    system: int
    value: float
    plain: tuple[float, float]
    corrected: tuple[float, float]
    luck: float


def best_of_many(
    world: str, truth: float, item_count: int, tries: int, sets: int, metric: str = "accuracy"
) -> BestOfMany:
    """Take the best of so many systems on so many test sets. Of macro F1, equal systems only."""
    random = np.random.default_rng([*world.encode(), int(1000 * truth), item_count, tries])
    truths, measure = truths_of(world, truth, item_count, tries), MEASURES[metric]
    alike = ALIKE if world.endswith("alike") else 0.0
    all_values, chosen = [], []
    for _ in range(sets):
        values, replicates = measure(random, answers(random, truths, item_count, alike))
        all_values.append(values.mean())
        chosen.append(_chosen(random, values, replicates))
    if metric != "accuracy":
        truths = np.full(tries, np.mean(all_values))
    of_chosen = [truths[one.system] for one in chosen]
    pairs = list(zip(chosen, of_chosen, strict=True))
    return BestOfMany(
        plain=float(np.mean([one.plain[0] <= worth <= one.plain[1] for one, worth in pairs])),
        corrected=float(np.mean([one.corrected[0] <= worth <= one.corrected[1] for one, worth in pairs])),
        width=float(np.nanmean([np.ptp(one.corrected) / np.ptp(one.plain) for one in chosen])),
        luck=float(np.mean([one.luck for one in chosen])),
        excess=float(np.mean([one.value - worth for one, worth in pairs])),
    )


def _chosen(random: Generator, values: Floats, replicates: Floats) -> _Chosen:
    best = int(random.choice(np.flatnonzero(values == values.max())))
    errors = replicates - replicates.mean(axis=0)
    value, own = float(values[best]), replicates[:, best]
    plain = interval(value, own)
    ends = corrected_range(value, own, noise_of_best(values, errors, best))
    of_plain = (plain.low, plain.high) if plain else (np.nan, np.nan)
    return _Chosen(best, value, of_plain, ends or (np.nan, np.nan), expected_luck(values, errors))


def lines() -> Iterator[tuple[str, float, int, int, str]]:
    """The rows of the table: world, truth, items, tries and metric."""
    yield from product(WORLDS, TRUTHS, SIZES, TRIES, ("accuracy",))
    yield from product(WORLDS[:2], TRUTHS[1:2], SIZES[:2], TRIES, (_F1,))


def main(sets: int) -> None:
    print(
        f"The best of several systems on {sets} test sets: plain and corrected coverage of 100, width of the"
    )
    print(
        "corrected range over that of the plain interval, expected luck, and by how much the best was too high"
    )
    for world, truth, item_count, tries, metric in lines():
        of_line = best_of_many(world, truth, item_count, tries, sets, metric)
        print(
            f"{metric:<9} {world:<16} {truth:>4} {item_count:>6,} items {tries:>4} tries  {100 * of_line.plain:5.1f} "
            f"{100 * of_line.corrected:5.1f}  x{of_line.width:.2f}  {of_line.luck:.3f} {of_line.excess:.3f}",
            flush=True,
        )


if __name__ == "__main__":
    main(number_asked_for(SETS))
