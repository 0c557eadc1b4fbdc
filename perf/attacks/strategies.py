"""Attackers whose ways are known: they weigh coins, boost random answers, climb hills and stairs.

All are for two labels. What a rule hides they take for unmoved.
"""

from collections.abc import Generator
from math import sqrt

import numpy as np

from perf.attacks.bench import AttackedTask, Claim, Labels, Mask, Seen, Strategy, View, Week
from perf.attacks.detecting_matrix import coins_weighed, decoded, detecting_matrix

Play = Generator[Week, View, Claim]


def number(seen: Seen | None, otherwise: float) -> float:
    """What is shown as a number; of groups the first is the highest; `otherwise` where nothing is."""
    if seen is None or (seen.shown is None and seen.group is None):
        return otherwise
    return float(seen.shown) if seen.shown is not None else -float(seen.group or 0)


def fallback(task: AttackedTask) -> Labels:
    """What is known, and the most frequent label elsewhere."""
    return np.where(task.known >= 0, task.known, int(np.argmax(task.shares)))


class CoinWeighing(Strategy):
    """Scores of chosen subsets, solved for every label: Lindström (1965). One identity, no label known."""

    name = "coin weighing"

    def play(self, task: AttackedTask, random: np.random.Generator) -> Play:
        zeros = np.zeros(task.n, dtype=np.intp)
        view = yield Week({"weigher": zeros})
        shown = number(view.seen.get("weigher"), 0.5)
        first, guess = shown, zeros.copy()
        attacked, certain = np.zeros(task.n, dtype=np.bool_), np.zeros(task.n, dtype=np.bool_)
        begin, left = 0, task.answers - 1
        while left >= 2 and begin < task.n:
            order = int(np.log2(left))
            while order > 1 and coins_weighed(order - 1) >= task.n - begin:
                order -= 1
            design = detecting_matrix(order)[:, : task.n - begin]
            items = slice(begin, begin + design.shape[1])
            sums = []
            for chosen in design:
                answer = zeros.copy()
                answer[items] = chosen
                view = yield Week({"weigher": answer})
                shown = number(view.seen.get("weigher"), shown)
                sums.append((task.n * (shown - first) + chosen.sum()) / 2)
            left -= len(design)
            guess[items], is_sound = decoded(design, np.array(sums), order)
            attacked[items], certain[items] = True, is_sound
            begin = items.stop
        return Claim(guess, attacked, certain, np.where(attacked, guess, fallback(task)))


class Boosting(Strategy):
    """Random answers, added up with what each is shown to be worth: Blum and Hardt (2015), arXiv:1502.04585."""

    def __init__(self, identities: int) -> None:
        self.identities = identities
        self.name = f"boosting, {identities} identities"

    def play(self, task: AttackedTask, random: np.random.Generator) -> Play:
        sent: list[Labels] = []
        worth: list[float] = []
        standing: dict[str, float] = {}
        while len(sent) < task.answers:
            names = [f"booster {at}" for at in range(min(self.identities, task.answers - len(sent)))]
            answers = {
                name: np.where(task.known >= 0, task.known, random.integers(2, size=task.n)) for name in names
            }
            view = yield Week(answers)
            for name, answer in answers.items():
                value = number(view.seen.get(name), 0.5)
                unmoved = name in standing and value == standing[name]
                # What did not move was most likely below what stands there.
                worth.append(0.5 - 0.3 / sqrt(task.n) if unmoved else value)
                standing[name] = value
                sent.append(answer)
        evidence = (np.array(worth) - np.mean(worth)) @ np.where(np.array(sent) > 0, 1.0, -1.0)
        unknown = task.known < 0
        guess = np.where(unknown, evidence > 0, task.known).astype(np.intp)
        return Claim(guess, unknown, np.zeros(task.n, dtype=np.bool_), guess)


