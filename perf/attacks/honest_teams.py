"""What a rule shows to teams that take part honestly."""

from collections.abc import Callable

import numpy as np

from perf.attacks.bench import AskedRule, Labels, Mask

TEAMS = 20
WEEKS = 8
CHANGED = 0.05  # of the items, between two answers of a team


def shares_that_show(make: Callable[[], AskedRule], *, n: int, seed: int, gain: float) -> float:
    """The share of teams whose row rises after a second answer that is better by `gain` (0.01: a point of accuracy).

    Twenty teams with systems of accuracy .7 to .9 hand in one answer in each of two weeks; a twentieth of the
    outcomes differs between the two. A team that nothing is shown of did not rise.
    """
    random = np.random.default_rng([17, seed, n])
    gold = random.integers(2, size=n)
    rule = make()
    rule.begin(gold, 2, "accuracy", int(random.integers(2**31)))
    first = {
        f"team {at}": random.random(n) < accuracy for at, accuracy in enumerate(np.linspace(0.7, 0.9, TEAMS))
    }
    second = {
        name: _changed(right, (CHANGED - gain) / 2, (CHANGED + gain) / 2, random)
        for name, right in first.items()
    }
    before = rule.show(0, {name: _answer(gold, right) for name, right in first.items()})
    after = rule.show(1, {name: _answer(gold, right) for name, right in second.items()})
    rose = [
        before[name].shown is not None
        and after[name].shown is not None
        and after[name].shown > before[name].shown
        for name in first
    ]
    return float(np.mean(rose))


def tau_of_board(make: Callable[[], AskedRule], *, n: int, seed: int) -> tuple[float, float]:
    """Kendall's tau of a board after some weeks, and of the last release, with the order of the teams' true skills.

    Twenty teams with skills over ten points improve by half a point a week; half of the items are hard for all alike.
    """
    random = np.random.default_rng([18, seed, n])
    gold = random.integers(2, size=n)
    rule = make()
    rule.begin(gold, 2, "accuracy", int(random.integers(2**31)))
    skill = random.permutation(np.linspace(0.70, 0.80, TEAMS))
    common, own = random.random(n), random.random((TEAMS, n))
    shown: dict[str, float] = {}
    answers: dict[str, Labels] = {}
    for week in range(WEEKS):
        answers = {}
        for team in range(TEAMS):
            fresh = random.random(n) < 0.03
            own[team][fresh] = random.random(int(fresh.sum()))
            level = np.where(own[team] < 0.5, common, (own[team] - 0.5) * 2)
            answers[f"team {team}"] = _answer(gold, level < skill[team] - 0.005 * (WEEKS - 1 - week))
        seen = rule.show(week, answers)
        shown |= {name: one.shown for name, one in seen.items() if one.shown is not None}
    end = {name: one.shown for name, one in rule.show(WEEKS, answers, last=True).items()}
    return _tau(shown, skill), _tau(end, skill)


def _tau(shown: dict[str, float], skill: np.ndarray) -> float:
    values = np.array([shown.get(f"team {team}", 0.0) for team in range(len(skill))])
    signs = np.sign(values[:, None] - values) * np.sign(skill[:, None] - skill)
    return float(signs[np.triu_indices(len(skill), 1)].mean())


def _answer(gold: Labels, right: Mask) -> Labels:
    return np.where(right, gold, 1 - gold)


def _changed(right: Mask, lost: float, won: float, random: np.random.Generator) -> Mask:
    """The outcomes of another answer: these shares of all items are lost and won."""
    accuracy, dice = right.mean(), random.random(len(right))
    after: Mask = np.where(right, dice >= lost / accuracy, dice < won / (1 - accuracy))
    return after
