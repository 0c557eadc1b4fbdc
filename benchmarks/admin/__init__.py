"""Splits and the audit log in the admin, and what the admin's pages of all apps are made of."""

from benchmarks.admin import questions, splits
from benchmarks.people import admin as people

__all__ = ["people", "questions", "splits"]
