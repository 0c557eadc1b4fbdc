"""The game between a rule of disclosure and whoever asks it: what both sides speak, and one match.

A rule knows the gold labels and decides what everybody sees of the answers of a week. A strategy sees that and nothing
else; it is a generator that yields weeks and returns a claim. Neither knows more of the other than the names below.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Labels = NDArray[np.intp]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class AttackedTask:
    """What is public of a task, and what the attacker knows.

    `known` has the true label of each item, or -1; `answers` is how many the strategy may send over all identities;
    `parts` how many tasks of equal size stand behind one average.
    """

    n: int
    labels: int
    metric: str
    shares: tuple[float, ...]
    answers: int
    known: Labels
    parts: int = 1


@dataclass(frozen=True)
class Seen:
    """What everybody sees of an identity: a number, or a place among groups (1 is best), or neither."""

    shown: float | None = None
    group: int | None = None
    moved: bool = False


@dataclass(frozen=True)
class Week:
    """The answers of one week by identity. `last` asks for the last release of the phase."""

    answers: Mapping[str, Any]
    last: bool = False


@dataclass(frozen=True)
class View:
    """What comes back of a week: the strategy's own identities, and the whole board."""

    seen: Mapping[str, Seen]
    board: Mapping[str, Seen]


@dataclass(frozen=True)
class Claim:
    """What a strategy ends with: its guess of all labels, the items it attacked, those it is sure of, a last answer."""

    guess: Labels
    attacked: Mask
    certain: Mask
    final: Labels


class AskedRule(Protocol):
    """What the bench asks of a rule. `kept_back` says after `begin` which items are no part of what is displayed."""

    kept_back: Mask | None

    def begin(self, gold: Labels, labels: int, metric: str, seed: int) -> None: ...

    def show(self, week: int, answers: Mapping[str, Labels], *, last: bool = False) -> Mapping[str, Any]: ...

    def withdraw(self, week: int, identity: str) -> None: ...


class Strategy(ABC):
    """An attacker. `known` is the share of labels that it knows beforehand, or from 1 on their number."""

    name = "nameless"
    known: float = 0
    metric = "accuracy"
    shares: tuple[float, ...] = (0.5, 0.5)
    parts = 1
    at_end = False

    @abstractmethod
    def play(self, task: AttackedTask, random: np.random.Generator) -> Generator[Week, View, Claim]:
        """Each week's answers, for what is shown of them; at the end what it takes the labels to be."""


@dataclass
class Averaged:
    """Several tasks, each under a rule of its own, of which only the average is shown."""

    rules: list[AskedRule]
    kept_back: Mask | None = None

    def begin(self, gold: Labels, labels: int, metric: str, seed: int) -> None:
        for number, (rule, part) in enumerate(
            zip(self.rules, np.array_split(gold, len(self.rules)), strict=True)
        ):
            rule.begin(part, labels, metric, seed + 7919 * number)
        masks = [rule.kept_back for rule in self.rules]
        self.kept_back = (
            None if masks[0] is None else np.concatenate([mask for mask in masks if mask is not None])
        )

    def show(self, week: int, answers: Mapping[str, Labels], *, last: bool = False) -> Mapping[str, Seen]:
        parts = {name: np.array_split(answer, len(self.rules)) for name, answer in answers.items()}
        shown = [
            rule.show(week, {name: cut[at] for name, cut in parts.items()}, last=last)
            for at, rule in enumerate(self.rules)
        ]
        return {name: _average([seen.get(name, Seen()) for seen in shown]) for name in answers}

    def withdraw(self, week: int, identity: str) -> None:
        for rule in self.rules:
            rule.withdraw(week, identity)


def _average(seen: list[Seen]) -> Seen:
    numbers = [part.shown for part in seen if part.shown is not None]
    whole = len(numbers) == len(seen)
    return Seen(float(np.mean(numbers)) if whole else None, None, any(part.moved for part in seen))


@dataclass
class Match:
    """How one strategy fared against one rule.

    `read` is the share of attacked labels that were named rightly; `points` how much better than what was known before
    the last answer is on the displayed items, `points_kept` on those kept back, in points of accuracy.
    """

    strategy: str
    n: int
    attacked: int
    read: float
    certain: int
    certain_and_wrong: int
    points: float
    points_kept: float
    sent: int = 0
    identities: set[str] = field(default_factory=set)


def play(make: Callable[[], AskedRule], strategy: Strategy, *, n: int, answers: int, seed: int) -> Match:
    """One match on fresh labels, all drawn from the seed.

    Raises
    ------
    RuntimeError
        If the strategy sends more answers than it may.
    """
    random = np.random.default_rng([15, seed, n])
    labels = len(strategy.shares)
    gold = random.choice(labels, size=n, p=strategy.shares).astype(np.intp)
    known = np.full(n, -1, dtype=np.intp)
    count = round(strategy.known * n) if strategy.known < 1 else min(int(strategy.known), n // 2)
    granted = random.permutation(n)[:count]
    known[granted] = gold[granted]
    task = AttackedTask(n, labels, strategy.metric, strategy.shares, answers, known, strategy.parts)
    rule = make() if strategy.parts == 1 else Averaged([make() for _ in range(strategy.parts)])
    rule.begin(gold.copy(), labels, strategy.metric, int(random.integers(2**31)))
    claim, sent, names = _weeks(rule, strategy, task, np.random.default_rng([16, seed, n]))
    attacked, certain = claim.attacked & (known < 0), claim.certain & (known < 0)
    before = np.where(known >= 0, 1.0, max(strategy.shares))
    won = 100 * ((claim.final == gold) - before)
    kept = np.zeros(n, dtype=np.bool_) if rule.kept_back is None else rule.kept_back
    return Match(
        strategy.name,
        n,
        int(attacked.sum()),
        _mean((claim.guess == gold)[attacked]),
        int(certain.sum()),
        int((claim.guess != gold)[certain].sum()),
        _mean(won[~kept]),
        _mean(won[kept]),
        sent,
        names,
    )


def _weeks(
    rule: AskedRule, strategy: Strategy, task: AttackedTask, random: np.random.Generator
) -> tuple[Claim, int, set[str]]:
    board: dict[str, Seen] = {}
    names: set[str] = set()
    playing, sent, number = strategy.play(task, random), 0, 0
    try:
        week = next(playing)
        while True:
            answers = {name: answer for name, answer in week.answers.items() if not isinstance(answer, str)}
            for name in week.answers.keys() - answers.keys():
                rule.withdraw(number, name)
                board.pop(name, None)
            sent += len(answers)
            if sent > task.answers:
                raise RuntimeError(f"{strategy.name} sent {sent} answers; it may send {task.answers}.")
            names |= answers.keys()
            copies = {name: np.asarray(answer).copy() for name, answer in answers.items()}
            seen = rule.show(number, copies, last=week.last)
            board.update(seen)
            number += 1
            week = playing.send(View(seen, dict(board)))
    except StopIteration as end:
        return end.value, sent, names


def _mean(values: NDArray[Any]) -> float:
    return float(values.mean()) if len(values) else float("nan")
