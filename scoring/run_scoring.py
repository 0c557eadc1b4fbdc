"""One comparison of predictions with gold labels, from stored bytes to a report; nothing is stored."""

import logging
from dataclasses import dataclass, replace
from hashlib import sha256
from json import dumps
from math import isfinite, sqrt
from typing import Protocol

import numpy as np

from benchmarks.spec import DEV
from catalogue.answers import Answers
from catalogue.answers.arrays import LABEL_CODES, array_to_bytes
from catalogue.comparison import Comparison
from catalogue.disclosure.noised_error import error_of_noised
from catalogue.disclosure.noisy_display import NoisyDisplay
from catalogue.disclosure.rule import NOISED, RANKED_AGAIN
from catalogue.disclosure.second_ranking import RankingNoise
from catalogue.item_groups import groups_at, with_clusters
from catalogue.metrics.choice import metric_for
from catalogue.metrics.metric import AnyMetric
from scoring.core.engine import SCORER_VERSION, ScoreReport, score_comparison
from scoring.core.measures.pairs import pair_values
from scoring.core.repeated_rows import in_best_order
from scoring.gold.alignment import in_sealed_order, opened_version
from scoring.gold.holdout_split import Places, noise_key, places_of_part
from scoring.gold.rankings import part_that_ranks
from scoring.gold.rarest_labels import too_rare
from scoring.models import Batch, ScoringRun
from submissions.intake.sealing import GoldLabels, VaultError
from submissions.uploads.expected_splits import alignment_sha256

logger = logging.getLogger(__name__)

Error = ScoringRun.Error
# Undefined because no more than one metric of an answer is shown, or none.
NOT_SHOWN = "not_shown_yet"


@dataclass(frozen=True, slots=True)
class Compared:
    """A run's report, with the two aligned arrays that it was made of. `run.split` comes with its task.

    Where a part of the items was scored, `items` are their places among the split's, shape (n_items,), and the arrays
    hold them.
    Where the score carries noise, it is the only one, and `budget` says how many such answers the phase judges at most.
    """

    run: ScoringRun
    report: ScoreReport
    comparison: Comparison
    items: Places | None = None
    budget: int | None = None

    @property
    def values(self) -> dict[str, float]:
        return {scored.metric: scored.value for scored in self.report.values if scored.value is not None}


class RunFailed(Exception):
    """A run cannot succeed; `error` is all that may be said about it."""

    def __init__(self, error: ScoringRun.Error) -> None:
        super().__init__(error.value)
        self.error = error


def scorer_version(task_version: int) -> str:
    """What a run's numbers depend on beside predictions and gold labels: this code and the task's metrics."""
    return f"{SCORER_VERSION}.{task_version}"


def score_run(run: ScoringRun) -> Compared:
    """The report of one run, and what it was made of; nothing is stored. Its rows may have been changed in memory.

    Raises
    ------
    RunFailed
        With a fixed code. Neither the original message nor a traceback goes on from here: they could
        hold gold labels.
    """
    _refuse_changed_task(run)
    task = run.split.task.spec
    _refuse_before_the_end(run)
    try:
        predictions = run.predictions.canonical()
    except Exception:  # noqa: BLE001  # whatever is wrong with the stored bytes
        raise RunFailed(Error.PREDICTIONS_DAMAGED) from None
    try:
        _salt, sealed = opened_version(run.gold_version_id)
        gold = _gold_answers(sealed, task.output.gold.labels)
        groups = with_clusters(sealed.groups, task.output.clusters, sealed.clusters)
        answers = in_sealed_order(predictions.codes, run.gold_version_id, run.split)
        answers = in_best_order(task, sealed.ids, gold, answers)
        items = places_of_part(run.part, run.gold_version_id)
        if items is not None:
            gold, answers, groups = gold[items], answers[items], groups_at(groups, items)
        comparison = Comparison(task.output, gold, answers, groups=groups)
        if run.part == NOISED:
            return _noised(run, comparison, items)
        if run.part in RANKED_AGAIN.values():
            return _ranked_again(run, comparison, items)
        report = score_comparison(comparison, [metric.name for metric in task.metrics])
        if (
            task.pairs and not run.part and run.split.slug in task.test_splits
        ):  # development data come in none
            paired = pair_values(
                comparison.output, sealed.ids, task.pairs, comparison.y_true, comparison.y_pred
            )
            report = replace(report, values=(*report.values, *paired))
        return Compared(run, report, comparison, items)
    except RunFailed:
        raise
    except VaultError as error:
        raise RunFailed(Error(error.code)) from None
    except Exception as error:  # noqa: BLE001  # anything else must not tell what it saw
        logger.error("run %s met an unforeseen %s", run.pk, type(error).__name__)  # noqa: TRY400  # no traceback
        raise RunFailed(Error.INTERNAL) from None


