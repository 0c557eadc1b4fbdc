"""Which submission counts: what each system of a phase, or each team, stands with, cell by cell."""

import datetime as dt
import uuid
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from operator import attrgetter

from django.db.models import Q

from benchmarks.models import Benchmark, Phase, Split, Task
from benchmarks.spec import RowKind, TaskSpec
from catalogue.disclosure.rule import ALL, NOISED
from catalogue.metrics.choice import metric_for
from scoring.core.measures.seeds import summarise_seeds
from scoring.gold.rankings import part_that_ranks
from scoring.models import Batch, BatchEntry, Disclosed, FinalAnswer, GoldVersion, Score, ScoringRun
from scoring.run_scoring import NOT_SHOWN, scorer_version
from submissions.models import Choice, Submission, System
from submissions.querysets import SubmissionQuerySet

_AT_ONCE = 500  # runs; a database takes only so many ids in one statement

_Weight = tuple[bool, bool, float, dt.datetime, str]
Place = tuple[str, str, str]  # a cell of a row: track, task and split


@dataclass(frozen=True, slots=True)
class Measured:
    """The mean of a metric over the seeds, or the code of the reason why there is none."""

    value: float | None
    undefined: str | None
    deviation: float
    by_seed: Mapping[int, float]


@dataclass(frozen=True, slots=True)
class StandingAnswer:
    """One submission's scores for one split, by seed and metric.

    Where the rule of its phase shows something else, that is `disclosed`, and nothing else is told of the answer: no
    interval, and no other metric. All that boards, averages and exports are made of is asked of here. `part` says on
    which items it was scored; empty for all. `over_all` is beside a final score on what was kept back: the scores of
    the same answer over all items, which rank nothing. `tries` are the scoring runs, by seed, of all answers among
    which this one was chosen, itself too; empty where there was no choice by score (`scoring.disclosure.tries`).
    """

    submission: Submission
    task: Task
    split: Split
    scores: Mapping[int, Mapping[str, Score]]
    disclosed: Disclosed | None = None
    part: str = ""
    over_all: Mapping[int, Mapping[str, Score]] = field(default_factory=dict)
    tries: tuple[Mapping[int, int], ...] = ()

    @property
    def run_ids(self) -> dict[int, int]:
        """The scoring run of each seed."""
        return {seed: next(iter(scores.values())).run_id for seed, scores in self.scores.items() if scores}

    @property
    def place(self) -> Place:
        """The cell that it can fill. What was sent before the benchmark had tracks is on the main one."""
        track = self.submission.track or self.task.benchmark.spec.main_track
        return track, self.task.slug, self.split.slug

    @property
    def is_complete(self) -> bool:
        return len(self.scores) >= self.task.benchmark.spec.seeds

    def measured(self, metric: str) -> Measured | None:
        """What the seeds scored on a metric; None where it is not measured, or not shown."""
        if self.disclosed is not None:
            return self._as_disclosed(self.disclosed, metric)
        scores = {seed: by_metric[metric] for seed, by_metric in self.scores.items() if metric in by_metric}
        if not scores:
            return None
        values = {seed: score.value for seed, score in sorted(scores.items()) if score.value is not None}
        if len(values) < len(scores):
            reason = next(score.undefined for score in scores.values() if score.value is None)
            return Measured(None, reason, 0.0, {})
        summary = summarise_seeds(list(values.values()))
        return Measured(summary.mean, None, summary.deviation, values)

    def interval(self, metric: str) -> tuple[float | None, float | None]:
        """The interval of a score of one seed; none of a mean over several."""
        if len(self.scores) > 1 or self.disclosed is not None:
            return None, None
        score = next(iter(self.scores.values()))[metric]
        return score.ci_low, score.ci_high

    @property
    def primary(self) -> Measured | None:
        """What fills the task's column."""
        return self.measured(self.task.spec.primary_metric.name)

    def _as_disclosed(self, disclosed: Disclosed, metric: str) -> Measured | None:
        if metric != self.task.spec.primary_metric.name:
            is_measured = any(metric in by_metric for by_metric in self.scores.values())
            return Measured(None, NOT_SHOWN, 0.0, {}) if is_measured else None
        by_seed = {} if disclosed.shown is None else dict.fromkeys(self.scores, disclosed.shown)
        return Measured(disclosed.shown, disclosed.undefined or None, 0.0, by_seed)


@dataclass(slots=True)
class Standing:
    """One row's answers, one per cell: those that count. `system` is the one that was heard of last."""

    system: System
    answers: dict[Place, StandingAnswer] = field(default_factory=dict)


