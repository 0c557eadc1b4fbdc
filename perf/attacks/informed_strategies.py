"""Attackers who know how the rules of disclosure work, and go for what these leave open. All are for two labels."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from perf.attacks.bench import AttackedTask, Claim, Labels, Mask, Strategy, View, Week
from perf.attacks.detecting_matrix import Floats, coins_weighed, decoded, detecting_matrix
from perf.attacks.strategies import Play, fallback


@dataclass(frozen=True, slots=True)
class _Weighing:
    """A block of items, and what was shown of the answers that weigh it."""

    begin: int
    order: int
    design: NDArray[np.bool_]
    shown: Floats


class WeighingInThree(Strategy):
    """Coin weighing where half of the items are kept back: a coin is of the first label, kept back, or of the second.

    How many items are displayed follows from the numbers too. It names the labels of displayed items alone. From as
    many identities as there are answers, so that each shows its own number.
    """

    name = "coin weighing in three kinds"

    def play(self, task: AttackedTask, random: np.random.Generator) -> Play:
        zeros = np.zeros(task.n, dtype=np.intp)
        view = yield Week({"first": zeros})
        first = _shown(view, "first")
        weighings: list[_Weighing] = []
        begin, left = 0, task.answers - 1
        while left >= 2 and begin < task.n:
            order = int(np.log2(left))
            while order > 1 and coins_weighed(order - 1, 3) >= task.n - begin:
                order -= 1
            design = detecting_matrix(order, 3)[:, : task.n - begin]
            items = slice(begin, begin + design.shape[1])
            shown = []
            for at, chosen in enumerate(design):
                answer = zeros.copy()
                answer[items] = chosen
                name = f"{begin} {at}"
                view = yield Week({name: answer})
                shown.append(_shown(view, name))
            weighings.append(_Weighing(begin, order, design, np.array(shown)))
            left, begin = left - len(design), items.stop
        return self._read(task, first, weighings)

    @staticmethod
    def _read(task: AttackedTask, first: float, weighings: Sequence[_Weighing]) -> Claim:
        values = np.concatenate([[first], *(weighing.shown for weighing in weighings)])
        guess = fallback(task)
        attacked: Mask = np.zeros(task.n, dtype=np.bool_)
        certain: Mask = np.zeros(task.n, dtype=np.bool_)
        if np.isnan(values).any():  # nothing can be solved
            return Claim(guess, attacked, certain, guess)
        best: list[tuple[Labels, bool]] = []
        for displayed in _displayed_counts(task.n, values):
            reading = _read(weighings, first, displayed)
            if not best or _sound(reading) > _sound(best):
                best = reading
            if _sound(best) == len(weighings):
                break
        for weighing, (kinds, is_sound) in zip(weighings, best, strict=True):
            items = slice(weighing.begin, weighing.begin + len(kinds))
            attacked[items], certain[items] = kinds != 1, (kinds != 1) & is_sound
            guess[items] = np.where(kinds == 1, guess[items], kinds // 2)
        return Claim(guess, attacked, certain, guess)


def _read(weighings: Sequence[_Weighing], first: float, displayed: int) -> list[tuple[Labels, bool]]:
    """The kinds of the items of each weighing, and whether they add up, if so many items are displayed."""
    return [
        decoded(
            weighing.design,
            displayed * (weighing.shown - first) + weighing.design.sum(axis=1),
            weighing.order,
            kinds=3,
        )
        for weighing in weighings
    ]


def _sound(reading: Sequence[tuple[Labels, bool]]) -> int:
    """How many weighings add up."""
    return sum(is_sound for _kinds, is_sound in reading)


def _displayed_counts(n: int, values: Floats) -> list[int]:
    """How many items an accuracy may be of that takes these values, about half of them or all; the likeliest first."""
    about = np.arange(max(1, int(n / 2 - 2.5 * sqrt(n))), int(n / 2 + 2.5 * sqrt(n)) + 1)
    sizes = np.append(about, n)
    counts = sizes[:, None] * values
    likeliest: list[int] = sizes[np.abs(counts - np.round(counts)).mean(axis=1).argsort()[:20]].tolist()
    return likeliest


def _shown(view: View, name: str) -> float:
    """The number that a row shows, or nan."""
    seen = view.seen.get(name)
    return float("nan") if seen is None or seen.shown is None else float(seen.shown)


class Searchlight(Strategy):
    """Random answers on some items only, from as many identities, so that the others make no noise; least squares.

    Of `items` it names the `named` that it is surest of, or all.
    """

    def __init__(self, items: int, named: int | None = None, known: float = 0) -> None:
        self.items, self.named, self.known = items, named, known
        self.name = f"searchlight on {items} items"
        if named:
            self.name += f", the {named} surest" if named > 1 else ", the surest one"
        if known:
            self.name += ", the others known"

    def play(self, task: AttackedTask, random: np.random.Generator) -> Play:
        targets = random.permutation(np.flatnonzero(task.known < 0))[: self.items]
        base: Labels = np.where(task.known >= 0, task.known, random.integers(2, size=task.n))
        signs, shown = [], []
        for at in range(task.answers):
            sign = random.choice([-1.0, 1.0], size=len(targets))
            answer = base.copy()
            answer[targets] = sign > 0
            # The same signs come again where targets are few; what differs in a displayed item has noise of its own.
            if self.known:
                spoilt = random.choice(np.flatnonzero(task.known >= 0), 6, replace=False)
                answer[spoilt] = 1 - answer[spoilt]
            view = yield Week({f"light {at}": answer})
            value = _shown(view, f"light {at}")
            if not np.isnan(value):
                signs.append(sign)
                shown.append(value)
        weights = self._weights(task.n, np.array(signs), np.array(shown)) if signs else np.zeros(len(targets))
        named = targets[np.argsort(-np.abs(weights))[: self.named]]
        attacked: Mask = np.zeros(task.n, dtype=np.bool_)
        attacked[named] = True
        guess = fallback(task)
        guess[targets] = np.where(weights == 0, guess[targets], weights > 0)
        return Claim(guess, attacked, np.zeros(task.n, dtype=np.bool_), guess)

    @staticmethod
    def _weights(n: int, signs: Floats, shown: Floats) -> Floats:
        """Per target, its mean given what was shown: it adds half an item either way, or nothing if it is kept back.

        The noise is taken for that of the rule `protected`.
        """
        half = n / 2
        noise = 0.21**2 * half * (1 + 1 / 12)
        gram = 0.125 * signs @ signs.T + noise * np.eye(len(shown))
        weights: Floats = 0.125 * signs.T @ np.linalg.solve(gram, half * (shown - shown.mean()))
        return weights


INFORMED: list[Strategy] = [
    WeighingInThree(),
    Searchlight(400),
    Searchlight(2_500, named=400),
    Searchlight(20, named=1, known=0.99),
]
