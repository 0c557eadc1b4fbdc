"""Which answers to a task each release tells something of: exact ones, those judged through noise, and feedback.

What the development data tell is left out.
"""

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from django.db import DEFAULT_DB_ALIAS
from django.db.models import Q, QuerySet

from benchmarks.models import Task
from benchmarks.spec import DEV
from catalogue.disclosure.rule import NOISED, NOISY
from leaderboard.models import Release, ReleaseCell
from leaderboard.release_cells import holds_in
from scoring.disclosure.final_choice import runs_over_all
from scoring.disclosure.standings import OF_A_RUN
from scoring.disclosure.tries import runs_behind
from scoring.models import Batch, Disclosed, GoldVersion, ScoringRun, ToldAnswer

_Row = TypeVar("_Row", Disclosed, ToldAnswer)


@dataclass(frozen=True, slots=True)
class ReleasedAnswer:
    """What a release tells of one answer: all its scores; where it `is_noised`, what follows from one through noise.

    Where it `is_beside` others, it stands beside the number that ranks, and is compared with none. `told_bits` is what
    was charged of a number that its team was told, at that time and by itself; 0 of all others.
    """

    run: ScoringRun
    team: str
    is_noised: bool = False
    is_beside: bool = False
    told_bits: float = 0.0


def exact_answers(task: Task, releases: Sequence[Release]) -> dict[int, list[ReleasedAnswer]]:
    """By release, the answers whose exact scores fill its cells, and those among which these were chosen by score.

    The releases are one or more of the task's benchmark, in their order.

    The corrected range of a chosen one is made of them all. Beside scores of what was kept back stand those of the same
    answers over all items.
    """
    by_release: dict[int, list[ReleasedAnswer]] = {}
    by_phase: dict[int, list[tuple[int, int | None, ReleasedAnswer]]] = defaultdict(list)
    splits = {split.pk: split for split in task.splits.exclude(slug=DEV)}
    gold_versions = GoldVersion.objects.filter(split__in=splits).in_bulk()
    still_open = Q(until__isnull=True) | Q(until__gt=releases[0].number)
    cells = ReleaseCell.objects.filter(still_open, split__in=splits, disclosed__isnull=True)
    columns = ("phase", "begun", "until", "system__team", *(f"score__run__{name}" for name in OF_A_RUN))
    for phase, begun, until, team, *row in cells.with_begin().order_by("place").values_list(*columns):
        run = ScoringRun.from_db(DEFAULT_DB_ALIAS, OF_A_RUN, row)
        run.split, run.gold_version = splits[run.split_id], gold_versions[run.gold_version_id]
        run.split.task = task
        by_phase[phase].append((begun, until, ReleasedAnswer(run, str(team))))
    batches = Batch.objects.select_related("phase").in_bulk({release.batch_id for release in releases})
    for release in releases:
        if release.phase_id not in by_phase:
            continue
        batch = batches[release.batch_id]
        batch.phase.benchmark = task.benchmark
        own = by_release[release.pk] = [
            answer
            for begun, until, answer in by_phase[release.phase_id]
            if holds_in(release.number, begun, until)
        ]
        for run in runs_behind(batch, [answer.run for answer in own]):
            run.split = splits[run.split_id]
            own.append(ReleasedAnswer(run, str(run.submission.system.team_id)))
        ranked = {answer.run.pk: answer for answer in own}
        for pk, run in runs_over_all(answer.run for answer in own).items():
            run.split = ranked[pk].run.split
            own.append(ReleasedAnswer(run, ranked[pk].team, is_beside=True))
    return by_release


def judged_answers(
    task: Task, releases: Iterable[Release], known: set[int]
) -> dict[int, list[ReleasedAnswer]]:
    """By release, the answers that were judged through noise: those too that moved nothing, baselines like others.

    What was judged with a batch that had no release of its own comes with the next of its phase. Rows that are `known`
    are left out, and those that are found are known from then on.
    """
    by_release = defaultdict(list)
    after = _Releases(releases)
    rows = Disclosed.objects.filter(run__split__task=task).exclude(run__split__slug=DEV)
    for disclosed in _unknown(rows, known, "batch"):
        if (release := after.batch(disclosed.batch)) is not None:
            known.add(disclosed.pk)
            is_noised = disclosed.run.part == NOISED
            by_release[release].append(_answer(task, disclosed.run, is_noised=is_noised))
    return by_release


def told_answers(task: Task, releases: Iterable[Release], known: set[int]) -> dict[int, list[ReleasedAnswer]]:
    """By the first release that came after, the exact answers that were told to their teams as feedback.

    Rows that are `known` are left out, and those that are found are known from then on.
    """
    by_release = defaultdict(list)
    after = _Releases(releases)
    rows = ToldAnswer.objects.filter(run__split__task=task).exclude(run__split__slug=DEV)
    for told in _unknown(rows.exclude(run__part__in=NOISY), known):
        if (release := after.instant(told.told_at)) is not None:
            known.add(told.pk)
            by_release[release].append(_answer(task, told.run, told_bits=told.bits))
    return by_release


def _unknown(rows: QuerySet[_Row], known: Collection[int], *beside: str) -> list[_Row]:
    """Those rows of runs that are not known, with all that an answer asks of their run, in order."""
    unknown = {pk for pk in rows.values_list("pk", flat=True) if pk not in known}
    behind = [f"run__{name}" for name in ("gold_version", "split", "submission__system", "submission__phase")]
    found = rows.select_related(*behind, *beside).in_bulk(unknown)
    return [row for _, row in sorted(found.items())]


def _answer(
    task: Task, run: ScoringRun, *, is_noised: bool = False, told_bits: float = 0.0
) -> ReleasedAnswer:
    run.split.task = task
    team = str(run.submission.system.team_id)
    return ReleasedAnswer(run, team, is_noised=is_noised, told_bits=told_bits)


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
