"""Which answer of each row is scored on what was kept back: chosen by what was displayed, when the phase closed."""

import uuid
from collections.abc import Collection, Iterable, Iterator

from benchmarks.models import Phase, Split
from benchmarks.spec import DEV
from catalogue.disclosure.rule import ALL, RANKED_AGAIN, REMAINDER
from scoring.disclosure.standings import Place, row_key, standings_by_row, taken_in
from scoring.models import Batch, FinalAnswer, ScoringRun
from submissions.models import Choice, Predictions, Submission


def choose_final_answers(batch: Batch, *, soon: Collection[uuid.UUID]) -> None:
    """Keep the final answer of each row and split that has none yet, once the displayed items of a batch are scored.

    It is the answer that the row stands with. Where nothing of it was displayed it is the chosen one, or else the
    latest. What was chosen stays chosen, whatever is withdrawn or handed in later. The submissions that are `soon`
    called scored count already.
    """
    held = set(FinalAnswer.objects.filter(phase=batch.phase_id).values_list("row", "track", "split"))
    splits = {
        split.pk: split
        for split in Split.objects.filter(task__benchmark=batch.phase.benchmark_id, task__is_retired=False)
        .exclude(slug=DEV)
        .select_related("task")
    }
    displayed = {
        (row, place): answer.submission.pk
        for row, standing in standings_by_row(batch, at_the_end=False, soon=soon).items()
        for place, answer in standing.answers.items()
    }
    latest: dict[tuple[str, str, int], tuple[Place, Submission]] = {}
    chosen = set(Choice.objects.filter(phase=batch.phase).values_list("submission_id", "split_id"))
    for submission, split in _answered(batch, splits):
        place = submission.track or batch.phase.benchmark.spec.main_track, split.task.slug, split.slug
        key = row_key(batch.phase, submission), submission.track, split.pk
        before = latest.get(key)
        if before is None or (before[1].pk, split.pk) not in chosen:
            latest[key] = place, submission
    FinalAnswer.objects.bulk_create(
        [
            FinalAnswer(
                phase=batch.phase,
                row=row,
                track=track,
                split_id=split,
                submission_id=displayed.get((row, place), submission.pk),
            )
            for (row, track, split), (place, submission) in latest.items()
            if (row, track, split) not in held
        ],
        ignore_conflicts=True,
    )


def _answered(batch: Batch, splits: dict[int, Split]) -> Iterator[tuple[Submission, Split]]:
    """Each split that a countable submission answers, in the order in which they came in."""
    countable = taken_in(batch).countable_soon().distinct()
    submissions = {one.pk: one for one in countable.select_related("system")}
    answers = Predictions.objects.filter(submission__in=submissions, split__in=splits).values_list(
        "submission_id", "split_id"
    )
    for submission, split in sorted(set(answers), key=lambda one: submissions[one[0]].received_at):
        submissions[submission].phase = batch.phase
        yield submissions[submission], splits[split]


def is_chosen(phase: Phase) -> bool:
    """Whether the phase has closed with final answers."""
    return FinalAnswer.objects.filter(phase=phase).exists()


def runs_over_all(final: Iterable[ScoringRun]) -> dict[int, ScoringRun]:
    """By the key of a run that ranks what was kept back, the run of the same predictions over all items, if there is
    one: its scores stand beside those that rank."""
    kept_back = (REMAINDER, RANKED_AGAIN[REMAINDER])
    ranked = {(run.predictions_id, run.gold_version_id): run.pk for run in final if run.part in kept_back}
    same = ScoringRun.objects.filter(
        part__in=[ALL, RANKED_AGAIN[ALL]], predictions__in=[predictions for predictions, _ in ranked]
    )
    beside = ("gold_version", "submission__system", "submission__phase")
    found = {
        (run.predictions_id, run.gold_version_id): run for run in same.select_related(*beside).order_by("pk")
    }
    return {ranked[key]: run for key, run in found.items() if key in ranked}