def standings(batch: Batch) -> list[Standing]:
    """What each system of a phase, or each team, stands with after a batch, by the phase's counting rule.

    Where breakers' sets are scored, the answers for the development data are those that the phases stand with in which
    the systems were built. A system that has answered nothing else has a row all the same.
    """
    rows = standings_by_row(batch)
    for behind in batches_behind(batch):
        for built in standings_by_row(behind).values():
            for answer in built.answers.values():
                row = rows.setdefault(
                    row_key(batch.phase, answer.submission), Standing(answer.submission.system)
                )
                held = row.answers.get(answer.place)
                if held is None or held.submission.received_at < answer.submission.received_at:
                    row.answers[answer.place] = answer
    return list(rows.values())


def standings_by_row(
    batch: Batch,
    *,
    under_any_gold: bool = False,
    at_the_end: bool | None = None,
    soon: Collection[uuid.UUID] = (),
) -> dict[str, Standing]:
    """What each row of a phase stands with after a batch, by the phase's counting rule; keys are those of `row_key`.

    Only scores under the current gold labels and the current scorer count, or, `under_any_gold`, the newest that there
    are. What a later batch took in does not: it may be scored already while this batch still waits for the
    organiser's word. What is shown through noise counts as it was judged. `at_the_end` says whether what was kept back
    counts, or what was displayed until then; by default the former with the batch that closed the phase. Submissions
    that are `soon` called scored count already.
    """
    phase = batch.phase
    at_the_end = batch.is_final if at_the_end is None else at_the_end
    weigh = _weights(batch)
    rows: dict[str, Standing] = {}
    for answer in _answers(batch, at_the_end=at_the_end, under_any_gold=under_any_gold, soon=soon):
        standing = rows.setdefault(row_key(phase, answer.submission), Standing(answer.submission.system))
        held = standing.answers.get(answer.place)
        if held is None or weigh(answer) > weigh(held):
            standing.answers[answer.place] = answer
    for standing in rows.values():
        submissions = [answer.submission for answer in standing.answers.values()]
        standing.system = max(submissions, key=attrgetter("received_at")).system
    return rows


def batches_behind(batch: Batch) -> list[Batch]:
    """Batches whose answers stand beside those of a batch.

    Where breakers' sets are scored these are the latest scored ones of the phases in which the systems were built,
    because development data are answered there and nowhere else.
    """
    if batch.phase.kind != Phase.Kind.SCORE:
        return []
    built = Phase.objects.filter(benchmark=batch.phase.benchmark_id, kind=Phase.Kind.BUILD)
    return [latest for phase in built if (latest := latest_scored(phase))]


def latest_scored(phase: Phase) -> Batch | None:
    """The phase's latest batch that is scored, whether it is released or not; None before there is one."""
    done = Batch.objects.filter(phase=phase, status__in=[Batch.Status.SCORED, Batch.Status.RELEASED])
    return done.order_by("-cut_off_at").first()


def row_key(phase: Phase, submission: Submission) -> str:
    """What the number of a submission stands for on boards: its system, or its team where that has one row.

    Baselines keep rows of their own.
    """
    is_of_team = phase.one_per_team and submission.system.kind == RowKind.SYSTEM
    return f"team:{submission.system.team_id}" if is_of_team else f"system:{submission.system_id}"


def taken_in(batch: Batch) -> SubmissionQuerySet:
    """The submissions that a batch or an earlier one of its phase took in."""
    entries = BatchEntry.objects.filter(batch__phase=batch.phase, batch__cut_off_at__lte=batch.cut_off_at)
    return Submission.objects.filter(pk__in=entries.values("submission"))


def runs_that_count(
    batch: Batch,
    *,
    at_the_end: bool,
    under_any_gold: bool = False,
    soon: Collection[uuid.UUID] = (),
    over_all: bool = False,
) -> list[ScoringRun]:
    """The scoring runs that a batch stands on, see `standings_by_row`; the newest of a prediction is last.

    Those of the submissions that are `soon` called scored are among them. With `over_all` they are the runs over all
    items in place of those over the part that ranks. Each comes with its predictions, with its
    split, task and benchmark, and with its submission, system, team and phase.
    """
    phase = batch.phase
    tasks = {task.pk: task for task in phase.benchmark.tasks.filter(is_retired=False)}
    for task in tasks.values():
        task.benchmark = phase.benchmark
    splits = {split.pk: split for split in Split.objects.filter(task__in=tasks)}
    for split in splits.values():
        split.task = tasks[split.task_id]
    parts = {
        pk: ALL if over_all else batch.part_of(split, at_the_end=at_the_end) for pk, split in splits.items()
    }
    if at_the_end:
        parts = {pk: part_that_ranks(phase, splits[pk], part) for pk, part in parts.items()}
    finals = final_answers(batch) if at_the_end and batch.rule.keeps_back else None
    runs = ScoringRun.objects.filter(
        status=ScoringRun.Status.DONE,
        split__in=splits,
        submission__in=taken_in(batch).countable_soon(),
    ).order_by("gold_version__number", "pk")  # of several runs for the same predictions, the last is taken
    if not under_any_gold:
        # What was judged through noise stays as it was: to judge it again would tell more.
        runs = runs.filter(Q(gold_version__in=GoldVersion.objects.current()) | Q(part=NOISED))
    submissions = {one.pk: one for one in phase.submissions.select_related("system__team")}
    counting = []
    # Of the queue's columns a board needs none, and instants and JSON take long to read.
    queue = ("lease_token", "lease_expires_at", "hinted_at", "deadline_at", "created_at", "libraries")
    for run in runs.select_related("predictions").defer(*queue):
        if run.part != parts[run.split_id]:
            continue
        if finals is not None and (run.submission_id, run.split_id) not in finals:
            continue
        run.split = splits[run.split_id]
        is_current = run.part == NOISED or run.scorer_version == scorer_version(run.split.task.version)
        if under_any_gold or is_current:
            run.submission = submissions[run.submission_id]
            run.submission.phase = phase
            if run.submission.status != Submission.Status.SCORING or run.submission_id in soon:
                counting.append(run)
    return counting


