"""What the rule of a phase lets be seen of its scores: judged answer by answer as they came in, once, and kept.

Errors of scores and of differences are standard deviations of the stored replicates, so that no gold labels are
needed. The judgement itself is `catalogue.disclosure`.
"""

import datetime as dt
import uuid
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from math import inf
from operator import attrgetter

import numpy as np

from benchmarks.spec import RowKind
from catalogue.disclosure import Exact, Rule
from catalogue.disclosure.rule import MissBudget, RowState, ScoredAnswer
from catalogue.metrics.choice import metric_for
from scoring.disclosure.standings import is_higher_better, row_key, runs_that_count
from scoring.gold.holdout_split import part_size
from scoring.models import Batch, Disclosed, Score, ScoringRun
from scoring.uncertainty.paired_errors import Held, RunErrors, nearest_rows


def judge_scores(batch: Batch, *, soon: Collection[uuid.UUID], now: dt.datetime) -> list[Disclosed]:
    """What the rule of a batch shows of the answers that it counts and has not judged yet; nothing is stored.

    The submissions that are `soon` called scored count already.

    Baselines come first and are shown as they are: they are the organiser's, and set the mark that progress begins at.
    An answer with several seeds is not judged, and so not shown.
    """
    spec = batch.disclosed_by
    if spec.rule.shows_all:
        return []
    judgements = Disclosed.objects.filter(rule=spec.code, run__submission__phase=batch.phase_id)
    judged = set(judgements.values_list("run", flat=True))
    by_items = defaultdict(list)
    for run in _of_one_seed(runs_that_count(batch, batch.part, soon=soon)):
        if run.pk not in judged:
            by_items[run.split_id, run.submission.track].append(run)
    disclosed = []
    for runs in by_items.values():
        in_turn = sorted(runs, key=_turn)
        judge = _Judge(batch, in_turn, _state(batch, in_turn[0]))
        disclosed += [judged_now for run in in_turn if (judged_now := judge.judged(run))]
    for shown in disclosed:
        shown.created_at = now
    return disclosed


def judge_again(batch: Batch) -> Iterator[tuple[Disclosed, Disclosed | None]]:
    """What a batch's rule has made of every answer up to it, beside what it makes of it now, from the first one on.

    The scores and replicates are those that are stored; nothing is written. A rule with noise cannot be asked again.
    """
    kept = Disclosed.objects.filter(
        rule=batch.disclosed_by.code,
        run__submission__phase=batch.phase_id,
        batch__cut_off_at__lte=batch.cut_off_at,
    ).select_related("run__split__task__benchmark", "run__submission__system")
    by_items = defaultdict(list)
    items = attrgetter("split_id", "submission.track", "gold_version_id", "scorer_version", "part")
    for judgement in kept.order_by("pk"):
        by_items[items(judgement.run)].append(judgement)
    for judgements in by_items.values():
        judge = _Judge(batch, [judgement.run for judgement in judgements], ({}, MissBudget()))
        for judgement in judgements:
            yield judgement, judge.judged(judgement.run)


def _of_one_seed(runs: Iterable[ScoringRun]) -> Iterator[ScoringRun]:
    by_answer = defaultdict(list)
    for run in runs:
        by_answer[run.submission_id, run.split_id].append(run)
    return (own[0] for own in by_answer.values() if len(own) == 1)


def _turn(run: ScoringRun) -> tuple[bool, dt.datetime, str]:
    submission = run.submission
    return submission.system.kind == RowKind.SYSTEM, submission.received_at, str(submission.pk)


