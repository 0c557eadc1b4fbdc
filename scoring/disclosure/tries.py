"""Among how many scored answers each answer that counts was chosen: the best of many looks better than it is."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import replace

from benchmarks.models import Phase
from catalogue.disclosure.rule import NOISY
from scoring.disclosure.standings import Standing, row_key, taken_in
from scoring.models import Batch, ScoringRun
from submissions.models import Submission

BY_SCORE = {Phase.CountingRule.BEST, Phase.CountingRule.CHOSEN}
"""Counting rules by which whoever knows the scores picks among them."""

# What is scored alike: gold labels, part of the items, scorer.
_Ground = tuple[int, str, str]


def with_tries(batch: Batch, rows: Iterable[Standing]) -> list[Standing]:
    """The same rows; each answer that was chosen by its score names the scoring runs among which it was.

    Every answer of the row counts that a batch up to this one had scored on the same items with the same gold labels
    and scorer, withdrawn ones too, and what was told as feedback: its score was known to
    whoever chose. One that is held back and was never published
    told nobody its score. Nothing is added under other counting rules, of answers shown through noise, and of answers
    to what was kept back, which were chosen before it was looked at.
    """
    rows = list(rows)
    if batch.phase.counting not in BY_SCORE:
        return rows
    chosen = [
        answer
        for standing in rows
        for answer in standing.answers.values()
        if answer.submission.phase_id == batch.phase_id and answer.part not in NOISY and answer.run_ids
    ]
    among = _among(batch, {answer.split.pk for answer in chosen})
    for standing in rows:
        for place, answer in standing.answers.items():
            own = answer.run_ids
            runs = among.get(next(iter(own.values()), 0), ())
            tries = _complete(runs, len(own))
            if len(tries) > 1 and own in tries:
                standing.answers[place] = replace(answer, tries=tries)
    return rows


def runs_behind(batch: Batch, chosen: Collection[ScoringRun]) -> list[ScoringRun]:
    """The runs of those answers that count for nothing but having been tried beside these, which are not among them.

    Each comes with its gold version, submission, system and phase.
    """
    if batch.phase.counting not in BY_SCORE:
        return []
    among = _among(batch, {run.split_id for run in chosen})
    behind = {run.pk: run for own in chosen for run in among.get(own.pk, ())}
    return [run for pk, run in behind.items() if pk not in {own.pk for own in chosen}]


def _among(batch: Batch, splits: Collection[int]) -> dict[int, list[ScoringRun]]:
    """By run, all those for the same cell on the same ground, itself too."""
    alike: dict[object, list[ScoringRun]] = defaultdict(list)
    runs = _runs(batch, splits)
    for run in runs:
        alike[_cell(batch.phase, run.submission, run.split_id), _ground(run)].append(run)
    return {run.pk: alike[_cell(batch.phase, run.submission, run.split_id), _ground(run)] for run in runs}


def _runs(batch: Batch, splits: Collection[int]) -> list[ScoringRun]:
    unseen = Submission.objects.held_back().exclude(status=Submission.Status.PUBLISHED)
    as_feedback = Submission.objects.filter(phase=batch.phase, told_at__lte=batch.cut_off_at)
    told = (taken_in(batch).exclude(pk__in=unseen.values("pk"))) | as_feedback
    runs = ScoringRun.objects.filter(
        status=ScoringRun.Status.DONE, submission__in=told, split__in=splits
    ).exclude(part__in=NOISY)
    beside = ("submission__system", "submission__phase", "predictions", "gold_version")
    return list(runs.select_related(*beside).order_by("pk"))


def _ground(run: ScoringRun) -> _Ground:
    return run.gold_version_id, run.part, run.scorer_version


def _cell(phase: Phase, submission: Submission, split: int) -> tuple[str, str, int]:
    """The cell that an answer can fill."""
    return row_key(phase, submission), submission.track or phase.benchmark.spec.main_track, split


def _complete(runs: Iterable[ScoringRun], seeds: int) -> tuple[dict[int, int], ...]:
    """By answer, its runs by seed; of those with as many seeds as the answer that counts, as others were no choice."""
    tries: dict[object, dict[int, int]] = defaultdict(dict)
    for run in runs:
        tries[run.submission_id][run.predictions.seed] = run.pk
    return tuple(own for own in tries.values() if len(own) >= seeds)
