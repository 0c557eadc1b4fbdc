"""Scores and their paired replicates go in; out come the ranks that each system of a board may have, all at once."""

from scoring.core.uncertainty.rank_sets.board import RankSets, groups, rank_sets

__all__ = ["RankSets", "groups", "rank_sets"]
