"""The sparing rule: a shared budget for misses, and newcomers level with the row most like them."""

from dataclasses import dataclass
from math import floor, inf

import numpy as np

from catalogue.disclosure.ladder import IN_MAIL
from catalogue.disclosure.rule import Judgement, MissBudget, NearRow, RowState, Rule, RuleTexts, ScoredAnswer


@dataclass(frozen=True, slots=True)
class Sparing(Rule):
    """The best so far; it moves on gains that chance seldom brings, and like systems stand level.

    It withstands attackers who know no label. Who knows a few reads the others with answers that are sure to gain
    (`perf/attacks/staircase.py`), because a gain is neither noised nor charged.

    The phase has a budget of `misses`, shared by all teams, so that many accounts are no better than one. While it
    lasts, a gain of `early` standard errors of the paired difference is enough; a miss costs 1, or more where the
    answer differs in more than the usual share of items. When it is spent, `late` standard errors are needed,
    until the phase has shown progress: a number `late` standard errors of a score above the mark of its last
    filling fills it again (alpha-investing: Foster and Stine 2008, doi:10.1111/j.1467-9868.2007.00643.x, with the
    difference that the phase earns, not the team). A gain is shown in whole standard errors; what is left over
    counts with the next.

    An answer that another team's row is more like than the team's own leading one is shown level with that row,
    unless it is more than `alike` standard errors away from it; no decoy can then be outdone again and again. So
    is a team's first answer; away from every row, it is shown to the nearest two standard errors of a score.

    Attributes
    ----------
    early, late : float
        Standard errors of the paired difference; above 0, and `late` at least `early`.
    misses : float
        What the budget holds, at least 0.
    usual : float
        Variance per item of a paired difference that costs 1; for accuracy the share of items of which one of
        two answers is right and the other wrong. Above 0.
    alike : float
        Standard errors within which an answer stands level with the row most like it, at least 0. Below 2,
        accounts around a weak system learn from where they are put; above, boards become coarse.
    """

    key = "sparing"
    texts = RuleTexts(
        title="sparing: clear gains show, and like systems stand level",
        for_organisers=(
            "A number moves on a gain that chance seldom brings. 500 answers of somebody who knows no label win 4 "
            "points on 150 items, 3 on 1,200 and 1 on 5,000. Who knows 24 labels reads the others as under the "
            "Ladder: all of 150, and some 430 with 500 answers on 1,200 or 5,000 items. An honest gain of one point "
            "on 5,000 items shows in 9 of 10 cases. First scores are coarse, systems that cannot be told apart stand "
            "level, and many tries that gain nothing make the phase stricter for everybody."
        ),
        on_board=(
            "a row shows its best answer so far, and moves only on gains that chance seldom brings; rows that cannot "
            "be told apart stand level. Many tries that gain nothing make the phase as a whole stricter."
        ),
        on_page=(
            "While the phase runs, each number is the best of a row so far, and it moves only on a gain that chance "
            "seldom brings. Systems that cannot be told apart stand level, first scores are coarse, and a small gain "
            "may be real and not show yet."
        ),
        in_mail=IN_MAIL,
    )
    keeps_best = True
    compares_rows = True

    early: float = 1.8
    late: float = 3.7
    misses: float = 50.0
    usual: float = 0.06
    alike: float = 2.0

    def __post_init__(self) -> None:
        if not 0 < self.early <= self.late:
            raise ValueError(
                f"`early` must be above 0 and at most `late`; they are {self.early}, {self.late}."
            )
        if not (self.misses >= 0 and self.usual > 0 and self.alike >= 0):
            raise ValueError(
                "`misses` and `alike` must be at least 0 and `usual` above 0; they are "
                f"{self.misses}, {self.alike}, {self.usual}."
            )

    def judge(
        self, answer: ScoredAnswer, state: RowState, budget: MissBudget, random: np.random.Generator
    ) -> Judgement:
        if state.shown is None or state.leader is None:
            like = _like(self, answer, inf)
            # Where no resample changes a score, as when every item is right, there are no steps.
            step = 2 * answer.error
            coarse = round(answer.score / step) * step if step else answer.score
            return _moved(self, answer, coarse if like is None else like.shown, 0.0, budget)
        if answer.difference_error is None:
            raise ValueError("`difference_error` must be given once a team has a leading answer.")
        like = _like(self, answer, answer.difference_error)
        if like is not None:
            if like.shown > state.shown:
                return _moved(self, answer, like.shown, 0.0, budget)
            return Judgement(state.shown, False, state, budget)
        return _beside_its_own(self, answer, state.shown, state, budget)


def _beside_its_own(
    rule: Sparing, answer: ScoredAnswer, shown: float, state: RowState, budget: MissBudget
) -> Judgement:
    gain, error = answer.score - (state.leader or 0.0), answer.difference_error or 0.0
    cost = max(1.0, answer.item_count * error**2 / rule.usual)
    needed = needed_errors(rule, budget, cost)
    if gain > needed * error:
        # In whole standard errors, and at least one, as it was judged a gain.
        whole = gain + state.behind
        step = max(1, floor(whole / error)) * error if error else whole
        return _moved(rule, answer, shown + step, state.behind + gain - step, budget)
    spent = budget.spent + cost if needed < rule.late else budget.spent
    return Judgement(shown, False, state, MissBudget(spent, budget.mark))


def needed_errors(rule: Sparing, budget: MissBudget, cost: float = 1.0) -> float:
    """Standard errors that a gain must exceed to show, for an answer whose miss would cost this much."""
    return rule.early if budget.spent + cost <= rule.misses else rule.late


def _like(rule: Sparing, answer: ScoredAnswer, limit: float) -> NearRow | None:
    """The most similar row within a limit of error that the answer cannot be told from; None if there is none.

    Which rows are similar follows from the predictions alone, so looking for them gives nothing away.
    """
    near = sorted((row for row in answer.rows if row.error < limit), key=lambda row: row.error)
    return next((row for row in near if abs(row.difference) <= rule.alike * row.error), None)


def _moved(rule: Sparing, answer: ScoredAnswer, shown: float, behind: float, budget: MissBudget) -> Judgement:
    """A new number for the team. Where the phase has come far enough since, it fills the budget."""
    if budget.mark is None:
        budget = MissBudget(budget.spent, shown)
    elif shown > budget.mark + rule.late * answer.error:
        budget = MissBudget(0.0, shown)
    return Judgement(shown, True, RowState(shown, answer.score, behind), budget)
