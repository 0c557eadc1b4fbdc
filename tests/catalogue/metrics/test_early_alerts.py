"""Early alerts: what the papers' formulas say person by person, of all people and of those of resamples."""

from math import exp
from statistics import median

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalogue.answers import Number
from catalogue.comparison import Comparison
from catalogue.metrics.choice import UnknownMetricError, metric_for
from scoring.core.uncertainty.replicates import replicate_scores
from scoring.core.uncertainty.weights import item_weights

ALERTS = Number(low=0, high=2_000)


def erde(gold: list[float], alerts: list[float], writings: int) -> float:
    at_risk = sum(risk > 0 for risk in gold) / len(gold)
    cost = 0.0
    for risk, alert in zip(gold, alerts, strict=True):
        if risk:
            cost += 1 - 1 / (1 + exp(alert - writings)) if alert else 1
        elif alert:
            cost += at_risk
    return cost / len(gold)


def f1_latency(gold: list[float], alerts: list[float]) -> float:
    right = [alert for risk, alert in zip(gold, alerts, strict=True) if risk and alert]
    if not right:
        return 0.0
    f1 = 2 * len(right) / (sum(risk > 0 for risk in gold) + sum(alert > 0 for alert in alerts))
    return f1 * (1 - median(-1 + 2 / (1 + exp(-0.0078 * (alert - 1))) for alert in right))


@given(seed=st.integers(0, 2**32 - 1), size=st.integers(1, 40), share=st.sampled_from([0.0, 0.2, 1.0]))
def test_they_are_what_the_formulas_say_also_of_resamples(seed, size, share):
    random = np.random.default_rng(seed)
    gold = (random.random(size) < share).astype(np.float64)
    alerts = np.where(random.random(size) < 0.6, random.integers(1, 300, size), 0).astype(np.float64)
    compared, weights = Comparison(ALERTS, gold, alerts), item_weights(seed.to_bytes(4), size, 4)
    names = ["erde_5", "erde_50", "f1_latency"]

    found = replicate_scores(compared, names, weights)

    def official(drawn: np.ndarray) -> list[float]:
        people = np.repeat(gold, drawn).tolist(), np.repeat(alerts, drawn).tolist()
        return [erde(*people, 5), erde(*people, 50), f1_latency(*people)]

    of_all = [metric_for(ALERTS, name).value(compared) for name in names]
    assert of_all == pytest.approx(official(np.ones(size, dtype=int)), abs=1e-12)
    for at, drawn in enumerate(weights):
        assert [found[name][at] for name in names] == pytest.approx(official(drawn), abs=1e-12)


def test_alerts_are_numbers_from_0_on():
    for kind, name in ((Number(low=1, high=9), "erde_5"), (ALERTS, "erde_0"), (ALERTS, "erde_05")):
        with pytest.raises(UnknownMetricError, match=f"There is no metric `{name}`"):
            metric_for(kind, name)
