"""The sparing rule: a shared purse for misses, and newcomers level with the row most like them."""

from __future__ import annotations

from math import floor, inf

from scoring.core.disclosure.rules import Sparing
from scoring.core.disclosure.state import Answer, Disclosed, Purse, Row, Standing


def sparing(rule: Sparing, answer: Answer, standing: Standing, purse: Purse) -> Disclosed:
    """Judge an answer by `Sparing`; see there. ValueError as `disclose` raises it."""
    if standing.shown is None or standing.leader is None:
        like = _like(rule, answer, inf)
        shown = _on_grid(answer.score, 2 * answer.error) if like is None else like.shown
        return _moved(rule, answer, shown, 0.0, purse)
    if answer.difference_error is None:
        raise ValueError("`difference_error` must be given once a team has a leading answer.")
    like = _like(rule, answer, answer.difference_error)
    if like is not None:
        if like.shown > standing.shown:
            return _moved(rule, answer, like.shown, 0.0, purse)
        return Disclosed(standing.shown, False, standing, purse)
    return _beside_its_own(rule, answer, standing.shown, standing, purse)


def _beside_its_own(
    rule: Sparing, answer: Answer, shown: float, standing: Standing, purse: Purse
) -> Disclosed:
    """Judge a gain over the team's leading answer, with what the purse still holds."""
    gain, error = answer.score - (standing.leader or 0.0), answer.difference_error or 0.0
    cost = max(1.0, answer.item_count * error**2 / rule.usual)
    needed = needed_errors(rule, purse, cost)
    if gain > needed * error:
        step = _whole_errors(gain + standing.behind, error)
        return _moved(rule, answer, shown + step, standing.behind + gain - step, purse)
    spent = purse.spent + cost if needed < rule.late else purse.spent
    return Disclosed(shown, False, standing, Purse(spent, purse.mark))


def needed_errors(rule: Sparing, purse: Purse, cost: float = 1.0) -> float:
    """Standard errors that a gain must exceed to show, for an answer whose miss would cost this much."""
    return rule.early if purse.spent + cost <= rule.misses else rule.late


def _like(rule: Sparing, answer: Answer, limit: float) -> Row | None:
    """The most similar row within a limit of error that the answer cannot be told from; None if there is none.

    Which rows are similar follows from the predictions alone, so looking for them gives nothing away.
    """
    near = sorted((row for row in answer.rows if row.error < limit), key=lambda row: row.error)
    return next((row for row in near if abs(row.difference) <= rule.alike * row.error), None)


def _whole_errors(gain: float, error: float) -> float:
    """A gain in whole standard errors: at least one, as it was judged a gain."""
    return max(1, floor(gain / error)) * error if error else gain


def _on_grid(score: float, step: float) -> float:
    """The nearest step. Where no resample changes a score, as when every item is right, there are no steps."""
    return round(score / step) * step if step else score


def _moved(rule: Sparing, answer: Answer, shown: float, behind: float, purse: Purse) -> Disclosed:
    """A new number for the team. Where the phase has come far enough since, it fills the purse."""
    if purse.mark is None:
        purse = Purse(purse.spent, shown)
    elif shown > purse.mark + rule.late * answer.error:
        purse = Purse(0.0, shown)
    return Disclosed(shown, True, Standing(shown, answer.score, behind), purse)
