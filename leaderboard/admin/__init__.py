"""Benchmarks, batches and releases in the admin, its first page, and the watch."""

from leaderboard.admin import benchmarks, releases, webhooks
from leaderboard.admin.new_task import wizard

__all__ = ["benchmarks", "releases", "webhooks", "wizard"]
