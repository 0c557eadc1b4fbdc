"""The kinds for two candidates per item: which of them is preferred, told by a label or by a score for each."""

from catalogue.answers.pairwise.preference import Preference
from catalogue.answers.pairwise.scored import ScoredPreference

PREFERENCES = (Preference, ScoredPreference)

__all__ = ["PREFERENCES", "Preference", "ScoredPreference"]
