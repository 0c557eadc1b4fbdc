"""Benchmarks, batches and releases in the admin, its first page, and the watch."""

from leaderboard.admin import benchmarks, webhooks

__all__ = ["benchmarks", "webhooks"]