class _Judge:
    """The answers of one set of items on one track, and what stands there already."""

    def __init__(
        self, batch: Batch, runs: Sequence[ScoringRun], state: tuple[dict[str, Held], MissBudget]
    ) -> None:
        first, spec = runs[0], batch.disclosed_by
        task = first.split.task.spec
        metric = metric_for(task.output, task.primary_metric.name)
        self._batch, self._spec, self._rule = batch, spec, spec.in_force
        self._sign = 1.0 if is_higher_better(task) else -1.0
        self._low, self._high = sorted((self._sign * metric.low, self._sign * metric.high))
        self._random = np.random.default_rng()  # of the operating system: nobody may draw the noise again
        width = metric.high - metric.low
        self._item_count = part_size(first.part, first.split.item_count)
        self._rows, self._budget = state
        self._errors = RunErrors(
            [*(run.pk for run in runs), *(held.run for held in self._rows.values())],
            metric.name,
            item_count=self._item_count,
            width=width if width < inf else 1.0,
        )
        scores = Score.objects.filter(run__in=[run.pk for run in runs], metric=metric.name, stratum="")
        self._scores = {score.run_id: score for score in scores}

    def judged(self, run: ScoringRun) -> Disclosed | None:
        """What is shown of the next answer, which changes the state for those after it; None where it has no score."""
        score = self._scores.get(run.pk)
        if score is None:
            return None
        key = row_key(self._batch.phase, run.submission)
        if score.value is None:
            return self._kept(run, key, shown=None, undefined=score.undefined)
        is_baseline = run.submission.system.kind != RowKind.SYSTEM
        rule = Exact() if is_baseline else self._rule
        answer = self._answer(run, self._sign * score.value, key, rule)
        held = self._rows.get(key)
        judgement = rule.judge(answer, held.state if held else RowState(), self._budget, self._random)
        # What noise or steps have put outside is shown at the end of the range; in signs of higher is better.
        within = round(min(max(judgement.shown, self._low), self._high), self._rule.decimals)
        shown = judgement.shown if is_baseline else within
        self._budget = judgement.budget
        if is_baseline:  # progress begins where the best of them ends
            mark = shown if judgement.budget.mark is None else max(judgement.budget.mark, shown)
            self._budget = MissBudget(judgement.budget.spent, mark)
        if judgement.leads:
            self._rows[key] = Held(RowState(shown, judgement.state.leader, judgement.state.behind), run.pk)
        return self._kept(run, key, shown=self._sign * shown + 0.0, leads=judgement.leads)

    def _answer(self, run: ScoringRun, value: float, key: str, rule: Rule) -> ScoredAnswer:
        held = self._rows.get(key)
        return ScoredAnswer(
            score=value,
            item_count=self._item_count,
            error=self._errors.error(run.pk),
            difference_error=self._errors.difference(run.pk, held.run) if held else None,
            rows=nearest_rows(self._rows, self._errors, run=run.pk, score=value, own=key)
            if rule.compares_rows
            else (),
        )

    def _kept(
        self, run: ScoringRun, key: str, *, shown: float | None, undefined: str = "", leads: bool = False
    ) -> Disclosed:
        held = self._rows.get(key)
        return Disclosed(
            run=run,
            rule=self._spec.code,
            batch=self._batch,
            row=key,
            shown=shown,
            undefined=undefined,
            leads=leads,
            leader=held.state.leader if held else None,
            behind=held.state.behind if held else 0.0,
            spent=self._budget.spent,
            mark=self._budget.mark,
        )


def _state(batch: Batch, like: ScoringRun) -> tuple[dict[str, Held], MissBudget]:
    """What stands after everything that was judged before, under the same rule, gold labels and scorer."""
    sign = 1.0 if is_higher_better(like.split.task.spec) else -1.0
    before = Disclosed.objects.filter(
        rule=batch.disclosed_by.code,
        run__submission__phase=batch.phase_id,
        run__submission__track=like.submission.track,
        run__split=like.split_id,
        run__gold_version=like.gold_version_id,
        run__scorer_version=like.scorer_version,
        run__part=like.part,
    ).order_by("pk")
    rows: dict[str, Held] = {}
    budget = MissBudget()
    for judgement in before:
        budget = MissBudget(judgement.spent, judgement.mark)
        if judgement.leads and judgement.shown is not None:
            rows[judgement.row] = Held(
                RowState(sign * judgement.shown, judgement.leader, judgement.behind), judgement.run_id
            )
    return rows, budget
