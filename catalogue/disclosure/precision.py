"""Rounded scores."""

from dataclasses import dataclass

import numpy as np

from catalogue.disclosure.rule import (
    Judgement,
    MissBudget,
    RowState,
    Rule,
    RuleSettings,
    RuleTexts,
    ScoredAnswer,
)
from catalogue.section import Section

MOST_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Precision(Rule):
    """Every answer's own score, rounded. No protection with two or three decimals; it is for reading.

    Attributes
    ----------
    digits : int
        Decimals of the score, 1 to 15; definitions may ask for 6 at most.
    """

    key = "precision"
    texts = RuleTexts(
        title="rounded scores",
        for_organisers=(
            "Easier to read, and hardly any protection: with 3 decimals, 65 answers still tell all of 150 labels; "
            "500 win 24 points on 1,200 items and 12 on 5,000."
        ),
        on_board="scores are rounded to {digits} decimals.",
        on_page="Scores are rounded to {digits} decimals while the phase runs.",
        in_mail="Scores are rounded while the phase runs. Exact ones follow with its last release.",
    )
    keeps_best = False
    setting = "digits"

    digits: int

    def __post_init__(self) -> None:
        if not 1 <= self.digits <= 15:
            raise ValueError(f"`digits` must be 1 to 15; it is {self.digits}.")

    def judge(
        self, answer: ScoredAnswer, state: RowState, budget: MissBudget, random: np.random.Generator
    ) -> Judgement:
        shown = round(answer.score, self.digits)
        return Judgement(shown, True, RowState(shown, shown), budget)

    @property
    def decimals(self) -> int:
        return self.digits

    @classmethod
    def declared(cls, section: Section) -> RuleSettings:
        return RuleSettings(digits=section.number("digits", low=1, high=MOST_DIGITS))
