"""From scores to boards: which submission fills which cell, and the averages over them."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from benchmarks.models import Phase, Split, Task
from benchmarks.spec import BenchmarkSpec, RowKind, TaskSpec
from benchmarks.spec.averages import averages
from leaderboard.board.model import Board, Cell, Column, Row
from leaderboard.board.ranking import rank
from scoring.core.engine import metric_for
from scoring.models import Batch, BatchEntry, GoldVersion, Score, ScoringRun
from scoring.runs import scorer_version
from submissions.models import Choice, Submission, System
from submissions.querysets import SubmissionQuerySet

OVERALL = "overall"


@dataclass(frozen=True, slots=True)
class Answer:
    """One submission's scores for one task, by metric."""

    submission: Submission
    task: Task
    split: Split
    scores: Mapping[str, Score]

    @property
    def primary(self) -> Score:
        """The score that fills the task's column."""
        return self.scores[self.task.spec.primary_metric.name]


@dataclass(slots=True)
class Standing:
    """One system's answers, one per task: those that count."""

    system: System
    answers: dict[str, Answer] = field(default_factory=dict)


def standings(batch: Batch) -> list[Standing]:
    """What each system of a phase stands with after a batch, by the phase's counting rule.

    Only scores under the current gold labels and the current scorer count. What a later batch took in does
    not: it may be scored already while this batch still waits for the organiser's word.
    """
    phase = batch.phase
    chosen = _choices(phase)
    rows: dict[object, Standing] = {}
    for answer in _answers(batch):
        system = answer.submission.system
        standing = rows.setdefault(system.pk, Standing(system))
        held = standing.answers.get(answer.task.slug)
        if held is None or _counts_more(phase, answer, held, chosen):
            standing.answers[answer.task.slug] = answer
    return list(rows.values())


def taken_in(batch: Batch) -> SubmissionQuerySet:
    """The submissions that a batch or an earlier one of its phase took in."""
    entries = BatchEntry.objects.filter(batch__phase=batch.phase, batch__cut_off_at__lte=batch.cut_off_at)
    return Submission.objects.filter(pk__in=entries.values("submission"))


def _answers(batch: Batch) -> Iterable[Answer]:
    phase = batch.phase
    tasks = {task.pk: task for task in phase.benchmark.tasks.filter(is_retired=False)}
    for task in tasks.values():
        task.benchmark = phase.benchmark
    runs = ScoringRun.objects.filter(
        status=ScoringRun.Status.DONE,
        gold_version__in=GoldVersion.objects.current(),
        split__slug="test",
        split__task__in=tasks,
        submission__in=taken_in(batch).countable(),
    )
    scores: dict[int, dict[str, Score]] = defaultdict(dict)
    for score in Score.objects.filter(run__in=runs):
        scores[score.run_id][score.metric] = score
    submissions = {one.pk: one for one in phase.submissions.select_related("system__team")}
    for run in runs.select_related("split").defer("split__ids_packed"):
        task = tasks[run.split.task_id]
        if run.scorer_version == scorer_version(task.version):
            yield Answer(submissions[run.submission_id], task, run.split, scores[run.pk])


def _choices(phase: Phase) -> set[tuple[object, int]]:
    """Pairs of submission and task that teams have chosen; none where the phase does not let them."""
    if phase.counting != Phase.CountingRule.CHOSEN:
        return set()
    return set(Choice.objects.filter(phase=phase).values_list("submission_id", "split__task_id"))


def _counts_more(phase: Phase, one: Answer, other: Answer, chosen: set[tuple[object, int]]) -> bool:
    """Whether `one` counts rather than `other`. What the rule leaves open goes to the later submission."""
    return _weight(phase, one, chosen) > _weight(phase, other, chosen)


def _weight(
    phase: Phase, answer: Answer, chosen: set[tuple[object, int]]
) -> tuple[bool, float, dt.datetime, str]:
    submission = answer.submission
    is_chosen = (submission.pk, answer.task.pk) in chosen
    merit = 0.0
    if phase.counting == Phase.CountingRule.BEST:
        value = answer.primary.value
        merit = float("-inf") if value is None else value if _is_higher_better(answer.task.spec) else -value
    return is_chosen, merit, submission.received_at, str(submission.pk)


