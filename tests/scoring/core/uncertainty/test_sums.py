"""A metric of sums over items: its value, its resamples and what an exchange of answers makes of it."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from catalogue.answers import Number
from catalogue.comparison import Comparison
from catalogue.metrics import METRICS
from catalogue.metrics.metric import Metric, Undefined
from catalogue.metrics.statistics import ARRAYS, SumsOfItems
from scoring.core.uncertainty.exchange import exchanged
from scoring.core.uncertainty.replicates import one_by_one, replicate_scores
from scoring.core.uncertainty.weights import item_weights

SHARE = Number(0, 1)
Floats = NDArray[np.float64]


def _sums(y_true: NDArray[Any], y_pred: NDArray[Any]) -> Floats:
    return np.stack([np.minimum(y_true, y_pred), np.maximum(y_true, y_pred)])


def _overlap(sums: Floats) -> Floats:
    common, both = sums
    return np.divide(common, both, out=np.full_like(both, np.nan), where=both > 0)


OVERLAP = SumsOfItems(_sums, _overlap)


def overlap(y_true: NDArray[Any], y_pred: NDArray[Any]) -> float | Undefined:
    value = OVERLAP.of_all(y_true, y_pred)
    return Undefined("nothing") if np.isnan(value) else value


@pytest.fixture(autouse=True)
def registered() -> Iterator[Metric[Any, Any]]:
    made_up = Metric(
        name="overlap",
        title="Overlap",
        kinds=(Number,),
        statistic=ARRAYS,
        formula=overlap,
        resampled=OVERLAP,
        undefined={"nothing": "There is nothing to overlap."},
        reference="made up",
    )
    with METRICS.extended(made_up):
        yield made_up


def made(seed: int, count: int = 30) -> tuple[Comparison, Comparison]:
    random = np.random.default_rng(seed)
    gold = random.random(count) * (random.random(count) < 0.5)
    return Comparison(SHARE, gold, random.random(count)), Comparison(SHARE, gold, gold**2)


def test_each_resample_is_scored_as_if_it_were_the_split(registered):
    first, _ = made(1)
    weights = item_weights(b"sums", 30, 200)

    found = replicate_scores(first, ["overlap"], weights)["overlap"]

    assert found == pytest.approx(one_by_one(registered, first, weights), abs=1e-12)


def test_a_resample_without_a_value_has_none():
    nothing = np.zeros(2)
    weights = np.array([[2, 0], [0, 2]], dtype=np.uint8)

    found = replicate_scores(Comparison(SHARE, nothing, np.array([0.0, 0.5])), ["overlap"], weights)[
        "overlap"
    ]

    assert np.isnan(found[0])
    assert found[1] == 0.0


def test_exchanged_answers_are_those_of_some_exchange():
    first, second = made(2, count=3)
    possible = set()
    for choice in np.ndindex(2, 2, 2):
        swapped = np.array(choice, dtype=bool)
        own = np.where(swapped, second.y_pred, first.y_pred)
        other = np.where(swapped, first.y_pred, second.y_pred)
        possible.add(round(float(OVERLAP.of_all(first.y_true, own) - OVERLAP.of_all(first.y_true, other)), 9))

    drawn = exchanged(first, second, "overlap", rng=np.random.default_rng(3), draws=500)

    assert set(np.round(drawn, 9).tolist()) == possible
