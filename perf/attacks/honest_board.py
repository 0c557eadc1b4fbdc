"""The price of a disclosure rule: how far an honest board is from the exact one while its phase runs."""

from typing import NamedTuple

import numpy as np
from scipy.stats import kendalltau

from catalogue.disclosure import Rule
from perf.attacks.board import AttackedBoard


class Price(NamedTuple):
    """Points between shown and exact best score, on average and at most; Kendall's tau-b between the two orders."""

    mean: float
    most: float
    tau: float


def price(rule: Rule, *, teams: int, answers: int, items: int, seed: int) -> Price:
    """Teams of differing skill that slowly improve, by turns, on items of differing difficulty.

    One answer of a team has another outcome than the one before in about 5 % of the items.
    """
    random = np.random.default_rng([9, seed])
    board = AttackedBoard(random.random(items) < 0.5, rule, random)
    difficulty = random.normal(size=items)
    skill = random.normal(1.0, 0.4, size=teams)
    habits = random.normal(size=(teams, items))
    best, shown = np.zeros(teams), np.zeros(teams)
    for _ in range(answers):
        for team in range(teams):
            habits[team] = 0.995 * habits[team] + 0.1 * random.normal(size=items)
            skill[team] += abs(random.normal(0.0, 0.02))
            is_right = skill[team] - difficulty + 0.7 * habits[team] > 0
            shown[team] = board.ask(team, np.where(is_right, board.gold, ~board.gold))
            best[team] = is_right.mean() if board.shows_every_score else max(best[team], is_right.mean())
    away = 100 * np.abs(shown - best)
    return Price(float(away.mean()), float(away.max()), float(kendalltau(shown, best).statistic))
