"""The sparing rule: a shared purse for misses, and newcomers level with the row most like them."""

from __future__ import annotations

from math import floor

from scoring.core.disclosure.rules import Sparing
from scoring.core.disclosure.state import Answer, Disclosed, Purse, Standing


def sparing(rule: Sparing, answer: Answer, standing: Standing, purse: Purse) -> Disclosed:
    """Judge an answer by `Sparing`; see there. ValueError as `disclose` raises it."""
    if standing.shown is None or standing.leader is None:
        return _moved(rule, answer, _beside_its_like(rule, answer), 0.0, purse)
    if answer.difference_error is None:
        raise ValueError("`difference_error` must be given once a team has a leading answer.")
    gain, error = answer.score - standing.leader, answer.difference_error
    cost = _cost(rule, answer)
    needed = needed_errors(rule, purse, cost)
    if gain > needed * error:
        step = _whole_errors(gain + standing.behind, error)
        return _moved(rule, answer, standing.shown + step, standing.behind + gain - step, purse)
    spent = purse.spent + cost if needed < rule.late else purse.spent
    return Disclosed(standing.shown, False, standing, Purse(spent, purse.mark))


def needed_errors(rule: Sparing, purse: Purse, cost: float = 1.0) -> float:
    """Standard errors that a gain must exceed to show, for an answer whose miss would cost this much."""
    return rule.early if purse.spent + cost <= rule.misses else rule.late


def _cost(rule: Sparing, answer: Answer) -> float:
    """An answer that differs in many items tells more, so its miss costs more."""
    assert answer.difference_error is not None  # noqa: S101  # the caller has looked
    return max(1.0, answer.item_count * answer.difference_error**2 / rule.usual)


def _beside_its_like(rule: Sparing, answer: Answer) -> float:
    """The number of the most similar row that the answer cannot be told from; on a coarse grid if there is none.

    Which row is most similar follows from the predictions, so looking for it gives nothing away.
    """
    for row in sorted(answer.rows, key=lambda row: row.error):
        if abs(row.difference) <= rule.late * row.error:
            return row.shown
    return _on_grid(answer.score, 2 * answer.error) if answer.error else answer.score


def _whole_errors(gain: float, error: float) -> float:
    """A gain in whole standard errors: at least one, as it was judged a gain."""
    return max(1, floor(gain / error)) * error if error else gain


def _on_grid(score: float, step: float) -> float:
    return round(score / step) * step


def _moved(rule: Sparing, answer: Answer, shown: float, behind: float, purse: Purse) -> Disclosed:
    """A new number for the team. Where the phase has come far enough since, it fills the purse."""
    if purse.mark is None:
        purse = Purse(purse.spent, shown)
    elif shown > purse.mark + rule.late * answer.error:
        purse = Purse(0.0, shown)
    return Disclosed(shown, True, Standing(shown, answer.score, behind), purse)
