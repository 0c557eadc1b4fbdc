"""How unsure scores of runs and their differences are, from stored replicates, and which rows are most alike."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import sqrt
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from scoring.core.disclosure import Row, Standing
from scoring.replicates import replicates_of

Floats: TypeAlias = NDArray[np.float64]

NEAREST = 36
"""Rows of other teams that an answer is held against: those that it differs least from."""


@dataclass(slots=True)
class Held:
    """What a row stands with: the rule's state, and the scoring run behind it."""

    standing: Standing
    run: int
    at: int = -1  # its place among the replicates of rows


@dataclass(slots=True)
class RunErrors:
    """Scores of runs in shared resamples, each about its own mean, and how far they vary."""

    item_count: int
    width: float  # of the metric's range
    centred: dict[int, Floats] = field(default_factory=dict)

    def add(self, runs: Iterable[int], metric: str) -> None:
        """Read the stored replicates of these runs; those that have none keep the errors that are the largest."""
        for run, found in replicates_of(list(runs)).items():
            if metric in found and not np.isnan(found[metric]).all():
                drawn = found[metric]
                self.centred[run] = np.nan_to_num(drawn - np.nanmean(drawn))

    def error(self, run: int) -> float:
        """The standard error of a run's score; where no replicates are kept, the largest that a mean can have."""
        drawn = self.centred.get(run)
        return self.width / (2 * sqrt(self.item_count)) if drawn is None else float(drawn.std())

    def difference(self, one: int, other: int) -> float:
        """The standard error of the difference of two runs."""
        first, second = self.centred.get(one), self.centred.get(other)
        if first is None or second is None or len(first) != len(second):
            return sqrt(self.error(one) ** 2 + self.error(other) ** 2)
        return float((first - second).std())


class NearestRows:
    """The rows that are most like an answer, found by one product with their replicates."""

    def __init__(self, errors: RunErrors, rows: dict[str, Held]) -> None:
        self._errors = errors
        self._rows = rows
        self._matrix: Floats = np.empty((0, 0))
        self._squares: Floats = np.empty(0)
        self._held: list[Held] = []
        for held in rows.values():
            self.note(held)

    def note(self, held: Held) -> None:
        """Take a row that is new, or stands with another run than before."""
        drawn = self._errors.centred.get(held.run)
        if drawn is None or (len(self._held) and len(drawn) != self._matrix.shape[1]):
            return
        if held.at < 0:
            held.at = len(self._held)
            self._held.append(held)
            if held.at >= len(self._matrix):
                room = np.empty((max(16, held.at), len(drawn)))
                self._matrix = np.concatenate([self._matrix.reshape(-1, len(drawn)), room])
                self._squares = np.concatenate([self._squares, np.empty(len(room))])
        self._held[held.at] = held
        self._matrix[held.at], self._squares[held.at] = drawn, drawn @ drawn

    def rows(self, run: int, value: float, key: str) -> tuple[Row, ...]:
        """The nearest rows but the answer's own, as the rule meets them."""
        drawn = self._errors.centred.get(run)
        if drawn is None or not self._held or len(drawn) != self._matrix.shape[1]:
            return ()
        own, count = self._rows.get(key), len(self._held)
        squares = self._squares[:count] + drawn @ drawn - 2 * (self._matrix[:count] @ drawn)
        errors = np.sqrt(np.maximum(squares, 0.0) / len(drawn))
        nearest = np.argsort(errors, kind="stable")[: NEAREST + 1]
        found = [(self._held[at], float(errors[at])) for at in nearest if self._held[at] is not own]
        return tuple(
            Row(held.standing.shown or 0.0, value - (held.standing.leader or 0.0), error)
            for held, error in found[:NEAREST]
        )
