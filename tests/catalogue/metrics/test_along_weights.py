"""Metrics that look at items together, in resamples so many or so large that they are counted in other ways."""

from typing import Any

import numpy as np
import pytest

from catalogue.answers import Number, Probabilities
from catalogue.answers.arrays import as_rows
from catalogue.comparison import Comparison
from catalogue.metrics.choice import metric_for

ITEMS, RESAMPLES = 30, 1_100
LABELS = ("a", "b", "c")


def numbers(random):
    gold = random.integers(0, 9, ITEMS) / 8
    return Comparison(Number(0, 1), gold, np.clip(gold + random.integers(-2, 3, ITEMS) / 8, 0, 1))


def probabilities(random):
    table = np.round(random.dirichlet(np.ones(len(LABELS)), ITEMS), 1)
    gold = random.integers(len(LABELS), size=ITEMS).astype(np.uint8)
    return Comparison(Probabilities(LABELS), gold, as_rows(table))


ALL = [
    *((numbers, name) for name in ("kendall_tau_b", "spearman")),
    *(
        (probabilities, name)
        for name in (
            "auroc_ovr_macro",
            "auroc_ovo_macro",
            "average_precision_macro",
            "average_precision_micro",
        )
    ),
]


@pytest.mark.parametrize(("compared", "name"), ALL, ids=[name for _, name in ALL])
def test_a_score_is_the_same_when_every_item_counts_many_times(compared, name):
    random = np.random.default_rng(1)
    comparison = compared(random)
    metric = metric_for(comparison.output, name)
    weights = random.poisson(1, (ITEMS, RESAMPLES)).astype(np.int32)
    read = metric.statistic.collect(comparison)
    along: Any = metric.resampled
    once, often = (along.formula(*read, times * weights) for times in (1, 5_000))
    assert often == pytest.approx(once, abs=1e-12, nan_ok=True)
    alone = [along.formula(*read, weights[:, [at]])[0] for at in range(0, RESAMPLES, 50)]
    assert once[::50] == pytest.approx(alone, abs=1e-12, nan_ok=True)
