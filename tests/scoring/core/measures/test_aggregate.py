import pytest

from scoring.core.measures.aggregate import median_team


def test_median_of_an_odd_number_of_teams_is_the_one_in_the_middle():
    assert median_team([0.2, 0.9, 0.5]) == 2


@pytest.mark.parametrize(("teams", "rank"), [(44, 23), (13, 7), (11, 6)])
def test_median_team_has_the_rank_that_affect_in_tweets_published(teams, rank):
    falling = [1 - place / 100 for place in range(teams)]

    assert median_team(falling) == rank - 1


def test_median_team_of_errors_counts_from_the_lowest():
    assert median_team([0.1, 0.2, 0.3, 0.4], higher_is_better=False) == 2
    assert median_team([0.1, 0.2, 0.3, 0.4]) == 1


def test_median_of_no_team_is_refused():
    with pytest.raises(ValueError, match="at least one team"):
        median_team([])
