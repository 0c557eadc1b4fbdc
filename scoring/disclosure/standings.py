"""Which submission counts: what each system of a phase, or each team, stands with, cell by cell."""

import datetime as dt
import uuid
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from operator import attrgetter
from typing import Any

from django.db import DEFAULT_DB_ALIAS
from django.db.models import Case, Exists, F, OuterRef, Q, Value, When, Window
from django.db.models.functions import Rank

from benchmarks.models import Phase, Split, Task
from benchmarks.spec import RowKind, TaskSpec
from catalogue.disclosure.rule import ALL, NOISED
from catalogue.metrics.choice import metric_for
from scoring.core.measures.seeds import summarise_seeds
from scoring.gold.rankings import part_that_ranks
from scoring.models import Batch, BatchEntry, Disclosed, FinalAnswer, GoldVersion, Score, ScoringRun
from scoring.querysets import RunQuerySet
from scoring.run_scoring import NOT_SHOWN, scorer_version
from submissions.models import Choice, Predictions, Submission, System
from submissions.querysets import SubmissionQuerySet

_AT_ONCE = 500  # runs; a database takes only so many ids in one statement
# What boards and judged answers need of a run, in the order of its columns. Of the queue's they need none, and instants
# and JSON take long to read.
OF_A_RUN = (
    *("id", "submission_id", "split_id", "predictions_id", "gold_version_id", "scorer_version", "part"),
    "item_count",
)

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
        place = answer.place
        held = standing.answers.get(place)
        if held is None or weigh(answer) > weigh(held):
            standing.answers[place] = answer
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
    outdone: bool = True,
) -> list[ScoringRun]:
    """The scoring runs that a batch stands on, see `standings_by_row`; the newest of a prediction is last.

    Those of the submissions that are `soon` called scored are among them. With `over_all` they are the runs over all
    items in place of those over the part that ranks. Without the `outdone` there are only those of answers that count,
    where that can be told without their scores: after years of weeks most do not. Each comes with its split,
    task and benchmark, and with its submission, system, team and phase.
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
    runs = ScoringRun.objects.filter(
        _counting(splits, parts, under_any_gold=under_any_gold),
        ~Q(submission__status=Submission.Status.SCORING) | Q(submission__in=soon),
        status=ScoringRun.Status.DONE,
        submission__in=taken_in(batch).countable_soon(),
    ).order_by("gold_version__number", "pk")  # of several runs for the same predictions, the last is taken
    if at_the_end and batch.rule.keeps_back:
        chosen = FinalAnswer.objects.filter(phase=phase, submission=OuterRef("submission"))
        runs = runs.filter(Exists(chosen.filter(split=OuterRef("split"))))
    # Of answers judged through noise some are left out later, and then an earlier one counts.
    is_told_by_score = phase.counting == Phase.CountingRule.BEST or NOISED in parts.values()
    if not outdone and not is_told_by_score:
        runs = _first_by_rule(phase, runs)
    return _with_what_boards_need(phase, list(runs.values_list(*OF_A_RUN, named=True)), splits)


def _counting(splits: Mapping[int, Split], parts: Mapping[int, str | None], *, under_any_gold: bool) -> Q:
    """Runs on the parts of the splits that rank, under the current gold labels and scorer, or under any."""
    alike: dict[tuple[str, str], list[int]] = defaultdict(list)
    for pk, part in parts.items():
        if part is not None:
            alike[part, scorer_version(splits[pk].task.version)].append(pk)
    counting = Q(pk__in=())
    for (part, scorer), some in alike.items():
        own = Q(split__in=some, part=part)
        if not under_any_gold and part != NOISED:
            # What was judged through noise stays as it was: to judge it again would tell more.
            own &= Q(gold_version__in=GoldVersion.objects.current(), scorer_version=scorer)
        counting |= own
    return counting


def _first_by_rule(phase: Phase, runs: RunQuerySet) -> RunQuerySet:
    """Those of the answers that count for their cells, which the database tells: by choice, and then the latest.

    See `_weights_without_scores`. What it does not hand out is not read, and grows week by week.
    """
    row: F | Case = F("submission__system")
    if phase.one_per_team:
        is_of_team = When(submission__system__kind=RowKind.SYSTEM, then="submission__system__team")
        row = Case(is_of_team, default=row)
    is_on_main = When(submission__track="", then=Value(phase.benchmark.spec.main_track))
    latest = [F("submission__received_at").desc(), F("submission").desc()]
    if phase.counting == Phase.CountingRule.CHOSEN:
        choice = Choice.objects.filter(
            phase=phase, submission=OuterRef("submission"), split=OuterRef("split")
        )
        runs, latest = runs.alias(is_chosen=Exists(choice)), [F("is_chosen").desc(), *latest]
    cell = row, Case(is_on_main, default="submission__track"), F("split")
    ranked: RunQuerySet = runs.alias(place=Window(Rank(), partition_by=cell, order_by=latest))
    return ranked.filter(place=1)


def _with_what_boards_need(
    phase: Phase, rows: Sequence[Any], splits: Mapping[int, Split]
) -> list[ScoringRun]:
    """The runs of these rows, each of `OF_A_RUN`, with their splits and submissions; they are not read again."""
    submissions = phase.submissions.select_related("system__team").in_bulk(
        {row.submission_id for row in rows}
    )
    for submission in submissions.values():
        submission.phase = phase
    runs = [ScoringRun.from_db(DEFAULT_DB_ALIAS, OF_A_RUN, row) for row in rows]
    for run in runs:
        run.split, run.submission = splits[run.split_id], submissions[run.submission_id]
    return runs


def final_answers(batch: Batch) -> set[tuple[uuid.UUID, int]]:
    """The submissions and splits that were chosen to be scored on what was kept back in the batch's phase."""
    return set(FinalAnswer.objects.filter(phase=batch.phase_id).values_list("submission_id", "split_id"))


