"""The admin of everything that scoring can start: phases, gold labels, submissions, runs."""

from __future__ import annotations

from scoring.admin import attacks, correct_shares, equity, gold, phases, runs, submissions

__all__ = ["attacks", "correct_shares", "equity", "gold", "phases", "runs", "submissions"]
