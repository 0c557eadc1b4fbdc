"""One comparison of predictions with gold labels, from stored bytes to a report; nothing is stored."""

import logging
from dataclasses import dataclass, replace

import numpy as np

from catalogue.answers import Answers
from catalogue.answers.arrays import LABEL_CODES
from catalogue.comparison import Comparison
from scoring.core.engine import SCORER_VERSION, ScoreReport, score_comparison
from scoring.core.measures.pairs import pair_values
from scoring.gold.alignment import in_sealed_order, opened_version
from scoring.gold.holdout_split import Mask, items_of_part
from scoring.models import ScoringRun
from submissions.intake.sealing import VaultError
from submissions.uploads.expected_splits import alignment_sha256

logger = logging.getLogger(__name__)

Error = ScoringRun.Error


@dataclass(frozen=True, slots=True)
class Compared:
    """A run's report, with the two aligned arrays that it was made of. `run.split` comes with its task.

    Where a part of the items was scored, `items` says which of the split's, shape (n_items,), and the arrays hold them.
    """

    run: ScoringRun
    report: ScoreReport
    comparison: Comparison
    items: Mask | None = None

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
    task = run.split.task.spec
    is_old = run.scorer_version != scorer_version(run.split.task.version)
    if is_old or run.predictions.alignment_sha256 != alignment_sha256(run.split):
        raise RunFailed(Error.TASK_CHANGED)
    try:
        predictions = run.predictions.canonical()
    except Exception:  # noqa: BLE001  # whatever is wrong with the stored bytes
        raise RunFailed(Error.PREDICTIONS_DAMAGED) from None
    try:
        gold = _gold_answers(run.gold_version_id, task.output.labels)
        answers = in_sealed_order(predictions.codes, run.gold_version_id, run.split)
        items = items_of_part(run.part, run.gold_version_id)
        if items is not None:
            gold, answers = gold[items], answers[items]
        comparison = Comparison(task.output, gold, answers)
        report = score_comparison(comparison, [metric.name for metric in task.metrics])
        if (
            task.pairs and not run.part and run.split.slug in task.test_splits
        ):  # development data come in none
            _salt, sealed = opened_version(run.gold_version_id)
            paired = pair_values(task.output, sealed.ids, task.pairs, gold, answers)
            report = replace(report, values=(*report.values, *paired))
        return Compared(run, report, comparison, items)
    except RunFailed:
        raise
    except VaultError as error:
        raise RunFailed(Error(error.code)) from None
    except Exception as error:  # noqa: BLE001  # anything else must not tell what it saw
        logger.error("run %s met an unforeseen %s", run.pk, type(error).__name__)  # noqa: TRY400  # no traceback
        raise RunFailed(Error.INTERNAL) from None


def _gold_answers(gold_version_id: int, labels: tuple[str, ...]) -> Answers:
    """The opened gold labels of one version, label codes counted as in `labels`."""
    _salt, gold = opened_version(gold_version_id)
    if gold.labels == labels:
        return gold.codes
    position = {label: code for code, label in enumerate(labels)}
    if gold.codes.dtype not in LABEL_CODES or not set(gold.labels) <= set(position):
        raise RunFailed(Error.TASK_CHANGED)
    recoded: Answers = np.array([position[label] for label in gold.labels], dtype=np.uint16)[gold.codes]
    return recoded