def _is_higher_better(task: TaskSpec) -> bool:
    return metric_for(task.output, task.primary_metric.name).higher_is_better


def build_boards(
    *, phase: Phase, rows: Iterable[Standing], release: int, published_at: dt.datetime
) -> dict[str, Board]:
    """The overall board under `overall` and each task's board under its id."""
    rows = list(rows)
    spec = phase.benchmark.spec
    frame = _Frame(phase, spec, release, published_at)
    boards = {OVERALL: frame.overall(rows)}
    return boards | {task.id: frame.task(task, rows) for task in spec.tasks}


@dataclass(frozen=True, slots=True)
class _Frame:
    """What all boards of one release have in common."""

    phase: Phase
    spec: BenchmarkSpec
    release: int
    published_at: dt.datetime

    def overall(self, standings_: list[Standing]) -> Board:
        columns = (*self._average_columns(), *(_task_column(task) for task in self.spec.tasks))
        rows = [_row(one, self._overall_cells(one)) for one in standings_]
        return self._board(self.spec.title, columns, [*rows, *self._published_elsewhere(columns)], task=None)

    def task(self, task: TaskSpec, standings_: list[Standing]) -> Board:
        columns = (_task_column(task), *_secondary_columns(task))
        rows = [_row(one, _task_cells(one.answers[task.id])) for one in standings_ if task.id in one.answers]
        return self._board(task.title, columns, [*rows, *self._published_elsewhere(columns)], task=task.id)

    def _board(self, title: str, columns: tuple[Column, ...], rows: list[Row], *, task: str | None) -> Board:
        return Board(
            benchmark=self.spec.id,
            benchmark_title=self.spec.title,
            title=title,
            phase=self.phase.slug,
            release=self.release,
            published_at=self.published_at,
            columns=columns,
            rows=rank(rows, columns[0]),
            task=task,
            rank_by=columns[0].key,
            synthetic=self.phase.benchmark.is_synthetic,
            note="",
        )

    def _average_columns(self) -> tuple[Column, ...]:
        """An average reads like its first task: means are taken of one metric."""
        metric = self.spec.tasks[0].primary_metric
        better = _is_higher_better(self.spec.tasks[0])
        return tuple(
            Column(one.id, one.title, one.title, metric.name, f"mean of {metric.title}", better)
            for one in self.spec.averages
        )

    def _overall_cells(self, standing: Standing) -> dict[str, Cell]:
        cells = {slug: _cell(answer.primary, answer.submission) for slug, answer in standing.answers.items()}
        results = averages(self.spec.averages, {slug: cell.value for slug, cell in cells.items()})
        means = {key: Cell(result.value, result.undefined) for key, result in results.items()}
        return means | cells

    def _published_elsewhere(self, columns: tuple[Column, ...]) -> Iterable[Row]:
        keys = {column.key for column in columns}
        for row in self.spec.reported:
            values = {key: Cell(value, None) for key, value in row.values.items() if key in keys}
            if values:
                yield Row(row.system, None, "", row.kind, values, source=row.source)


def _row(standing: Standing, cells: dict[str, Cell]) -> Row:
    system = standing.system
    return Row(
        system=system.name,
        system_id=str(system.pk),
        team=system.team.name,
        kind=RowKind(system.kind),
        cells=cells,
        tags=tuple(system.tags),
    )


def _cell(score: Score, submission: Submission) -> Cell:
    return Cell(score.value, score.undefined or None, score.ci_low, score.ci_high, str(submission.pk))


def _task_cells(answer: Answer) -> dict[str, Cell]:
    task = answer.task.spec
    cells = {task.id: _cell(answer.primary, answer.submission)}
    for metric in task.metrics[1:]:
        if metric.name in answer.scores:
            cells[metric.name] = _cell(answer.scores[metric.name], answer.submission)
    return cells


def _task_column(task: TaskSpec) -> Column:
    metric = task.primary_metric
    return Column(task.id, task.code, task.title, metric.name, metric.title, _is_higher_better(task))


def _secondary_columns(task: TaskSpec) -> Iterable[Column]:
    for metric in task.metrics[1:]:
        better = metric_for(task.output, metric.name).higher_is_better
        yield Column(metric.name, metric.title, metric.title, metric.name, metric.title, better)
