"""Benchmarks, batches and releases in the admin, its first page, and the watch."""

from __future__ import annotations

from leaderboard.admin import benchmarks

__all__ = ["benchmarks"]