def _answers(
    batch: Batch, *, at_the_end: bool, under_any_gold: bool, soon: Collection[uuid.UUID]
) -> Iterable[StandingAnswer]:
    asked = partial(runs_that_count, batch, at_the_end=at_the_end, under_any_gold=under_any_gold, soon=soon)
    runs, beside = asked(outdone=False), asked(over_all=True) if at_the_end and batch.rule.keeps_back else []
    scores: dict[int, dict[str, Score]] = defaultdict(dict)
    seeds: dict[int, int] = {}
    read = [*runs, *beside]
    for start in range(0, len(read), _AT_ONCE):
        some = read[start : start + _AT_ONCE]
        for score in Score.objects.filter(run__in=[run.pk for run in some]).defer("created_at"):
            scores[score.run_id][score.metric] = score
        answered = Predictions.objects.filter(pk__in=[run.predictions_id for run in some])
        seeds.update(answered.values_list("pk", "seed"))
    grouped: dict[tuple[object, int], dict[int, ScoringRun]] = defaultdict(dict)
    for run in runs:
        grouped[run.submission_id, run.split_id][seeds[run.predictions_id]] = run
    over_all: dict[tuple[object, int], dict[int, Mapping[str, Score]]] = defaultdict(dict)
    for run in beside:
        over_all[run.submission_id, run.split_id][seeds[run.predictions_id]] = scores[run.pk]
    disclosed = _disclosed(batch, runs)
    for by_seed in grouped.values():
        first = next(iter(by_seed.values()))
        if not shows_a_number(by_seed, scores, disclosed):
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


def shows_a_number(
    by_seed: Mapping[int, ScoringRun],
    scores: Mapping[int, Mapping[str, Score]],
    disclosed: Mapping[int, Disclosed],
) -> bool:
    """Whether an answer has a number to show: through noise only what is judged, and what a row's number stands for.

    Judged by a metric that ranks no more, an answer shows nothing until a lot draws it again.
    """
    first = next(iter(by_seed.values()))
    if first.part != NOISED:
        return True
    is_by_metric = first.split.task.spec.primary_metric.name in scores[first.pk]
    return len(by_seed) == 1 and first.pk in disclosed and is_by_metric


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
    without_scores = _weights_without_scores(batch.phase)

    def weight(answer: StandingAnswer) -> _Weight:
        is_complete, merit = False, 0.0
        if batch.phase.counting == Phase.CountingRule.BEST:
            is_complete, merit = answer.is_complete, float("-inf")
            if answer.primary and (value := answer.primary.value) is not None:
                merit = value if is_higher_better(answer.task.spec) else -value
        is_chosen, received_at, key = without_scores(answer.submission, answer.split.pk)
        return is_chosen, is_complete, merit, received_at, key

    return weight


def _weights_without_scores(phase: Phase) -> Callable[[Submission, int], tuple[bool, dt.datetime, str]]:
    """How much a submission's answer for the split of that key counts, apart from its scores."""
    chosen: set[tuple[object, int]] = set()
    if phase.counting == Phase.CountingRule.CHOSEN:
        chosen.update(Choice.objects.filter(phase=phase).values_list("submission_id", "split_id"))
    return lambda submission, split: (
        (submission.pk, split) in chosen,
        submission.received_at,
        str(submission.pk),
    )


def is_higher_better(task: TaskSpec, metric: str = "") -> bool:
    """The direction of one of a task's metrics; of the primary one where none is named."""
    return metric_for(task.output, metric or task.primary_metric.name).higher_is_better
