"""The Ladder: only clear gains show."""

from dataclasses import dataclass

import numpy as np

from catalogue.disclosure.rule import Judgement, MissBudget, RowState, Rule, RuleTexts, ScoredAnswer

IN_MAIL = (
    "While the phase runs, a number moves on clear gains alone, and is no exact score: one that stayed where "
    "it was may hide a gain. Exact scores follow with the last release."
)


@dataclass(frozen=True, slots=True)
class Ladder(Rule):
    """The best so far; it moves on a gain of more than one standard error of the paired difference, to the item.

    The parameter-free Ladder of Blum and Hardt (2015), arXiv:1502.04585. Its theorem is about losses that are
    means over items; for other metrics the error is that of the bootstrap, without a theorem.

    Examples
    --------
    >>> random = np.random.default_rng(0)
    >>> first = Ladder().judge(ScoredAnswer(0.70, 1000, 0.0145), RowState(), MissBudget(), random)
    >>> again = ScoredAnswer(0.705, 1000, 0.0145, difference_error=0.007)
    >>> Ladder().judge(again, first.state, first.budget, random).shown
    0.7
    """

    key = "ladder"
    texts = RuleTexts(
        title="Ladder: only clear gains show",
        for_organisers=(
            "A number moves on a gain that is larger than its own uncertainty. Who knows 24 labels reads one more "
            "with almost every answer, without a mistake: all of 150, and 479 with 500 answers on 1,200 or 5,000 "
            "items. An honest gain of one point shows in 98 of 100 cases on 5,000 items."
        ),
        on_board=(
            "a row shows its best answer so far, and moves only on a gain that is larger than its own uncertainty "
            "(one standard error)."
        ),
        on_page=(
            "While the phase runs, each number is the best of a row so far, and it moves only on a gain that is "
            "larger than its own uncertainty. A smaller gain may be real and does not show yet."
        ),
        in_mail=IN_MAIL,
    )
    keeps_best = True

    def judge(
        self, answer: ScoredAnswer, state: RowState, budget: MissBudget, random: np.random.Generator
    ) -> Judgement:
        return moved_by_gain(answer, answer.score, state, budget)


def moved_by_gain(answer: ScoredAnswer, score: float, state: RowState, budget: MissBudget) -> Judgement:
    """The Ladder's judgement of a score: compared with what is shown, as in the paper, and rounded to 1/n."""
    if state.shown is not None:
        if answer.difference_error is None:
            raise ValueError("`difference_error` must be given once a team has a leading answer.")
        if score <= state.shown + answer.difference_error:
            return Judgement(state.shown, False, state, budget)
    shown = round(score * answer.item_count) / answer.item_count
    return Judgement(shown, True, RowState(shown, answer.score), budget)
