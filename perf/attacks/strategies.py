"""Published attacks on a board, each ending with the best labels that the attacker can write down.

What an attacker is shown is weighed as evidence about each item, answers below the average with the sign turned.
"""

from dataclasses import dataclass
from math import sqrt

import numpy as np

from perf.attacks.board import AttackedBoard, Floats, Labels, mean_below


@dataclass(frozen=True)
class Outcome:
    """The attacker's final labels, and for how many of them there was proof."""

    labels: Labels
    proven: int = 0


def boost(board: AttackedBoard, random: np.random.Generator, *, teams: int, answers: int) -> list[Outcome]:
    """Random answers, and the weighted majority of them (Blum and Hardt 2015, section 4.1, with inversion)."""
    size = len(board.gold)
    spread = 0.5 / sqrt(size)
    asked = random.random((answers, size)) < 0.5
    told = np.zeros(answers)
    shown: dict[int, float] = {}
    for number, labels in enumerate(asked):
        team = number % teams
        limit = (shown.get(team, 0.5) - 0.5) / spread + board.needed() * sqrt(2)
        after = board.ask(team, labels)
        is_told = board.shows_every_score or after != shown.get(team)
        told[number] = after - 0.5 if is_told else spread * mean_below(limit)
        shown[team] = after
    told -= told.mean()
    return [Outcome(told @ np.where(asked, 1.0, -1.0) > 0)]


def climb(
    board: AttackedBoard, random: np.random.Generator, *, teams: int, step: int, answers: int
) -> list[Outcome]:
    """Turn `step` random items of a team's leading answer round, and keep what gains; teams take turns.

    Two outcomes: the sum of the evidence, and the leading answer.
    """
    size = len(board.gold)
    best = random.random(size) < 0.5
    evidence = np.zeros(size)
    leading: dict[int, Labels] = {}
    shown: dict[int, float] = {}
    for number in range(answers):
        team = number % teams
        if team not in leading:
            leading[team] = _turned(best, step, random) if number else best
            shown[team] = board.ask(team, leading[team])
            continue
        asked = _turned(leading[team], step, random)
        miss = 0.0 if board.shows_every_score else mean_below(board.needed())
        gain = board.ask(team, asked) - shown[team]
        _weigh(evidence, asked, leading[team], gain, miss)
        if gain > 0:
            leading[team], shown[team] = asked, shown[team] + gain
            best = asked if shown[team] >= max(shown.values()) else best
    return [Outcome(np.where(evidence == 0, best, evidence > 0)), Outcome(best)]


def _turned(labels: Labels, step: int, random: np.random.Generator) -> Labels:
    turned = labels.copy()
    items = random.integers(len(labels), size=step)
    turned[items] = ~labels[items]
    return turned


def _weigh(evidence: Floats, asked: Labels, leader: Labels, gain: float, miss: float) -> None:
    """A gain is the sum of the signs of the items that differ; where none is shown, `miss` errors are likely."""
    items = np.flatnonzero(asked != leader)
    if len(items):
        mean = gain * len(asked) / len(items) if gain else miss / sqrt(len(items))
        evidence[items] += np.where(asked[items], mean, -mean)


def probe(
    board: AttackedBoard, random: np.random.Generator, *, share: float, step: int, answers: int
) -> list[Outcome]:
    """Many accounts around a real system that is right in `share` of the items, one answer each.

    Each turns other items round, so many that the board's next number is about to be shown. How much the evidence
    should weigh is chosen in hindsight: an upper bound.
    """
    size = len(board.gold)
    is_right = random.permutation(size) < round(share * size)
    model = np.where(is_right, board.gold, ~board.gold)
    asked = np.array([model, *(_turned(model, step, random) for _ in range(answers - 1))])
    told = np.array([board.ask(team, labels) for team, labels in enumerate(asked)])
    evidence = (told - told.mean()) @ np.where(asked, 1.0, -1.0)
    return _with_prior(model, evidence)


def outdo(
    board: AttackedBoard, random: np.random.Generator, *, share: float, step: int, answers: int, tries: int
) -> list[Outcome]:
    """As `probe`, with a decoy from each account that is known to be worse, and some tries to outdo it.

    How much worse is found on the way, so that an answer is as likely to show a gain as not.
    """
    size = len(board.gold)
    is_right = random.permutation(size) < round(share * size)
    model = np.where(is_right, board.gold, ~board.gold)
    order = random.permutation(size)
    asked, told = [], []
    spoilt, account, left, before = 2 * step, 0, 0, 0.0
    for _ in range(answers):
        if not left:
            decoy = model.copy()
            decoy[order[:spoilt]] ^= True
            account, left = account + 1, tries
            before = board.ask(account, decoy)
            continue
        asked.append(_turned(model, step, random))
        told.append(board.ask(account, asked[-1]) > before)
        left = 0 if told[-1] else left - 1
        spoilt = min(max(spoilt + (-20 if told[-1] else 20), step // 2), size)
    evidence = (np.array(told) - np.mean(told)) @ np.where(asked, 1.0, -1.0)
    return _with_prior(model, evidence)


def _with_prior(model: Labels, evidence: Floats) -> list[Outcome]:
    """A system's labels, overruled where the evidence is strong enough, for several opinions of what is enough."""
    prior, evidence = np.where(model, 1.0, -1.0), evidence / (evidence.std() or 1.0)
    return [Outcome(prior + weight * evidence > 0) for weight in (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0)]