class Regression(Strategy):
    """As boosting, by ridge regression of all that was shown on the answers; fresh identities throughout."""

    name = "ridge regression, fresh identities"

    def play(self, task: AttackedTask, random: np.random.Generator) -> Play:
        signs, worth = [], []
        for at in range(task.answers):
            answer = random.integers(2, size=task.n)
            view = yield Week({f"fresh {at}": answer})
            seen = view.seen.get(f"fresh {at}")
            if seen is not None and seen.shown is not None:
                signs.append(np.where(answer > 0, 1.0, -1.0))
                worth.append(seen.shown)
        guess = fallback(task)
        if len(worth) > 1:
            design, values = np.array(signs), np.array(worth) - np.mean(worth)
            weights = np.linalg.solve(design @ design.T + task.n * np.eye(len(values)), values)
            guess = (design.T @ weights > 0).astype(np.intp)
        everything = np.ones(task.n, dtype=np.bool_)
        return Claim(guess, everything, ~everything, guess)


class Climbing(Strategy):
    """Turns some items round and keeps what shows a gain; identities take turns and share what they learn."""

    def __init__(self, step: float, identities: int = 1) -> None:
        self.step, self.identities = step, identities
        self.name = f"climbing, steps of {step:g}, {identities} identities"

    def play(self, task: AttackedTask, random: np.random.Generator) -> Play:
        step = int(self.step) if self.step >= 1 else max(1, round(self.step * task.n))
        begin = np.where(task.known >= 0, task.known, random.integers(2, size=task.n))
        leading: dict[str, Labels] = {}
        shown: dict[str, float] = {}
        evidence, touched = np.zeros(task.n), np.zeros(task.n, dtype=np.bool_)
        sent = 0
        while sent < task.answers:
            answers = {}
            for at in range(min(self.identities, task.answers - sent)):
                answer = leading.get(f"climber {at}", begin).copy()
                items = random.choice(task.n, step, replace=False)
                answer[items] = 1 - answer[items] if leading or at else answer[items]
                answers[f"climber {at}"] = answer
            view = yield Week(answers)
            sent += len(answers)
            for name, answer in answers.items():
                value = number(view.seen.get(name), 0.5)
                if name in leading:
                    items = np.flatnonzero(answer != leading[name])
                    touched[items] = True
                    gain = value - shown[name]
                    push = gain * task.n / max(1, len(items)) if gain else -0.3 / sqrt(max(1, len(items)))
                    evidence[items] += np.where(answer[items] > 0, push, -push)
                if name not in leading or value > shown[name]:
                    leading[name], shown[name] = answer, value
        best = leading[max(shown, key=lambda name: shown[name])]
        guess = np.where(evidence == 0, best, evidence > 0).astype(np.intp)
        return Claim(guess, touched, np.zeros(task.n, dtype=np.bool_), guess)


class Staircase(Strategy):
    """Sure gains: each answer turns one unknown item round and puts known ones right that were wrong before.

    Where what is shown is an exact score the size of the gain is the label; elsewhere the larger half of the gains is
    taken for right. What is read for certain climbs the next stairs.
    """

    FUEL = 6

    def __init__(self, known: float = 24) -> None:
        self.known = known
        self.name = f"staircase, {known:g} known"

    def play(self, task: AttackedTask, random: np.random.Generator) -> Play:
        sure = {int(item): int(task.known[item]) for item in np.flatnonzero(task.known >= 0)}
        waiting = random.permutation(np.flatnonzero(task.known < 0)).tolist()
        guessed: dict[int, int] = {}
        sent = account = 0
        while waiting and sent + 1 < task.answers and len(guessed) < 2 * task.n:
            name, account = f"stairs {account}", account + 1
            answer = random.integers(2, size=task.n)
            for item, label in sure.items():
                answer[item] = 1 - label
            fuel = random.permutation(list(sure)).tolist()
            view = yield Week({name: answer})
            sent += 1
            before, tried = number(view.seen.get(name), 0.5), []
            while len(fuel) >= self.FUEL and waiting and sent < task.answers:
                item = waiting.pop()
                answer = answer.copy()
                answer[item] = 1 - answer[item]
                for known in [fuel.pop() for _ in range(self.FUEL)]:
                    answer[known] = sure[known]
                view = yield Week({name: answer})
                sent += 1
                after = number(view.seen.get(name), before)
                tried.append((item, int(answer[item]), task.n * (after - before)))
                before = after
            for item, label, gain in tried:
                guessed[item] = label if gain > self.FUEL else 1 - label
                if abs(abs(gain - self.FUEL) - 1) < 0.26:
                    sure[item] = guessed[item]
            if not tried:
                break
        guess, attacked, certain = (
            fallback(task),
            np.zeros(task.n, dtype=np.bool_),
            np.zeros(task.n, dtype=np.bool_),
        )
        for item, label in (guessed | sure).items():
            guess[item], attacked[item], certain[item] = label, True, item in sure
        return Claim(guess, attacked, certain, guess)


