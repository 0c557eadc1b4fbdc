"""What a phase shows of answers that were judged through noise: row by row, answer by answer, once, and kept.

It follows from the noised scores that the scorer has stored, from predictions, and from the order in which the answers
came in; no gold labels are needed. The mechanism is `catalogue.disclosure.noisy_display`.
"""

import datetime as dt
import uuid
from collections import defaultdict
from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from benchmarks.models import Split
from catalogue.disclosure.noisy_display import ShownRow
from catalogue.disclosure.rule import DECIMALS, NOISED
from catalogue.metrics.choice import metric_for
from scoring.disclosure.standings import is_higher_better, row_key, runs_that_count
from scoring.models import Batch, Disclosed, Score, ScoringRun
from scoring.run_scoring import display_of
from submissions.models import Predictions


def judge_scores(batch: Batch, *, soon: Collection[uuid.UUID], now: dt.datetime) -> list[Disclosed]:
    """What becomes of the rows by the judged answers of a phase that are new to a batch; nothing is stored.

    The submissions that are `soon` called scored count already.
    """
    if not ScoringRun.objects.filter(part=NOISED, submission__phase=batch.phase_id).exists():
        return []
    kept = Disclosed.objects.filter(rule=batch.disclosure, run__submission__phase=batch.phase_id)
    known = set(kept.values_list("run", flat=True))
    runs = [run for run in runs_that_count(batch, at_the_end=False, soon=soon) if run.part == NOISED]
    disclosed = []
    for of_items in _by_items(runs):
        board = _NoisyBoard(batch, of_items[0].split, of_items)
        for run in sorted(of_items, key=_turn):
            if run.pk in known:
                continue
            if (shown := board.after(run)) is not None:
                shown.created_at = now
                disclosed.append(shown)
    return disclosed


def judge_again(batch: Batch) -> Iterator[tuple[Disclosed, Disclosed | None]]:
    """What was made of every judged answer up to a batch, beside what is made of it now, from the first one on.

    An answer that had ended or was held back when later ones were judged is not what these are held against.
    """
    kept = Disclosed.objects.filter(
        rule=batch.disclosure,
        run__submission__phase=batch.phase_id,
        batch__cut_off_at__lte=batch.cut_off_at,
    ).select_related("run__split__task__benchmark", "run__submission__system", "run__predictions")
    leading: list[Disclosed] = []
    for (_batch, instant), together in groupby(
        kept.order_by("pk"), key=lambda disclosed: (disclosed.batch_id, disclosed.created_at)
    ):
        judged = {disclosed.run_id: disclosed for disclosed in together}
        counted = [disclosed.run for disclosed in leading if disclosed.run.submission.counted_at(instant)]
        for of_items in _by_items([*counted, *(disclosed.run for disclosed in judged.values())]):
            board = _NoisyBoard(batch, of_items[0].split, of_items, new=judged)
            for run in of_items:
                if run.pk in judged:
                    yield judged[run.pk], board.after(run)
        leading += [disclosed for disclosed in judged.values() if disclosed.leads]


def _by_items(runs: Iterable[ScoringRun]) -> Iterable[list[ScoringRun]]:
    grouped: dict[tuple[int, str], list[ScoringRun]] = defaultdict(list)
    for run in runs:
        grouped[run.split_id, run.submission.track].append(run)
    return grouped.values()


def _turn(run: ScoringRun) -> tuple[dt.datetime, str]:
    return run.submission.received_at, str(run.submission_id)


@dataclass(slots=True)
class _Row:
    shown: ShownRow
    predictions: int


class _NoisyBoard:
    """The rows of one set of items on one track, as they stand after what was kept, but for the runs that are `new`."""

    def __init__(
        self, batch: Batch, split: Split, runs: Iterable[ScoringRun], *, new: Container[int] = ()
    ) -> None:
        spec = split.task.spec
        self._batch, self._metric = batch, metric_for(spec.output, spec.primary_metric.name)
        self._sign = 1.0 if is_higher_better(spec) else -1.0
        runs = list(runs)
        scores = Score.objects.filter(run__in=[run.pk for run in runs], metric=self._metric.name, stratum="")
        self._scores: Mapping[int, Score] = {score.run_id: score for score in scores}
        self._codes = Predictions.objects.select_related("codes").in_bulk(
            {run.predictions_id for run in runs}
        )
        self._rows: dict[str, _Row] = {}
        known = [run for run in runs if run.pk not in new]
        kept = {one.run_id: one for one in Disclosed.objects.filter(run__in=known, leads=True)}
        for run in sorted(runs, key=lambda run: kept[run.pk].pk if run.pk in kept else 0):
            value = self._scores[run.pk].value if run.pk in kept and run.pk in self._scores else None
            shown = kept[run.pk].shown if run.pk in kept else None
            if value is not None and shown is not None:
                row = ShownRow(self._sign * shown, self._sign * value)
                self._rows[kept[run.pk].row] = _Row(row, run.predictions_id)

    def after(self, run: ScoringRun) -> Disclosed | None:
        """What the run's row shows after it, which changes the state for those after it; None where it has no score."""
        score, count = self._scores.get(run.pk), run.item_count
        if score is None or not count:
            return None
        display = display_of(run, count)
        if display is None:
            return None
        key = row_key(self._batch.phase, run.submission)
        kept = Disclosed(run=run, rule=self._batch.disclosure, batch=self._batch, row=key, leads=False)
        if score.value is None:
            kept.undefined = score.undefined
            return kept
        held = self._rows.get(key)
        level = self._sign * score.value
        before = held.shown if held else None
        moved = display.row_after(before, level, self._differing(run, held, count) if held else 0)
        if moved is not None:
            low, high = sorted((self._sign * self._metric.low, self._sign * self._metric.high))
            shown = round(min(max(moved.shown, low), high), DECIMALS)
            self._rows[key] = _Row(ShownRow(shown, level), run.predictions_id)
            kept.leads = True
        kept.shown = self._sign * self._rows[key].shown.shown + 0.0
        return kept

    def _differing(self, run: ScoringRun, held: _Row, displayed: int) -> int:
        """In how many displayed items two answers differ, about: the share of all items, which anybody could count."""
        one, other = (self._codes[pk].canonical().codes for pk in (run.predictions_id, held.predictions))
        return round(displayed * float(np.mean(one != other)))
