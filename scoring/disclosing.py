"""What the rule of a phase lets be seen of its scores: judged answer by answer as they came in, once, and kept.

Errors of scores and of differences are standard deviations of the stored replicates, so that no gold labels are
needed. The judgement itself is `scoring.core.disclosure`.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import inf, sqrt
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from benchmarks.models import Phase
from benchmarks.spec import DisclosureRule, DisclosureSpec, RowKind
from scoring.core.disclosure import (
    Answer,
    Exact,
    Ladder,
    NoisyLadder,
    Precision,
    Purse,
    Row,
    Rule,
    Sparing,
    Standing,
    disclose,
)
from scoring.core.engine import metric_for
from scoring.counting import is_higher_better, runs_that_count
from scoring.models import Batch, Disclosed, Score, ScoringRun
from scoring.parts import part_size
from scoring.replicates import replicates_of
from submissions.models import Submission

Floats: TypeAlias = NDArray[np.float64]

DECIMALS = 4
"""Of what is shown: more would tell of the items, and readers nothing."""
NEAREST = 36
"""Rows of other teams that an answer is held against: those that it differs least from."""


def disclose_scores(batch: Batch, *, now: dt.datetime) -> int:
    """Judge what a batch counts and its rule has not judged yet; returns how many answers.

    Baselines come first and are shown as they are: they are the organiser's, and set the mark that progress begins at.
    An answer with several seeds is not judged, and so not shown.
    """
    spec = batch.disclosed_by
    if spec.rule is DisclosureRule.EXACT:
        return 0
    judged = set(
        Disclosed.objects.filter(rule=spec.key, run__submission__phase=batch.phase_id).values_list(
            "run", flat=True
        )
    )
    by_items: dict[tuple[int, str], list[ScoringRun]] = defaultdict(list)
    for run in _of_one_seed(runs_that_count(batch)):
        if run.pk not in judged:
            by_items[run.split_id, run.submission.track].append(run)
    made = [
        one for runs in by_items.values() for one in _Judge(batch, spec, runs).judge(sorted(runs, key=_turn))
    ]
    for one in made:
        one.created_at = now
    Disclosed.objects.bulk_create(made)
    return len(made)


def row_key(phase: Phase, submission: Submission) -> str:
    """What the number of a submission stands for on boards."""
    is_of_team = phase.one_per_team and submission.system.kind == RowKind.SYSTEM
    return f"team:{submission.system.team_id}" if is_of_team else f"system:{submission.system_id}"


def rule_of(spec: DisclosureSpec) -> Rule:
    """The rule with its settings, as the core knows it."""
    match spec.rule:
        case DisclosureRule.EXACT:
            return Exact()
        case DisclosureRule.PRECISION:
            return Precision(spec.digits)
        case DisclosureRule.LADDER:
            return Ladder()
        case DisclosureRule.NOISY_LADDER:
            return NoisyLadder(spec.scale)
        case DisclosureRule.SPARING:
            return Sparing()


def _of_one_seed(runs: Iterable[ScoringRun]) -> Iterator[ScoringRun]:
    by_answer: dict[tuple[object, int], list[ScoringRun]] = defaultdict(list)
    for run in runs:
        by_answer[run.submission_id, run.split_id].append(run)
    return (own[0] for own in by_answer.values() if len(own) == 1)


def _turn(run: ScoringRun) -> tuple[bool, dt.datetime, str]:
    one = run.submission
    return one.system.kind == RowKind.SYSTEM, one.received_at, str(one.pk)


@dataclass(slots=True)
class _Held:
    """What a row stands with: the rule's state, and the scoring run behind it."""

    standing: Standing
    run: int
    at: int = -1  # its place among the replicates of rows


@dataclass(slots=True)
class _Replicates:
    """Scores of runs in shared resamples, each about its own mean, and how far they vary."""

    item_count: int
    width: float  # of the metric's range
    centred: dict[int, Floats] = field(default_factory=dict)

    def add(self, runs: Iterable[int], metric: str) -> None:
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


