"""One entry point: a rule, what stands, and a new answer in; what to show and the new state out."""

from __future__ import annotations

import numpy as np

from scoring.core.disclosure.rules import Exact, Ladder, NoisyLadder, Precision, Rule
from scoring.core.disclosure.sparing import sparing
from scoring.core.disclosure.state import Answer, Disclosed, Purse, Standing


def disclose(
    rule: Rule, answer: Answer, standing: Standing, purse: Purse, random: np.random.Generator
) -> Disclosed:
    """What a board shows for a team after a new answer.

    Parameters
    ----------
    rule : Rule
        The rule of the phase.
    answer : Answer
        The new answer, with the errors that the rule judges it by.
    standing : Standing
        Of the team in this metric; an empty one before its first answer.
    purse : Purse
        Of the whole phase in this metric; only `Sparing` spends from it.
    random : numpy.random.Generator
        Seeded by the caller; only `NoisyLadder` draws from it, once per answer.

    Returns
    -------
    Disclosed
        The number, and standing and purse for the next answer.

    Raises
    ------
    ValueError
        If the team has a leading answer and `difference_error` is missing, where the rule needs it.

    Examples
    --------
    >>> random = np.random.default_rng(0)
    >>> first = disclose(Ladder(), Answer(0.70, 1000, 0.0145), Standing(), Purse(), random)
    >>> again = Answer(0.705, 1000, 0.0145, difference_error=0.007)
    >>> disclose(Ladder(), again, first.standing, first.purse, random).shown
    0.7
    """
    match rule:
        case Exact():
            return _own(answer.score, purse)
        case Precision(digits):
            return _own(round(answer.score, digits), purse)
        case Ladder():
            return _ladder(answer, answer.score, standing, purse)
        case NoisyLadder(scale):
            noise = float(random.laplace(0.0, scale * answer.error)) if answer.error else 0.0
            return _ladder(answer, answer.score + noise, standing, purse)
        case _:
            return sparing(rule, answer, standing, purse)


def _own(shown: float, purse: Purse) -> Disclosed:
    return Disclosed(shown, True, Standing(shown, shown), purse)


def _ladder(answer: Answer, score: float, standing: Standing, purse: Purse) -> Disclosed:
    """Compared with what is shown, as in the paper, and rounded to 1/n."""
    if standing.shown is not None:
        if answer.difference_error is None:
            raise ValueError("`difference_error` must be given once a team has a leading answer.")
        if score <= standing.shown + answer.difference_error:
            return Disclosed(standing.shown, False, standing, purse)
    shown = round(score * answer.item_count) / answer.item_count
    return Disclosed(shown, True, Standing(shown, answer.score), purse)
