"""Bootstrap weights: exact draws, the same for whoever has the same seed."""

import numpy as np
import pytest

from scoring.core.uncertainty.weights import item_weights

EXPECTED = [[1, 1, 1, 1, 2, 1, 0], [0, 0, 0, 3, 0, 2, 2]]


def test_each_resample_draws_as_many_items_as_there_are():
    assert set(item_weights(b"seed", 150, 20).sum(axis=1).tolist()) == {150}


def test_the_same_seed_gives_the_same_weights_on_any_day():
    assert item_weights(b"seed", 7, 2).tolist() == EXPECTED


def test_another_seed_gives_other_weights():
    assert item_weights(b"seed", 50, 5).tolist() != item_weights(b"sead", 50, 5).tolist()


def test_more_replicates_begin_with_the_fewer():
    assert item_weights(b"seed", 51, 9)[:4].tolist() == item_weights(b"seed", 51, 4).tolist()


def test_an_item_is_drawn_once_on_average_and_as_evenly_as_chance_has_it():
    weights = item_weights(b"even", 40, 20_000).astype(float)

    assert weights.mean(axis=0) == pytest.approx(np.ones(40), abs=0.04)
    assert weights.var(axis=0) == pytest.approx(np.full(40, 1 - 1 / 40), abs=0.06)


def test_items_of_a_cluster_are_drawn_together():
    clusters = np.array([5, 9, 5, 7, 9, 5])

    weights = item_weights(b"seed", 6, 30, clusters)

    assert (weights[:, 0] == weights[:, 2]).all()
    assert (weights[:, 0] == weights[:, 5]).all()
    assert (weights[:, 1] == weights[:, 4]).all()
    assert (weights[:, [0, 1, 3]].sum(axis=1) == 3).all()


@pytest.mark.parametrize(("items", "replicates"), [(0, 5), (5, 0)])
def test_nothing_to_draw_is_refused(items, replicates):
    with pytest.raises(ValueError, match="an item and a replicate"):
        item_weights(b"seed", items, replicates)


def test_clusters_of_another_length_are_refused():
    with pytest.raises(ValueError, match="one number per item"):
        item_weights(b"seed", 5, 5, np.array([0, 1]))
