"""Derived measures over resamples are the measures themselves, resample by resample."""

import numpy as np
import pytest

from scoring.core.measures import robustness
from scoring.core.measures.pairs import PairOutcomes, breaker_score, pooled_share
from scoring.core.uncertainty import derived

RANDOM = np.random.default_rng(5)
SHARES = [1.0, 0.25, 0.5]
TEST, *ATTACKED = RANDOM.random((4, 6))


def each(measure: object, *columns: np.ndarray) -> list[float]:
    assert callable(measure)
    return [measure(*resample) for resample in zip(*columns, strict=True)]


def test_resilience():
    wanted = each(lambda *scores: robustness.resilience(SHARES, scores), *ATTACKED)
    assert derived.weighted_mean(SHARES, ATTACKED).tolist() == pytest.approx(wanted)


def test_relative_resilience():
    wanted = each(lambda test, *scores: robustness.relative_resilience(SHARES, test, scores), TEST, *ATTACKED)
    assert derived.relative_resilience(SHARES, TEST, ATTACKED).tolist() == pytest.approx(wanted)


def test_raw_potency():
    wanted = each(lambda *scores: robustness.raw_potency(scores), *ATTACKED)
    assert derived.raw_potency(ATTACKED).tolist() == pytest.approx(wanted)


def test_breaker_score_and_pooled_share():
    broken = [RANDOM.integers(10, size=6) / 10 for _ in ATTACKED]

    def outcomes(shares: tuple[float, ...]) -> list[PairOutcomes]:
        return [PairOutcomes(0, 10 * share, 10 - 10 * share) for share in shares]

    wanted = each(lambda *of: breaker_score(of[:3], outcomes(of[3:])), *ATTACKED, *broken)
    assert derived.breaker_score(ATTACKED, broken).tolist() == pytest.approx(wanted)
    pooled = each(lambda *of: pooled_share(outcomes(of)), *broken)
    assert derived.weighted_mean([10, 10, 10], broken).tolist() == pytest.approx(pooled)
