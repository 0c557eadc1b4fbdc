"""Exact scores."""

from dataclasses import dataclass

import numpy as np

from catalogue.disclosure.rule import Judgement, MissBudget, RowState, Rule, RuleTexts, ScoredAnswer


@dataclass(frozen=True, slots=True)
class Exact(Rule):
    """Every answer's own score. Any 1,025 well-chosen answers give away 5,000 labels."""

    key = "exact"
    texts = RuleTexts(
        title="exact scores",
        for_organisers=(
            "Every score as it is, with intervals, all metrics and tests. Right where a phase is scored once, at its "
            "close, or where the labels are public. Scored week by week it gives the labels away: 65 answers that "
            "are made for it tell all of 150 labels, 321 all of 1,200, and 1,025 all of 5,000."
        ),
        on_board="exact scores are shown.",
        on_page="",
        in_mail="",
    )
    shows_all = True
    keeps_best = False

    def judge(
        self, answer: ScoredAnswer, state: RowState, budget: MissBudget, random: np.random.Generator
    ) -> Judgement:
        return Judgement(answer.score, True, RowState(answer.score, answer.score), budget)
