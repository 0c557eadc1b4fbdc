"""The admin of everything that scoring can start: phases, gold labels, submissions, runs."""

from __future__ import annotations

from scoring.admin import gold, phases, runs, submissions

__all__ = ["gold", "phases", "runs", "submissions"]
