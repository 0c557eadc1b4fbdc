"""A board under attack: it scores what it is asked and shows what its rule lets it show."""

from dataclasses import dataclass, field
from math import erf, exp, pi, sqrt

import numpy as np
from numpy.typing import NDArray

from catalogue.disclosure import Exact, Precision, Rule, Sparing
from catalogue.disclosure.rule import MissBudget, NearRow, RowState, ScoredAnswer
from catalogue.disclosure.sparing import needed_errors

Labels = NDArray[np.bool_]
Floats = NDArray[np.float64]
NEAREST = 25


@dataclass
class AttackedBoard:
    """A task with two labels, and gold labels that an attacker is after."""

    gold: Labels
    rule: Rule
    random: np.random.Generator
    metric: str = "accuracy"
    budget: MissBudget = field(default_factory=MissBudget)
    standings: dict[int, RowState] = field(default_factory=dict)
    leading: dict[int, Labels] = field(default_factory=dict)
    packed: dict[int, NDArray[np.uint8]] = field(default_factory=dict)

    @property
    def shows_every_score(self) -> bool:
        """Whether a team sees each answer's own score, and not the best so far."""
        return isinstance(self.rule, Exact | Precision)

    def ask(self, team: int, predictions: Labels) -> float:
        """Hand in predictions for a team; what the board shows of it afterwards."""
        size = len(self.gold)
        score, share = _judge(self.gold, predictions, self.metric)
        answer = ScoredAnswer(
            score=score,
            item_count=size,
            error=float(share.std()) / sqrt(size),
            difference_error=self._difference_error(team, predictions, score, share),
            rows=self._rows(team, predictions, score),
        )
        answered = self.rule.judge(answer, self.standings.get(team, RowState()), self.budget, self.random)
        self.standings[team], self.budget = answered.state, answered.budget
        if answered.leads:
            self.leading[team] = predictions.copy()
            self.packed[team] = np.packbits(predictions)
        return answered.shown

    def needed(self) -> float:
        """Standard errors that a gain must exceed to show. The rules are public, so an attacker knows it."""
        return needed_errors(self.rule, self.budget) if isinstance(self.rule, Sparing) else 1.0

    def _difference_error(self, team: int, predictions: Labels, score: float, share: Floats) -> float | None:
        if team not in self.leading or self.shows_every_score:
            return None
        if self.metric != "accuracy":
            before = _judge(self.gold, self.leading[team], self.metric)[1]
            return float((share - before).std()) / sqrt(len(self.gold))
        apart = np.count_nonzero(predictions != self.leading[team]) / len(self.gold)
        return _paired_error(apart, score - (self.standings[team].leader or 0.0), len(self.gold))

    def _rows(self, team: int, predictions: Labels, score: float) -> tuple[NearRow, ...]:
        if not isinstance(self.rule, Sparing) or self.metric != "accuracy":
            return ()
        size = len(self.gold)
        others = [one for one in self.packed if one != team]
        if not others:
            return ()
        packed = np.array([self.packed[one] for one in others])
        apart = np.bitwise_count(packed ^ np.packbits(predictions)).sum(axis=1) / size
        rows = []
        for place in np.argsort(apart)[:NEAREST].tolist():
            standing = self.standings[others[place]]
            gain = score - (standing.leader or 0.0)
            rows.append(NearRow(standing.shown or 0.0, gain, _paired_error(float(apart[place]), gain, size)))
        return tuple(rows)


def mean_below(limit: float) -> float:
    """Mean of what stays below a limit, of numbers spread normally around 0 with deviation 1."""
    below = (1 + erf(limit / sqrt(2))) / 2
    return -exp(-(limit**2) / 2) / sqrt(2 * pi) / max(below, 1e-12)


def _judge(gold: Labels, predictions: Labels, metric: str) -> tuple[float, Floats]:
    """The score, and each item's share in it, whose spread over sqrt(n) is the standard error."""
    if metric == "accuracy":
        right = (predictions == gold).astype(np.float64)
        return float(right.mean()), right
    return _macro_f1(gold, predictions)


def _macro_f1(gold: Labels, predictions: Labels) -> tuple[float, Floats]:
    """Macro-F1 of two labels, and the influence of each item on it (delta method on the cells of the matrix)."""
    cells = np.bincount(2 * gold.astype(np.intp) + predictions, minlength=4).reshape(2, 2)
    sums = np.maximum(cells.sum(axis=0) + cells.sum(axis=1), 1)
    f1 = 2 * cells.diagonal() / sums
    influence = len(gold) / 2 * (2 * np.diag(1 / sums) - (f1 / sums)[:, None] - (f1 / sums)[None, :])
    return float(f1.mean()), influence[gold.astype(np.intp), predictions.astype(np.intp)]


def _paired_error(apart: float, gain: float, size: int) -> float:
    return sqrt(max(apart - gain**2, 0.0) / size)
