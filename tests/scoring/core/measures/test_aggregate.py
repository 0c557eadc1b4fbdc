import pytest

from catalogue.metrics.metric import Undefined
from scoring.core.measures.aggregate import mean_ranks_of_systems, median_team


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


def test_mean_rank_equals_the_table_computed_by_hand():
    # Ranks by task: 1 2 3, then 2.5 2.5 1 (a tie), then errors 3 1 2.
    table = [[0.9, 0.5, 0.30], [0.8, 0.5, 0.10], [0.7, 0.6, 0.20]]

    found = mean_ranks_of_systems(table, higher_is_better=[True, True, False])

    assert found == pytest.approx([6.5 / 3, 5.5 / 3, 6 / 3])


def test_mean_rank_of_a_system_without_a_task_is_undefined_and_moves_nobody_up():
    table: list[list[float | None]] = [[0.9, None], [0.8, 0.5], [0.7, 0.6]]

    assert mean_ranks_of_systems(table, [True, True]) == [Undefined("missing_task"), 2.0, 2.0]


def test_mean_rank_needs_a_score_per_task():
    with pytest.raises(ValueError, match="one score per task, 2 of them"):
        mean_ranks_of_systems([[0.5]], [True, True])
