"""Submissions in the admin: rows go in; their list, their pages and what can be done to them come out."""

from scoring.admin.submissions import submission_admin

__all__ = ["submission_admin"]
