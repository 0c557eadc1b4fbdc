import pytest

from scoring.core.measures.seeds import summarise_seeds


def test_seeds_are_summarised_by_mean_and_population_deviation():
    # Mean 0.6; squared distances 0.04, 0.01, 0, 0.01, 0.04 sum to 0.10; 0.10 / 5 = 0.02.
    found = summarise_seeds([0.4, 0.5, 0.6, 0.7, 0.8])

    assert found.mean == pytest.approx(0.6)
    assert found.deviation == pytest.approx(0.02**0.5)
    assert found.count == 5


def test_one_seed_has_no_spread():
    assert summarise_seeds([0.4]).deviation == 0.0


def test_no_seed_is_refused():
    with pytest.raises(ValueError, match="at least one score"):
        summarise_seeds([])
