"""The staircase: every answer is a sure gain, and by how much the row moves tells a label.

An answer turns one unknown item round and puts six known ones right that were wrong before, so it gains seven items or
five. Rules without noise are public and deterministic, so the attacker computes what either gain would show, and
strikes out what was not shown. What is read in one account is what the next one climbs with.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import sqrt

import numpy as np

from catalogue.disclosure import NoisyLadder, Sparing
from catalogue.disclosure.rule import RowState, ScoredAnswer
from perf.attacks.board import AttackedBoard, Floats

STEP = 6
PUBLISHED = 4
"""Decimals of a number on a board."""


@dataclass(frozen=True)
class Reading:
    """How many labels are named rightly, of how many that were attacked, and how many are claimed as certain."""

    right: int
    attacked: int
    certain: int
    certain_and_wrong: int


def climb_stairs(board: AttackedBoard, random: np.random.Generator, *, known: int, answers: int) -> Reading:
    """Read the labels of a board, starting from `known` of them, with at most so many answers."""
    size = len(board.gold)
    order = random.permutation(size)
    sure = {int(item): bool(board.gold[item]) for item in order[:known]}
    unknown, guessed = [int(item) for item in order[known:]], dict[int, bool]()
    account, left, failures = 0, answers, 0
    while unknown and left > 1 and failures < 3:
        before = len(sure)
        chances, sent = _climb(board, random, account, sure, unknown, left)
        left -= sent
        for item, chance in chances.items():
            guessed[item] = chance > 0.5
            if chance in (0.0, 1.0):
                sure[item] = guessed[item]
            else:
                unknown.append(item)
        account += 1
        failures = 0 if len(sure) > before else failures + 1
    claimed = [item for item in sure if item not in order[:known]]
    wrong = sum(sure[item] != board.gold[item] for item in claimed)
    right = sum(bool(board.gold[item]) == label for item, label in guessed.items())
    return Reading(right, len(guessed), len(claimed), wrong)


def _climb(
    board: AttackedBoard,
    random: np.random.Generator,
    account: int,
    sure: dict[int, bool],
    unknown: list[int],
    left: int,
) -> tuple[dict[int, float], int]:
    """One account's stairs: for each item, the chance that its label is 1; and how many answers were sent."""
    labels = random.random(len(board.gold)) < 0.5
    for item, label in sure.items():
        labels[item] = not label
    steps = random.permutation(list(sure))
    worlds = _Worlds(board, round(board.ask(account, labels), PUBLISHED))
    asked: list[tuple[int, bool]] = []
    for begin in range(0, len(steps) - STEP + 1, STEP):
        if not unknown or len(asked) + 1 >= left:
            break
        item = unknown.pop(0)
        labels = labels.copy()
        labels[item] = not labels[item]
        for one in steps[begin : begin + STEP].tolist():
            labels[one] = sure[one]
        asked.append((item, bool(labels[item])))
        worlds.see(round(board.ask(account, labels), PUBLISHED))
    chances = worlds.chances_of_more().tolist()
    answered = zip(asked, chances, strict=True)
    return {item: chance if label else 1 - chance for (item, label), chance in answered}, len(asked) + 1


class _Worlds:
    """What may lie behind the numbers of one row: for each standing its ways, and how many have each larger gain."""

    def __init__(self, board: AttackedBoard, shown: float) -> None:
        self._board, self._size = board, len(board.gold)
        self._ways: dict[RowState, Floats] = {standing: np.ones(1) for standing in self._first(shown)}

    def _first(self, shown: float) -> Iterator[RowState]:
        """Standings that a first answer can have; under the sparing rule differences alone count, so one is enough."""
        if isinstance(self._board.rule, Sparing | NoisyLadder):
            yield RowState(shown, 0.5)
            return
        for count in range(self._size + 1):
            standing = self._after(RowState(), count / self._size, None)
            if abs((standing.shown or 0.0) - shown) < 10.0**-PUBLISHED:
                yield standing

    def _after(self, standing: RowState, score: float, difference_error: float | None) -> RowState:
        answer = ScoredAnswer(score, self._size, 0.5 / sqrt(self._size), difference_error)
        return self._board.rule.judge(answer, standing, self._board.budget, self._board.random).state

    def see(self, shown: float) -> None:
        """Keep the worlds that show this after an answer that gains seven items or five."""
        after: dict[RowState, Floats] = {}
        for standing, ways in self._ways.items():
            for is_more, count in ((1.0, STEP + 1), (0.0, STEP - 1)):
                gain = count / self._size
                error = sqrt(max((STEP + 1) / self._size - gain**2, 0.0) / self._size)
                found = self._after(standing, (standing.leader or 0.0) + gain, error)
                if abs((found.shown or 0.0) - shown) < 10.0**-PUBLISHED:
                    key = replace(
                        found, shown=shown, leader=_near(found.leader), behind=_near(found.behind) or 0.0
                    )
                    after[key] = after.get(key, 0.0) + np.append(ways, is_more * ways[0])
        # Under noise no world need fit: then the answer told nothing, and every standing stays as it was.
        told_nothing = {standing: np.append(ways, ways[0] / 2) for standing, ways in self._ways.items()}
        self._ways = after or told_nothing

    def chances_of_more(self) -> Floats:
        """For each answer but the first, the share of the ways in which it gained seven items."""
        total: Floats = np.sum(list(self._ways.values()), axis=0)
        chances: Floats = total[1:] / total[0]
        return chances


def _near(value: float | None) -> float | None:
    return None if value is None else round(value, 9)
