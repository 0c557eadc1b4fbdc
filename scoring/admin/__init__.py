"""The admin of everything that scoring can start: phases, gold labels, submissions, runs."""

from scoring.admin import gold, phases, runs, submissions
from scoring.admin.item_sets import attacks, correct_shares, equity

__all__ = ["attacks", "correct_shares", "equity", "gold", "phases", "runs", "submissions"]
