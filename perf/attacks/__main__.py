"""How much of a test set 500 adversarial answers win under each disclosure rule, and what that costs the honest.

Run it from the project's folder: `python -m perf.attacks` (90 seconds of one core), or with `--quick` for a
glance. The task has two labels, half of the 5,000 items each; nobody has a system but in the last attack. Every
figure is a mean over seeded boards: the attacker's final labels against a coin's (points of accuracy), and the
bits that they hold, n * (1 - H2(accuracy)). Of step sizes and of ways to end, the attacker's best is taken, in
hindsight.
"""

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import astuple
from functools import partial
from math import log2, sqrt
from typing import NamedTuple

import numpy as np

from catalogue.disclosure import Exact, Ladder, NoisyLadder, Precision, Rule, Sparing
from catalogue.disclosure.rule import MissBudget, RowState, ScoredAnswer
from perf.attacks.board import AttackedBoard
from perf.attacks.coin_weighing import weigh_coins
from perf.attacks.honest_board import price
from perf.attacks.staircase import climb_stairs
from perf.attacks.strategies import Outcome, boost, climb, outdo, probe

ITEMS = 5_000
ANSWERS = 500
BLOCKS = (8, 7, 6, 5)  # 481 weighings of 1,744 items
RULES: dict[str, Rule] = {
    "exact": Exact(),
    "3 decimals": Precision(3),
    "2 decimals": Precision(2),
    "Ladder": Ladder(),
    "noisy Ladder": NoisyLadder(),
    "sparing": Sparing(),
}
STEPS = (25, 100, 250, 1_000)

Attack = Callable[[AttackedBoard, np.random.Generator], Iterable[Outcome]]


class Loss(NamedTuple):
    """What a strategy wins on average: points over where it began, bits, labels with certainty."""

    points: float
    bits: float
    proven: float

    def __str__(self) -> str:
        return f"{self.points:.1f} / {self.bits:.1f} / {self.proven:.0f}"


def strategies(answers: int, steps: Sequence[int], blocks: tuple[int, ...]) -> dict[str, list[Attack]]:
    """Each strategy in the variants among which the attacker chooses."""

    def for_teams(teams: int) -> list[Attack]:
        climbing = [partial(climb, teams=teams, step=step, answers=answers) for step in steps]
        return [partial(boost, teams=teams, answers=answers), *climbing]

    weighing, alone = _weighing(blocks), for_teams(1)
    return {
        "majority boosting": alone[:1],
        "hill climbing": alone[1:],
        "coin weighing": weighing,
        "coin weighing, macro-F1": weighing,
        "20 accounts": for_teams(20),
        "100 accounts": for_teams(100),
        "500 accounts": for_teams(500),
    }


def _weighing(blocks: tuple[int, ...]) -> list[Attack]:
    return [lambda board, _: [weigh_coins(board, blocks)]]


def loss(
    rule: Rule, attacks: list[Attack], *, boards: int, metric: str = "accuracy", items: int = ITEMS
) -> Loss:
    """The variant and the ending that win most on average over seeded boards."""
    return max(_ending(rule, attack, boards, metric, items) for attack in attacks)


def _ending(rule: Rule, attack: Attack, boards: int, metric: str, items: int) -> Loss:
    shares, proven = [], []
    for number in range(boards):
        random = np.random.default_rng([18, number])
        board = AttackedBoard(random.random(items) < 0.5, rule, random, metric)
        ends = list(attack(board, random))
        shares.append([float((end.labels == board.gold).mean()) for end in ends])
        proven.append(ends[0].proven)
    ending = np.array(shares)
    best = int(ending.mean(axis=0).argmax())
    bits = [items * (1 - _entropy(max(share, 0.5))) for share in ending[:, best]]
    return Loss(100 * float(ending[:, best].mean() - 0.5), float(np.mean(bits)), float(np.mean(proven)))


def _entropy(share: float) -> float:
    """Of a coin that shows heads with this probability, in bits."""
    return 0.0 if share >= 1 else -share * log2(share) - (1 - share) * log2(1 - share)


def honest_chance(
    rule: Rule,
    number: int,
    *,
    gain: float = 0.01,
    teams: int = 2_000,
    spent: float = 0.0,
    apart: float = 0.05,
) -> float:
    """Share of honest teams of which an answer that is better by `gain` shows as higher.

    It is the `number`-th after their first. All between were no better and no worse than the leading one; each
    answer differs from the leading one in the outcome of `apart` of the items. Others spent `spent` of the budget.
    """
    random = np.random.default_rng([7, number])
    shown = 0
    for _ in range(teams):
        first = rule.judge(_answer(0.8, None), RowState(), MissBudget(), random)
        standing, budget = first.state, MissBudget(spent, first.budget.mark)
        for _ in range(number - 1):
            answered = rule.judge(_next(standing, 0.0, apart, random), standing, budget, random)
            standing, budget = answered.state, answered.budget
        before = standing.shown or 0.0
        answered = rule.judge(_next(standing, gain, apart, random), standing, budget, random)
        shown += answered.shown > before
    return shown / teams


def _answer(score: float, error: float | None) -> ScoredAnswer:
    return ScoredAnswer(score, ITEMS, sqrt(score * (1 - score) / ITEMS), error)


