"""Which answers to a task each release tells something of: exact ones, those judged through noise, and feedback.

What the development data tell is left out.
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from benchmarks.models import Split, Task
from benchmarks.spec import DEV
from catalogue.disclosure.rule import NOISED, NOISY
from leaderboard.models import Release, ReleaseCell
from leaderboard.release_cells import holds_in
from scoring.disclosure.tries import runs_behind
from scoring.models import Batch, Disclosed, ScoringRun, ToldAnswer


@dataclass(frozen=True, slots=True)
class ReleasedAnswer:
    """What a release tells of one answer: all its scores; where it `is_noised`, what follows from one through noise."""

    run: ScoringRun
    team: str
    is_noised: bool = False


def exact_answers(task: Task) -> dict[int, list[ReleasedAnswer]]:
    """By release, the answers whose exact scores fill its cells, and those among which these were chosen by score.

    The corrected range of a chosen one is made of them all.
    """
    by_release: dict[int, list[ReleasedAnswer]] = {}
    by_phase: dict[int, list[tuple[ReleaseCell, ReleasedAnswer]]] = defaultdict(list)
    splits: dict[int, Split] = {}
    cells = ReleaseCell.objects.filter(task=task, disclosed__isnull=True).exclude(split__slug=DEV)
    beside = ("score__run__gold_version", "score__run__submission__phase", "split", "system")
    for cell in cells.select_related(*beside).with_begin().order_by("place"):
        run = cell.score.run
        run.split = splits.setdefault(cell.split_id, cell.split)
        run.split.task = task
        by_phase[cell.phase].append((cell, ReleasedAnswer(run, str(cell.system.team_id))))
    releases = Release.objects.filter(phase__in=by_phase).select_related("batch__phase")
    for release in releases.order_by("number"):
        release.batch.phase.benchmark = task.benchmark
        own = by_release[release.pk] = [
            answer
            for cell, answer in by_phase[release.phase_id]
            if holds_in(release.number, cell.begun, cell.until)
        ]
        for run in runs_behind(release.batch, [answer.run for answer in own]):
            run.split = splits[run.split_id]
            by_release[release.pk].append(ReleasedAnswer(run, str(run.submission.system.team_id)))
    return by_release


def judged_answers(task: Task, releases: Iterable[Release]) -> dict[int, list[ReleasedAnswer]]:
    """By release, the answers that were judged through noise: those too that moved nothing, baselines like others.

    What was judged with a batch that had no release of its own comes with the next of its phase.
    """
    by_release = defaultdict(list)
    after = _Releases(releases)
    rows = Disclosed.objects.filter(run__split__task=task).exclude(run__split__slug=DEV)
    for disclosed in rows.select_related(
        "batch", "run__gold_version", "run__split", "run__submission__system", "run__submission__phase"
    ).order_by("pk"):
        run = disclosed.run
        run.split.task = task
        if (release := after.batch(disclosed.batch)) is not None:
            by_release[release].append(
                ReleasedAnswer(run, str(run.submission.system.team_id), is_noised=run.part == NOISED)
            )
    return by_release


def told_answers(task: Task, releases: Iterable[Release]) -> dict[int, list[ReleasedAnswer]]:
    """By the first release that came after, the exact answers that were told to their teams as feedback."""
    by_release = defaultdict(list)
    after = _Releases(releases)
    rows = ToldAnswer.objects.filter(run__split__task=task).exclude(run__split__slug=DEV)
    for told in (
        rows.exclude(run__part__in=NOISY)
        .select_related(
            "run__gold_version", "run__split", "run__submission__system", "run__submission__phase"
        )
        .order_by("pk")
    ):
        run = told.run
        run.split.task = task
        if (release := after.instant(told.told_at)) is not None:
            by_release[release].append(ReleasedAnswer(run, str(run.submission.system.team_id)))
    return by_release


class _Releases:
    """The releases of a benchmark by their order, to find which one is the first to follow something."""

    def __init__(self, releases: Iterable[Release]) -> None:
        self._releases = list(releases)
        self._cut_offs = dict(
            Batch.objects.filter(pk__in=[one.batch_id for one in self._releases]).values_list(
                "pk", "cut_off_at"
            )
        )

    def instant(self, at: dt.datetime) -> int | None:
        return next((one.pk for one in self._releases if at <= one.published_at), None)

    def batch(self, batch: Batch) -> int | None:
        return next(
            (
                one.pk
                for one in self._releases
                if one.phase_id == batch.phase_id and batch.cut_off_at <= self._cut_offs[one.batch_id]
            ),
            None,
        )
