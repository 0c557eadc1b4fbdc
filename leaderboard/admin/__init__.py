"""Benchmarks, batches and releases in the admin, its first page, and the watch."""

from leaderboard.admin import benchmarks

__all__ = ["benchmarks"]