def display_of(run: ScoringRun, item_count: int) -> NoisyDisplay | None:
    """What stands between the scores of a run's phase and its board; None where nothing does.

    Budget and noise go by half of the split's items, which everybody knows; what one label can change by how many are
    displayed.
    """
    return run.submission.phase.rule.display(run.split.item_count // 2, _label_effect(run, item_count))


def ranking_noise_of(run: ScoringRun, item_count: int) -> RankingNoise | None:
    """The noise of a ranking on items that have ranked before; None for a metric without ends, of which no noise hides
    the labels."""
    metric = _primary_metric(run)
    return RankingNoise.of(metric.low, metric.high, item_count, _label_effect(run, item_count))


def error_of(run: ScoringRun, shown: float) -> float | None:
    """The standard error of a number that is shown of a run through noise; None where nothing bounds it.

    From the number and what everybody knows. A number under a display comes in steps of the noise and may be the best
    of several, for which one more deviation of it is added.
    """
    metric, item_count = _primary_metric(run), run.item_count or 0
    if not item_count or not isfinite(metric.high - metric.low):
        return None
    if run.part == NOISED:
        display = display_of(run, item_count)
        deviation, effect = (sqrt(2) * display.deviation, display.label_effect) if display else (None, None)
    else:
        noise = ranking_noise_of(run, item_count)
        deviation, effect = (noise.deviation, noise.label_effect) if noise else (None, None)
    if deviation is None or effect is None:
        return None
    return error_of_noised(shown, deviation=deviation, effect=effect, low=metric.low, high=metric.high)


def _primary_metric(run: ScoringRun) -> AnyMetric:
    task = run.split.task.spec
    return metric_for(task.output, task.primary_metric.name)


def _label_effect(run: ScoringRun, item_count: int) -> float | None:
    task = run.split.task.spec
    return _primary_metric(run).label_effect(
        item_count, max(1, len(task.output.labels)), task.rarest_label_share
    )


def _refuse_changed_task(run: ScoringRun) -> None:
    """A run of a task as it is no more is no run; of one that is retired the definition says nothing."""
    task = run.split.task
    is_old = task.is_retired or run.scorer_version != scorer_version(task.version)
    if is_old or run.predictions.alignment_sha256 != alignment_sha256(run.split):
        raise RunFailed(Error.TASK_CHANGED)


def _refuse_before_the_end(run: ScoringRun) -> None:
    """A run of items that the rule of the phase keeps to itself until its end is no run, whoever wrote its row."""
    phase, split = run.submission.phase, run.split
    if split.slug == DEV or run.part == phase.rule.part(split.item_count, at_the_end=False):
        return
    if not Batch.objects.filter(phase=phase, is_final=True).exists():
        raise RunFailed(Error.NOT_YET)
    if part_that_ranks(phase, split, run.part) != run.part:
        raise RunFailed(Error.NOT_YET)  # exactly once: whoever asks later gets it through noise


def _noised(run: ScoringRun, comparison: Comparison, items: Places | None) -> Compared:
    """The score of the displayed items through noise, and nothing else of them.

    Every version of the gold labels has noise of its own: under the same, two numbers would tell what a correction
    changed.
    """
    task, sealed = run.split.task.spec, opened_version(run.gold_version_id)[1]
    report = score_comparison(comparison, [task.primary_metric.name])
    display = display_of(run, report.item_count)
    # Where a label is rarer than is stated, there would be less noise than the page says.
    if display is None or too_rare(task, _gold_answers(sealed, task.output.gold.labels), sealed.clusters):
        raise RunFailed(Error.NOT_YET)
    return Compared(
        run, _with_noise(run, comparison, report, display.noised), comparison, items, display.budget
    )


def _ranked_again(run: ScoringRun, comparison: Comparison, items: Places | None) -> Compared:
    """The score of items that have ranked before, through noise, and nothing else of them."""
    task = run.split.task.spec
    report = score_comparison(comparison, [task.primary_metric.name])
    noise = ranking_noise_of(run, report.item_count)
    if noise is None:  # nothing is told
        hidden = replace(report.values[0], value=None, undefined=NOT_SHOWN)
        return Compared(run, replace(report, values=(hidden,)), comparison, items)
    return Compared(run, _with_noise(run, comparison, report, noise.noised), comparison, items)


class _Noised(Protocol):
    def __call__(self, score: float, *, key: bytes, predictions: bytes) -> float: ...


def _with_noise(run: ScoringRun, comparison: Comparison, report: ScoreReport, noised: _Noised) -> ScoreReport:
    """The report of one score with the noise of these predictions: the same whoever sends them, and whenever.

    Another metric has noise of its own, and so has the same one where its formula or the stated share of the rarest
    label was changed: under one draw two numbers of an answer would tell more than either hides.
    """
    value = report.values[0]
    if value.value is None:
        return report
    split, task = run.split, run.split.task.spec
    formulas = [list(formula) for formula in task.output.formulas if formula.name == value.metric]
    measured = [
        split.task.slug,
        split.slug,
        run.gold_version.number,
        value.metric,
        task.rarest_label_share,
        formulas,
    ]
    # Of texts `tobytes` has where memory holds them: other ones of the same lengths would share their noise.
    name = dumps(measured).encode() + array_to_bytes(comparison.y_pred)
    key = noise_key(run.gold_version_id, run.part)
    level = noised(value.value, key=key, predictions=sha256(name).digest())
    return replace(report, values=(replace(value, value=level),))


def _gold_answers(gold: GoldLabels, labels: tuple[str, ...]) -> Answers:
    """Opened gold labels, label codes counted as in `labels`."""
    if gold.labels == labels:
        return gold.codes
    position = {label: code for code, label in enumerate(labels)}
    if gold.codes.dtype not in LABEL_CODES or not set(gold.labels) <= set(position):
        raise RunFailed(Error.TASK_CHANGED)
    recoded: Answers = np.array([position[label] for label in gold.labels], dtype=np.uint16)[gold.codes]
    return recoded
