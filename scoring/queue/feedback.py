"""Scores for the team alone, as soon as a submission is scored: in phases that give immediate feedback."""

import datetime as dt
import uuid
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum

from benchmarks.models import Phase, Split, Task
from catalogue.disclosure.rule import ALL
from scoring.models import GoldVersion, Score, ScoringRun
from scoring.queue.runs import current_runs, make_runs
from submissions.models import Predictions, Submission
from submissions.systems.status_transitions import Status

# Asked every two seconds; what is older has its runs, or waits for its batch.
LOOKED_BACK = dt.timedelta(days=1)


@dataclass(frozen=True, slots=True)
class FeedbackScore:
    """One score of a submission before its release: `value` is None where `undefined` says why."""

    task: Task
    split: str
    metric: str
    value: float | None
    undefined: str


def make_feedback_runs(now: dt.datetime) -> list[uuid.UUID]:
    """Have new submissions of phases with immediate feedback scored now; returns those whose runs were made."""
    waiting = Submission.objects.filter(
        status=Status.ACCEPTED,
        phase__feedback=Phase.FeedbackMoment.IMMEDIATE,
        received_at__gt=now - LOOKED_BACK,
    )
    wanted = Predictions.objects.filter(
        submission__in=waiting,
        split__in=GoldVersion.objects.values("split_id"),
        split__task__is_retired=False,
    )
    known = set(current_runs().filter(submission__in=waiting).values_list("predictions_id", flat=True))
    lacking = {
        pk: submission for pk, submission in wanted.values_list("pk", "submission_id") if pk not in known
    }
    make_runs(lacking, ALL, now=now)
    return list(dict.fromkeys(lacking.values()))


def feedback_on(submission: Submission) -> list[FeedbackScore] | None:
    """The scores of a submission whose phase gives them at once, in the order of its tasks; None in other phases.

    Each is that of the primary metric over all items, of several seeds their mean. Empty until it is scored.
    """
    if submission.phase.feedback != Phase.FeedbackMoment.IMMEDIATE:
        return None
    done = ScoringRun.objects.filter(submission=submission, part=ALL, status=ScoringRun.Status.DONE)
    runs = done.select_related("split__task__benchmark", "predictions")
    newest = {
        (run.split, run.predictions.seed): run
        for run in runs.order_by(
            "split__task__position", "split__slug", "predictions__seed", "gold_version__number"
        )
    }
    scores = {(score.run_id, score.metric): score for score in Score.objects.filter(run__in=newest.values())}
    by_split: dict[Split, list[Score]] = defaultdict(list)
    for (split, _), run in newest.items():
        score = scores.get((run.pk, split.task.spec.primary_metric.name))
        by_split[split] += [score] if score else []
    return [_mean(split, of_seeds) for split, of_seeds in by_split.items() if of_seeds]


def _mean(split: Split, scores: Sequence[Score]) -> FeedbackScore:
    values = [score.value for score in scores if score.value is not None]
    undefined = next((score.undefined for score in scores if score.value is None), "")
    value = None if undefined else fsum(values) / len(values)
    return FeedbackScore(split.task, split.slug, scores[0].metric, value, undefined)