class _Judge:
    """The answers of one set of items on one track, and what stands there already."""

    def __init__(self, batch: Batch, spec: DisclosureSpec, runs: Sequence[ScoringRun]) -> None:
        first = runs[0]
        task = first.split.task.spec
        metric = metric_for(task.output, task.primary_metric.name)
        self._batch, self._spec, self._rule = batch, spec, rule_of(spec)
        self._sign = 1.0 if is_higher_better(task) else -1.0
        self._low, self._high = metric.low, metric.high
        self._digits = spec.digits if spec.rule is DisclosureRule.PRECISION else DECIMALS
        self._random = np.random.default_rng()  # of the operating system: nobody may draw the noise again
        width = metric.high - metric.low
        self._replicates = _Replicates(
            part_size(first.part, first.split.item_count), width if width < inf else 1.0
        )
        self._rows, self._purse = _state(batch, spec, first)
        scores = Score.objects.filter(run__in=[run.pk for run in runs], metric=metric.name, stratum="")
        self._scores = {score.run_id: score for score in scores}
        self._replicates.add(
            [*(run.pk for run in runs), *(held.run for held in self._rows.values())], metric.name
        )
        self._near = _Near(self._replicates, self._rows)

    def judge(self, runs: Iterable[ScoringRun]) -> Iterator[Disclosed]:
        """One after the other; what one makes of the state holds for the next."""
        for run in runs:
            score = self._scores.get(run.pk)
            if score is not None:
                yield self._judged(run, score)

    def _judged(self, run: ScoringRun, score: Score) -> Disclosed:
        key = row_key(self._batch.phase, run.submission)
        if score.value is None:
            return self._kept(run, key, shown=None, undefined=score.undefined)
        is_baseline = run.submission.system.kind != RowKind.SYSTEM
        rule = Exact() if is_baseline else self._rule
        answer = self._answer(run, self._sign * score.value, key, rule)
        held = self._rows.get(key)
        found = disclose(rule, answer, held.standing if held else Standing(), self._purse, self._random)
        shown = found.shown if is_baseline else self._in_range(found.shown)
        self._purse = _marked(found.purse, shown) if is_baseline else found.purse
        if found.leads:
            standing = Standing(shown, found.standing.leader, found.standing.behind)
            self._rows[key] = _Held(standing, run.pk, held.at if held else -1)
            self._near.note(self._rows[key])
        return self._kept(run, key, shown=self._sign * shown + 0.0, leads=found.leads)

    def _answer(self, run: ScoringRun, value: float, key: str, rule: Rule) -> Answer:
        held = self._rows.get(key)
        return Answer(
            score=value,
            item_count=self._replicates.item_count,
            error=self._replicates.error(run.pk),
            difference_error=self._replicates.difference(run.pk, held.run) if held else None,
            rows=self._near.rows(run.pk, value, key) if isinstance(rule, Sparing) else (),
        )

    def _in_range(self, shown: float) -> float:
        """What noise or steps have put outside is shown at the end of the range; in signs of higher is better."""
        low, high = sorted((self._sign * self._low, self._sign * self._high))
        return round(min(max(shown, low), high), self._digits)

    def _kept(
        self, run: ScoringRun, key: str, *, shown: float | None, undefined: str = "", leads: bool = False
    ) -> Disclosed:
        held = self._rows.get(key)
        return Disclosed(
            run=run,
            rule=self._spec.key,
            batch=self._batch,
            row=key,
            shown=shown,
            undefined=undefined,
            leads=leads,
            leader=held.standing.leader if held else None,
            behind=held.standing.behind if held else 0.0,
            spent=self._purse.spent,
            mark=self._purse.mark,
        )


def _marked(purse: Purse, shown: float) -> Purse:
    """Progress begins where the best baseline ends."""
    return Purse(purse.spent, shown if purse.mark is None else max(purse.mark, shown))


def _state(batch: Batch, spec: DisclosureSpec, like: ScoringRun) -> tuple[dict[str, _Held], Purse]:
    """What stands after everything that was judged before, under the same rule, gold labels and scorer."""
    task = like.split.task.spec
    sign = 1.0 if is_higher_better(task) else -1.0
    before = Disclosed.objects.filter(
        rule=spec.key,
        run__submission__phase=batch.phase_id,
        run__submission__track=like.submission.track,
        run__split=like.split_id,
        run__gold_version=like.gold_version_id,
        run__scorer_version=like.scorer_version,
        run__part=like.part,
    ).order_by("pk")
    rows: dict[str, _Held] = {}
    purse = Purse()
    for one in before:
        purse = Purse(one.spent, one.mark)
        if one.leads and one.shown is not None:
            rows[one.row] = _Held(Standing(sign * one.shown, one.leader, one.behind), one.run_id)
    return rows, purse


class _Near:
    """The rows that are most like an answer, found by one product of replicates."""

    def __init__(self, replicates: _Replicates, rows: dict[str, _Held]) -> None:
        self._replicates = replicates
        self._rows = rows
        self._matrix: Floats = np.empty((0, 0))
        self._squares: Floats = np.empty(0)
        self._held: list[_Held] = []
        for held in rows.values():
            self.note(held)

    def note(self, held: _Held) -> None:
        """Take a row that is new, or stands with another run than before."""
        drawn = self._replicates.centred.get(held.run)
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
        drawn = self._replicates.centred.get(run)
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
