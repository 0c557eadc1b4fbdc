"""Decisions of boards drawn by lot equal those of the plain definition: every difference in every replicate."""

from collections.abc import Callable

import numpy as np
import pytest

from scoring.core.uncertainty.rank_sets import critical_values, rank_sets

Drawn = tuple[np.ndarray, np.ndarray]
CONFIDENCE = 0.95


def plainly_ahead(points: np.ndarray, replicates: np.ndarray, deviations: np.ndarray) -> np.ndarray:
    """Who is surely ahead of whom by the definition: every step looks at every difference in every replicate."""
    centred = (replicates - replicates.mean(axis=0)).astype(np.float32)
    differs = deviations > 0
    scale = np.divide(1.0, deviations, out=np.zeros_like(deviations), where=differs).astype(np.float32)
    apart = points[:, None] - points[None, :]
    statistic = np.divide(apart, deviations, out=np.where(apart > 0, np.inf, -1.0), where=differs)
    decided, before = np.zeros(scale.shape, dtype=bool), None
    while before is None or (before != decided).any():
        left = np.where(decided, np.float32(0), scale)
        largest = np.array([((one[:, None] - one[None, :]) * left).max() for one in centred])
        before, decided = decided, statistic > np.quantile(largest, CONFIDENCE, method="higher")
    return decided


def independent(rng: np.random.Generator, replicates: int, systems: int) -> Drawn:
    points = rng.normal(0.7, rng.choice([0, 0.01, 0.05]), systems)
    return points, points + rng.normal(0, 0.01, (replicates, systems))


def families(rng: np.random.Generator, replicates: int, systems: int) -> Drawn:
    """Variants of a few systems, some of them the same twice."""
    family = rng.integers(rng.integers(1, 8), size=systems)
    own = rng.normal(0, rng.choice([1e-5, 0.001, 0.003]), (replicates, systems))
    points = rng.normal(0.7, 0.02, 8)[family] + rng.normal(0, 0.001, systems)
    drawn = points + rng.normal(0, 0.01, (replicates, 8))[:, family] + own
    twin = rng.integers(systems, size=(2, systems // 4))
    drawn[:, twin[0]], points[twin[0]] = drawn[:, twin[1]], points[twin[1]]
    return points, drawn


def uneven(rng: np.random.Generator, replicates: int, systems: int) -> Drawn:
    """Some systems are known a hundred times better than others, and some replicates lie far out."""
    points = rng.normal(0.7, 0.05, systems)
    noise = rng.standard_t(3, (replicates, systems)) * np.exp(rng.normal(-5, 1, systems))
    return points, points + noise


def few_items(rng: np.random.Generator, replicates: int, systems: int) -> Drawn:
    """Scores with many ties, and columns that never change."""
    items = int(rng.integers(2, 30))
    right = rng.random((items, systems)) < rng.random(systems).round(1)
    counts = rng.multinomial(items, np.full(items, 1 / items), size=replicates)
    return right.mean(axis=0), counts @ right / items


def rare_gains(rng: np.random.Generator, replicates: int, systems: int) -> Drawn:
    """The best system gains much in a few replicates: with it decided, the critical value falls far."""
    points = rng.normal(0.7, 0.02, systems)
    drawn = points + rng.normal(0, 0.01, (replicates, systems))
    points[0] = points.max() + 1
    drawn[rng.random(replicates) < rng.uniform(0.05, 0.1), 0] += rng.uniform(0.5, 3)
    return points, drawn


BOARDS: list[Callable[[np.random.Generator, int, int], Drawn]] = [
    independent,
    families,
    uneven,
    few_items,
    rare_gains,
]


def holds(drawn: Drawn, *, higher_is_better: bool = True) -> bool:
    """Whether decisions equal those of the definition; says no also where equal columns are held apart."""
    points, replicates = drawn
    sets = rank_sets(points, replicates, higher_is_better=higher_is_better)
    known = np.isnan(replicates).mean(axis=0) <= 0.05
    rows = replicates[:, known]
    rows = rows[~np.isnan(rows).any(axis=1)]
    sign = 1 if higher_is_better else -1
    deviations = sets.deviations[np.ix_(known, known)]
    for at in (0, -1):
        expected = (rows - rows[:, [at]]).std(axis=0, ddof=1)
        np.testing.assert_allclose(deviations[at], expected, rtol=1e-6, atol=1e-8)
    ahead = np.zeros_like(sets.surely_ahead)
    ahead[np.ix_(known, known)] = plainly_ahead(sign * points[known], sign * rows, deviations)
    return bool((sets.surely_ahead == ahead).all())


@pytest.mark.parametrize("draw", BOARDS)
@pytest.mark.parametrize("seed", range(15))
def test_a_board_drawn_by_lot_is_decided_as_by_definition(draw, seed):
    rng = np.random.default_rng(seed)
    points, replicates = draw(rng, int(rng.integers(100, 260)), int(rng.integers(2, 70)))
    if seed % 3 == 0:
        replicates[rng.integers(len(replicates), size=5), rng.integers(len(points), size=5)] = np.nan
    if seed % 5 == 0:
        replicates[:, 1] = np.nan

    assert holds((points, replicates), higher_is_better=bool(seed % 2))


@pytest.mark.parametrize("draw", BOARDS)
def test_a_board_of_hundreds_is_decided_as_by_definition(draw):
    assert holds(draw(np.random.default_rng(1), 120, 310))


@pytest.mark.parametrize("draw", BOARDS)
def test_blocks_that_are_opened_a_few_at_a_time_decide_the_same(draw, monkeypatch):
    monkeypatch.setattr(critical_values, "AT_ONCE", 40)
    monkeypatch.setattr(critical_values, "HELD", 300)

    assert holds(draw(np.random.default_rng(3), 100, 150))


@pytest.mark.thorough
@pytest.mark.parametrize("draw", BOARDS)
@pytest.mark.parametrize("systems", [1_000, 2_000])
def test_the_largest_boards_are_decided_as_by_definition(draw, systems):
    assert holds(draw(np.random.default_rng(2), 200, systems))


@pytest.mark.thorough
@pytest.mark.parametrize("draw", BOARDS)
def test_boards_of_all_sizes_are_decided_as_by_definition(draw):
    for seed in range(60):
        rng = np.random.default_rng(1_000 + seed)
        drawn = draw(rng, int(rng.integers(100, 300)), int(np.exp(rng.uniform(0.7, 5))))
        assert holds(drawn, higher_is_better=bool(seed % 2)), f"seed {seed}"
