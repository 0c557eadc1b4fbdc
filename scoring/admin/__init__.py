"""The admin of everything that scoring can start: phases, gold labels, submissions, runs."""

from __future__ import annotations

from scoring.admin import attacks, equity, gold, phases, runs, submissions

__all__ = ["attacks", "equity", "gold", "phases", "runs", "submissions"]
