"""Batches and releases in the admin: rows go in; their pages, previews and buttons come out."""

from leaderboard.admin.releases import batches, releases

__all__ = ["batches", "releases"]
