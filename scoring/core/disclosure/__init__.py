"""What of a new score is shown while a phase runs: rules that show less than every exact score.

Pure: a rule, what stands so far, and a new answer go in; the number to show and the new state come out. Nothing
is remembered here, and the only randomness is the generator passed in.
"""

from __future__ import annotations

from scoring.core.disclosure.coin_weighing import answers_that_tell_all
from scoring.core.disclosure.disclose import disclose
from scoring.core.disclosure.rules import Exact, Ladder, NoisyLadder, Precision, Rule, Sparing
from scoring.core.disclosure.sparing import needed_errors
from scoring.core.disclosure.state import Answer, Disclosed, Purse, Row, Standing

__all__ = [
    "Answer",
    "Disclosed",
    "Exact",
    "Ladder",
    "NoisyLadder",
    "Precision",
    "Purse",
    "Row",
    "Rule",
    "Sparing",
    "Standing",
    "answers_that_tell_all",
    "disclose",
    "needed_errors",
]
