"""Make published scores once more from the bytes that were uploaded, and say what differs from what is stored.

Nothing is written. A sentence names submissions, scores and digests; of gold labels it never says anything.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256

from benchmarks.models import Split
from benchmarks.spec import BundleRule
from scoring.core.engine import ScoreValue
from scoring.core.uncertainty.intervals import Interval
from scoring.models import RunReplicates, Score, ScoringRun
from scoring.reproduction.evaluation import tolerant
from scoring.run_scoring import Error, RunFailed, score_run, scorer_version
from scoring.uncertainty.resampling import Uncertainty, uncertainties
from submissions.intake import CanonicalPredictions, SplitTarget, read_upload
from submissions.models import Submission
from submissions.systems.status_texts import removal_in_words
from submissions.uploads.expected_splits import alignment_sha256, item_ids

_KEPT = 12  # digits of a digest that a sentence shows


@dataclass(slots=True)
class Recomputed:
    """What came of it: `scores` by run and metric, made anew where that could be done, else as they are stored.

    `differences` are findings; `left_out` says what this code cannot make anew, and why; `failed` says what it should
    have made anew and could not, such as scores under gold labels that the given key does not open.
    """

    scores: dict[int, dict[str, Score]] = field(default_factory=lambda: defaultdict(dict))
    differences: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    file_count: int = 0
    score_count: int = 0


def recompute(run_ids: Collection[int]) -> Recomputed:
    """Take runs from the stored files through intake to their scores, each under its own gold version."""
    result = Recomputed()
    for score in Score.objects.filter(run__in=run_ids).order_by("run", "metric", "stratum"):
        result.scores[score.run_id][score.metric] = score
    runs = (
        ScoringRun.objects.filter(pk__in=run_ids)
        .select_related(
            "submission__system__team", "split__task__benchmark", "predictions__codes", "gold_version"
        )
        .order_by("submission__received_at", "submission", "split", "predictions__seed")
    )
    by_submission = defaultdict(list)
    for run in runs:
        run.split = run.split.as_of(run.gold_version.number)
        by_submission[run.submission].append(run)
    for submission, own in by_submission.items():
        _recompute_submission(submission, own, result)
    return result


def _recompute_submission(submission: Submission, runs: list[ScoringRun], result: Recomputed) -> None:
    system = submission.system
    name = f"submission {str(submission.pk)[:8]} of {system} ({system.team})"
    if gone := removal_in_words(submission):
        result.left_out.append(f"{name}: {gone}")
        return
    possible = []
    for run in runs:
        if reason := _reason_against(run):
            result.left_out.append(f"{name}, {_place(run)}: {reason}")
        else:
            possible.append(run)
    data = _stored_bytes(submission, name, result)
    if data is None or not possible:
        return
    result.file_count += 1
    read = _read(submission, data, possible)
    if isinstance(read, str):
        result.differences.append(f"{name}: {read}")
        return
    for run in possible:
        _recompute_run(run, name, read, result)


def _reason_against(run: ScoringRun) -> str:
    """Why the scores of a run cannot be made anew by this server; empty where they can."""
    if run.split.task.is_retired:
        return "the definition no longer names the task."
    now = scorer_version(run.split.task.version)
    if run.scorer_version != now:
        return (
            f"it was scored by scorer {run.scorer_version}, and this server has {now}; use the code of then."
        )
    if run.predictions.alignment_sha256 != alignment_sha256(run.split):
        return "the ids of the set, or the labels of the task, are others than when the file was accepted."
    return ""


def _stored_bytes(submission: Submission, name: str, result: Recomputed) -> bytes | None:
    """The uploaded file; None where there is none. One that was changed is told, and read all the same."""
    try:
        with submission.stored_file.open("rb") as file:
            data = bytes(file.read())
    except (OSError, ValueError):
        result.differences.append(
            f"{name}: the stored file {submission.stored_file.name} is not there or cannot be read."
        )
        return None
    digest = sha256(data).hexdigest()
    if digest != submission.file_sha256:
        result.differences.append(
            f"{name}: the stored file {submission.stored_file.name} has changed; its SHA-256 was "
            f"{submission.file_sha256[:_KEPT]}… when it was received and is {digest[:_KEPT]}… now."
        )
    return data


Answered = Mapping[tuple[str, str, int], CanonicalPredictions]


def _read(submission: Submission, data: bytes, runs: list[ScoringRun]) -> Answered | str:
    """The canonical predictions by task, split and seed; a sentence where intake refuses the file today."""
    spec = runs[0].split.task.benchmark.spec
    targets = [
        SplitTarget(spec.task(split.task.slug), split.slug, item_ids(split.pk, split.ids_sha256))
        for split in _splits_of_files(submission, runs)
    ]
    tasks = {target.task.id for target in targets}
    read = read_upload(
        data,
        file_name=submission.file_name,
        # As if a zip had to hold no more than these, and might hold whatever else the definition names.
        benchmark=replace(tolerant(spec, targets), bundle=BundleRule.ANY),
        targets=targets,
        task=tasks.pop() if len(tasks) == 1 else None,
        split=targets[0].split if len(targets) == 1 else None,
    )
    if not read.ok:
        first = read.problems[0]
        line = f", line {first.line}" if first.line else ""
        return f"the stored file is refused today, in {first.file}{line}: {first.message}"
    return {
        (predictions.task, predictions.split, predictions.seed): predictions
        for predictions in read.predictions
    }


def _splits_of_files(submission: Submission, runs: list[ScoringRun]) -> list[Split]:
    """The splits of these runs, and those that the same files answer, such as an equity corpus beside the test set."""
    wanted = {(run.split.task_id, run.split.task.spec.path_of(run.split.slug)) for run in runs}
    splits = Split.objects.filter(predictions__submission=submission, task__is_retired=False).distinct()
    answered = splits.select_related("task__benchmark").order_by("pk")
    as_then = {run.split_id: run.split for run in runs}
    return [
        as_then.get(split.pk, split)
        for split in answered
        if (split.task_id, split.task.spec.path_of(split.slug)) in wanted
    ]


def _recompute_run(run: ScoringRun, name: str, read: Answered, result: Recomputed) -> None:
    place, accepted = f"{name}, {_place(run)}", run.predictions
    answers = read.get((run.split.task.slug, run.split.slug, accepted.seed))
    if answers is None:
        result.differences.append(f"{place}: the stored file holds no predictions for it.")
        return
    if answers.sha256 != accepted.sha256:
        result.differences.append(
            f"{place}: the canonical predictions made of the stored file are not those that were "
            f"accepted (SHA-256 {accepted.sha256[:_KEPT]}… then, {answers.sha256[:_KEPT]}… now)."
        )
    if not _is_stored_alike(run):
        result.differences.append(f"{place}: the predictions kept in the database have changed.")
    run.predictions.codes.packed = answers.to_bytes()  # in memory alone
    try:
        compared = score_run(run)
    except RunFailed as failure:
        result.failed.append(f"{place}: {Error(failure.error).label}")
        return
    unsure = uncertainties([compared])[run.pk]
    values = {value.metric: value for value in compared.report.values}
    stored = result.scores[run.pk]
    for metric in sorted({*values, *stored}):
        was, now = stored.get(metric), values.get(metric)
        where = f"{place}, {metric}"
        if was and now and was.metric_version != now.metric_version:
            result.left_out.append(
                f"{where}: it is of version {was.metric_version} of the metric, and this server has version "
                f"{now.metric_version}; use the code of then."
            )
            continue
        result.differences += _score_differences(where, was, now)
        if now:
            result.score_count += 1
            stored[metric] = again = _unsaved(run, was, now, unsure.intervals.get(metric))
            if was and (was.ci_low, was.ci_high) != (again.ci_low, again.ci_high):
                result.differences.append(
                    f"{where}: the stored interval is {was.ci_low!r} to {was.ci_high!r}, recomputed "
                    f"{again.ci_low!r} to {again.ci_high!r}."
                )
    result.differences += _replicate_differences(place, run, unsure)


def _unsaved(run: ScoringRun, was: Score | None, now: ScoreValue, interval: Interval | None) -> Score:
    """The score as it was made now; without an interval where none was stored, as before there were any."""
    kept = interval if was and was.ci_low is not None else None
    return Score(
        pk=was.pk if was else None,
        run=run,
        metric=now.metric,
        metric_version=now.metric_version,
        value=now.value,
        undefined=now.undefined or "",
        ci_low=kept.low if kept else None,
        ci_high=kept.high if kept else None,
    )


def _replicate_differences(where: str, run: ScoringRun, unsure: Uncertainty) -> Iterator[str]:
    """Whether the resampled scores are those that are stored; runs from before there were any have none."""
    was, now = RunReplicates.objects.filter(run=run).first(), unsure.replicates
    if was is None:
        return
    if now is None:
        yield f"{where}: there are stored resamples, and none are made now."
        return
    for what in ("metrics", "count", "method", "seed_id"):
        before, after = getattr(was, what), getattr(now, what)
        if before != after:
            yield f"{where}: {what} of the stored resamples is {before!r}, of those made now {after!r}."
    if bytes(was.packed) != bytes(now.packed):
        yield f"{where}: the stored resampled scores are not those that are made now."


def _is_stored_alike(run: ScoringRun) -> bool:
    """Whether the predictions in the database are still those whose digest stands beside them."""
    try:
        return run.predictions.canonical().sha256 == run.predictions.sha256
    except Exception:  # noqa: BLE001  # whatever is wrong with the stored bytes
        return False


def _score_differences(where: str, was: Score | None, now: ScoreValue | None) -> Iterator[str]:
    if was is None:
        yield f"{where}: there is no stored score, and one is made now."
    elif now is None:
        yield f"{where}: there is a stored score, and none is made now."
    elif (was.value, was.undefined or None) != (now.value, now.undefined):
        yield f"{where}: stored is {_shown(was)}, recomputed {_shown(now)}."


def _shown(score: Score | ScoreValue) -> str:
    return repr(score.value) if score.value is not None else f"undefined ({score.undefined})"


def _place(run: ScoringRun) -> str:
    seed = f", seed {run.predictions.seed}" if run.predictions.seed > 1 else ""
    return f"{run.split.task.slug}/{run.split.slug}{seed}"
