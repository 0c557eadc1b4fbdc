"""Rows of an earlier leaderboard, claimed by their teams."""