def _next(standing: RowState, gain: float, apart: float, random: np.random.Generator) -> ScoredAnswer:
    """An answer that is wrong where the leading one is right, or the other way round, in some of the items."""
    lost, won = (apart - gain) / 2, (apart + gain) / 2
    counts = random.multinomial(ITEMS, [lost, won, 1 - apart])
    found = float(counts[1] - counts[0]) / ITEMS
    variance = float(counts[0] + counts[1]) / ITEMS - found**2
    return _answer((standing.leader or 0.0) + found, sqrt(variance / ITEMS))


def main(*, is_quick: bool) -> None:
    boards, answers, steps = (1, 60, STEPS[2:3]) if is_quick else (12, ANSWERS, STEPS)
    print(
        f"{answers} answers on {ITEMS} items, mean of {boards} boards: points / bits / labels with certainty"
    )
    _line("", RULES)
    for name, attacks in strategies(answers, steps, BLOCKS[2:] if is_quick else BLOCKS).items():
        metric = "macro-F1" if "macro-F1" in name else "accuracy"
        several = min(boards, 2) if "coin" in name else boards
        _line(name, (str(loss(rule, attacks, boards=several, metric=metric)) for rule in RULES.values()))
    few = (str(loss(rule, _weighing((6,)), boards=2, items=150)) for rule in RULES.values())
    _line("65 weighings, n=150", few)
    _print_staircase(answers=answers, boards=boards)
    print("\nHonest gain of 1 point, 5 % of the outcomes differ: shows in ... of 100 cases")
    for number in (1, 10, 50):
        chances = (honest_chance(rule, number, teams=20 if is_quick else 2_000) for rule in RULES.values())
        _line(f"answer {number} after the first", (f"{100 * chance:.1f}" for chance in chances))
    _print_price(is_quick=is_quick)
    _print_limits(is_quick=is_quick)


def _line(name: str, cells: Iterable[str]) -> None:
    print(f"{name:<24}" + "".join(f"{cell:>20}" for cell in cells), flush=True)


def _print_staircase(*, answers: int, boards: int) -> None:
    """What an attacker reads who knows 24 labels: named rightly / attacked / claimed as certain, of which wrong."""
    print("\nStaircase, 24 labels known: labels right / attacked / certain - of these wrong")
    for items in (150, 1_200, ITEMS):
        cells = []
        for rule in RULES.values():
            readings = []
            for number in range(boards):
                random = np.random.default_rng([18, number])
                board = AttackedBoard(random.random(items) < 0.5, rule, random)
                readings.append(climb_stairs(board, random, known=24, answers=answers))
            right, attacked, certain, wrong = np.mean([astuple(one) for one in readings], axis=0)
            cells.append(f"{right:.0f} / {attacked:.0f} / {certain:.0f} - {wrong:.0f}")
        _line(f"{items} items", cells)


def _print_price(*, is_quick: bool) -> None:
    """What honest readers miss while a phase runs."""
    print(
        "\nHonest boards: points between shown and exact best score, mean / most, and Kendall's tau of the orders"
    )
    for teams, answers in ((5, 20), (20, 10), (60, 5)):
        seeds = range(1 if is_quick else 3)
        size, each = (2, 2) if is_quick else (teams, answers)
        found = [
            np.mean([price(rule, teams=size, answers=each, items=ITEMS, seed=seed) for seed in seeds], axis=0)
            for rule in RULES.values()
        ]
        cells = (f"{mean:.1f} / {most:.1f} / {tau:.2f}" for mean, most, tau in found)
        _line(f"{teams} teams, {answers} answers", cells)


def _print_limits(*, is_quick: bool) -> None:
    """Where the sparing rule ends: other budgets, a budget that others emptied, attackers who have a system."""
    boards, answers = (1, 60) if is_quick else (12, ANSWERS)
    worst = strategies(answers, (250,), ())
    print(
        "\nSparing, by what the budget holds: points / bits of one account, of 20 (steps of 250); honest answer 50"
    )
    for misses in (0.0, 25.0, 50.0, 100.0, 200.0, 500.0):
        budget = Sparing(misses=misses)
        one, many = (loss(budget, worst[name], boards=boards) for name in ("hill climbing", "20 accounts"))
        chance = 100 * honest_chance(budget, 50, teams=20 if is_quick else 2_000)
        cells = f"{one.points:.1f} / {one.bits:.1f}   {many.points:.1f} / {many.bits:.1f}   {chance:.1f}"
        print(f"  {misses:4.0f} misses   {cells}")
    print("\nSparing with a budget that others emptied: an honest gain of ... points shows in ... of 100")
    for gain in (0.01, 0.0125, 0.015, 0.02):
        chance = honest_chance(Sparing(), 1, gain=gain, spent=50.0, teams=20 if is_quick else 2_000)
        print(f"  {100 * gain:4.2f}   {100 * chance:.1f}")
    print("\nMany accounts around a system that is right in ... of 100: points over it")
    for share in (0.55, 0.7):
        tried: list[Callable[..., list[Outcome]]] = [probe, partial(outdo, tries=1), partial(outdo, tries=4)]
        around: list[Attack] = [
            partial(attack, share=share, step=step, answers=answers)
            for attack in tried
            for step in (100, 250, 1_000)
        ]
        losses = {name: loss(rule, around, boards=min(boards, 3)) for name, rule in RULES.items()}
        over = (f"{name} {found.points + 50 - 100 * share:.1f}" for name, found in losses.items())
        print(f"  {100 * share:.0f}   " + "   ".join(over), flush=True)


if __name__ == "__main__":
    main(is_quick="--quick" in sys.argv[1:])