def guards_labels(benchmark: Benchmark) -> bool:
    """Whether a phase still keeps scores to itself, so that nothing may be shown that is made of all gold labels."""
    phases = benchmark.phases.exclude(pk__in=Batch.objects.filter(is_final=True).values("phase"))
    return any(not phase.rule.shows_everything() for phase in phases)


def final_answers(batch: Batch) -> set[tuple[uuid.UUID, int]]:
    """The submissions and splits that were chosen to be scored on what was kept back in the batch's phase."""
    return set(FinalAnswer.objects.filter(phase=batch.phase_id).values_list("submission_id", "split_id"))


def _answers(
    batch: Batch, *, at_the_end: bool, under_any_gold: bool, soon: Collection[uuid.UUID]
) -> Iterable[StandingAnswer]:
    asked = partial(runs_that_count, batch, at_the_end=at_the_end, under_any_gold=under_any_gold, soon=soon)
    runs, beside = asked(), asked(over_all=True) if at_the_end and batch.rule.keeps_back else []
    scores: dict[int, dict[str, Score]] = defaultdict(dict)
    ids = [run.pk for run in (*runs, *beside)]
    for start in range(0, len(ids), _AT_ONCE):
        for score in Score.objects.filter(run__in=ids[start : start + _AT_ONCE]).defer("created_at"):
            scores[score.run_id][score.metric] = score
    grouped: dict[tuple[object, int], dict[int, ScoringRun]] = defaultdict(dict)
    for run in runs:
        grouped[run.submission_id, run.split_id][run.predictions.seed] = run
    over_all: dict[tuple[object, int], dict[int, Mapping[str, Score]]] = defaultdict(dict)
    for run in beside:
        over_all[run.submission_id, run.split_id][run.predictions.seed] = scores[run.pk]
    disclosed = _disclosed(batch, runs)
    for by_seed in grouped.values():
        first = next(iter(by_seed.values()))
        if first.part == NOISED and (len(by_seed) > 1 or first.pk not in disclosed):
            continue
        yield StandingAnswer(
            first.submission,
            first.split.task,
            first.split,
            {seed: scores[run.pk] for seed, run in by_seed.items()},
            disclosed.get(first.pk),
            first.part,
            over_all.get((first.submission_id, first.split_id), {}) if first.part else {},
        )


def _disclosed(batch: Batch, runs: Iterable[ScoringRun]) -> Mapping[int, Disclosed]:
    """By run, what is shown of answers that a row's number stands for, or that have none to show."""
    if all(run.part != NOISED for run in runs):
        return {}
    stands = Q(leads=True) | Q(shown__isnull=True)
    judged = Disclosed.objects.filter(stands, rule=batch.disclosure, run__submission__phase=batch.phase_id)
    return {disclosed.run_id: disclosed for disclosed in judged}


def _weights(batch: Batch) -> Callable[[StandingAnswer], _Weight]:
    """How much an answer counts against another for the same cell, by the phase's rule.

    What the rule leaves open goes to the later submission. The best is the best of the complete groups of seeds: a
    single lucky seed is no mean.
    """
    chosen: set[tuple[object, int]] = set()
    if batch.phase.counting == Phase.CountingRule.CHOSEN:
        choices = Choice.objects.filter(phase=batch.phase)
        chosen.update(choices.values_list("submission_id", "split_id"))

    def weight(answer: StandingAnswer) -> _Weight:
        submission, is_complete, merit = answer.submission, False, 0.0
        if batch.phase.counting == Phase.CountingRule.BEST:
            is_complete, merit = answer.is_complete, float("-inf")
            if answer.primary and (value := answer.primary.value) is not None:
                merit = value if is_higher_better(answer.task.spec) else -value
        is_chosen = (submission.pk, answer.split.pk) in chosen
        return is_chosen, is_complete, merit, submission.received_at, str(submission.pk)

    return weight


def is_higher_better(task: TaskSpec, metric: str = "") -> bool:
    """The direction of one of a task's metrics; of the primary one where none is named."""
    return metric_for(task.output, metric or task.primary_metric.name).higher_is_better