class Spotlight(Strategy):
    """All questions on a few items, from as many identities as there are answers: each label is asked for many times.

    It knows all other labels, as the bound for a single label supposes.
    """

    known = 0.99

    def __init__(self, items: int = 20) -> None:
        self.items = items
        self.name = f"spotlight on {items} items, the others known"

    def play(self, task: AttackedTask, random: np.random.Generator) -> Play:
        targets = np.flatnonzero(task.known < 0)[: self.items]
        evidence = np.zeros(task.n)
        base = fallback(task)
        for at in range(task.answers):
            answer = base.copy()
            # Something else each time, so that no two answers are the same: known items stay known.
            spoilt = random.choice(np.flatnonzero(task.known >= 0), 3, replace=False)
            answer[spoilt] = 1 - answer[spoilt]
            signs = random.choice([-1.0, 1.0], size=len(targets))
            answer[targets] = signs > 0
            view = yield Week({f"light {at}": answer})
            seen = view.seen.get(f"light {at}")
            if seen is not None and seen.shown is not None:
                right = ((task.known >= 0).sum() - 3) / task.n
                evidence[targets] += signs * (seen.shown - right)
        attacked: Mask = np.zeros(task.n, dtype=np.bool_)
        attacked[targets] = True
        guess = np.where(attacked, evidence > 0, base).astype(np.intp)
        return Claim(guess, attacked, np.zeros(task.n, dtype=np.bool_), guess)


class Differences(Strategy):
    """Two identities, the same answer but for a block of items: the difference of what is shown is the block's sum."""

    def __init__(self, blocks: int = 40) -> None:
        self.blocks = blocks
        self.name = f"differences of {blocks} blocks"

    def play(self, task: AttackedTask, random: np.random.Generator) -> Play:
        order = random.permutation(np.flatnonzero(task.known < 0))
        base, guess = fallback(task), fallback(task)
        attacked = np.zeros(task.n, dtype=np.bool_)
        for at, block in enumerate(np.array_split(order, min(self.blocks, task.answers // 2))):
            other = base.copy()
            other[block] = 1 - other[block]
            view = yield Week({f"left {at}": base, f"right {at}": other})
            left, right = (view.seen.get(f"{side} {at}") for side in ("left", "right"))
            attacked[block] = True
            if (
                left
                and right
                and left.shown is not None
                and right.shown is not None
                and right.shown > left.shown
            ):
                guess[block] = other[block]
        return Claim(guess, attacked, np.zeros(task.n, dtype=np.bool_), guess)


STRATEGIES: list[Strategy] = [
    CoinWeighing(),
    Boosting(1),
    Boosting(20),
    Boosting(500),
    Regression(),
    Climbing(1),
    Climbing(0.05),
    Climbing(0.05, 20),
    Staircase(24),
    Staircase(0.1),
    Spotlight(),
    Differences(),
]
