"""The admin of everything that scoring can start: phases, gold labels, submissions, runs."""

from __future__ import annotations

from scoring.admin import equity, gold, phases, runs, submissions

__all__ = ["equity", "gold", "phases", "runs", "submissions"]
