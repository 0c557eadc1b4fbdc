"""The Ladder with noise."""

from dataclasses import dataclass

import numpy as np

from catalogue.disclosure.ladder import IN_MAIL, moved_by_gain
from catalogue.disclosure.rule import (
    DEFAULT_SETTINGS,
    Judgement,
    MissBudget,
    RowState,
    Rule,
    RuleSettings,
    RuleTexts,
    ScoredAnswer,
    read_share,
)
from catalogue.section import Section

LARGEST_SCALE = 10.0


@dataclass(frozen=True, slots=True)
class NoisyLadder(Rule):
    """The Ladder, with Laplace noise on every score before it is judged; what is shown carries it too.

    The noise is drawn anew for every account, so many accounts average it out.

    Attributes
    ----------
    scale : float
        Scale of the noise in standard errors of the score itself, above 0.
    """

    key = "noisy_ladder"
    texts = RuleTexts(
        title="Ladder with noise",
        for_organisers=(
            "Noise on every score, so that the order of close systems is partly drawn by lot. 500 answers from 500 "
            "accounts win 41 points on 150 items, 17 on 1,200 and 9 on 5,000; from one account 7, 3 and 1. An honest "
            "gain of one point on 5,000 items shows in 8 of 10 cases at first, and in 2 of 10 on a team's 50th "
            "answer."
        ),
        on_board=(
            "a row shows its best answer so far, and moves only on clear gains, judged with random noise."
        ),
        on_page=(
            "While the phase runs, each number is the best of a row so far. It moves only on clear gains, which are "
            "judged with some random noise added: a real gain may not show yet, and a chance one may."
        ),
        in_mail=IN_MAIL,
    )
    keeps_best = True
    is_random = True
    setting = "scale"

    scale: float = 0.7

    def __post_init__(self) -> None:
        if not self.scale > 0:
            raise ValueError(f"`scale` must be above 0; it is {self.scale}.")

    def judge(
        self, answer: ScoredAnswer, state: RowState, budget: MissBudget, random: np.random.Generator
    ) -> Judgement:
        noise = float(random.laplace(0.0, self.scale * answer.error)) if answer.error else 0.0
        return moved_by_gain(answer, answer.score + noise, state, budget)

    @classmethod
    def declared(cls, section: Section) -> RuleSettings:
        found = read_share(section, "scale", LARGEST_SCALE) if section.has("scale") else 0.0
        return RuleSettings(scale=found) if found else DEFAULT_SETTINGS
