"""Every score and every standing with all digits, as far as organisers may see them.

What the rule of a phase shows of an answer is all that stands here of it until the phase has ended: organisers see
under it what everybody sees, as in the preview of a release.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from django.db.models import Exists, OuterRef, Q

from benchmarks.models import Benchmark, Phase
from catalogue.disclosure.rule import NOISED
from leaderboard.models import Release, ReleaseCell
from leaderboard.publication.reproduction import boards_with_all_digits
from leaderboard.release_cells import holds_in
from scoring.models import Batch, BatchEntry, Disclosed, Score, ScoringRun

SCORES, STANDINGS = "scores.csv", "standings.csv"
SCORE_HEADS = (
    "submission",
    "system",
    "team",
    "phase",
    "track",
    "task",
    "split",
    "seed",
    "metric",
    "value",
    "undefined",
    "ci_low",
    "ci_high",
    "stratum",
    "part",
    "items",
    "gold_version",
    "metric_version",
    "scorer_version",
    "shown_by_rule",
    "releases",
)
STANDING_HEADS = (
    "release",
    "phase",
    "published_at",
    "board",
    "rank",
    "rank_low",
    "rank_high",
    "system",
    "team",
    "kind",
    "system_id",
    "submission",
    "column",
    "metric",
    "ranks_the_board",
    "value",
    "undefined",
    "ci_low",
    "ci_high",
    "deviation",
    "seeds",
)
_AT_ONCE = 500


def score_rows(benchmark: Benchmark) -> Iterator[tuple[Any, ...]]:
    """A line per score as `SCORE_HEADS`, by submission as received; a run at a time stands in memory."""
    open_rules = _phases_under_a_rule(benchmark)
    # What is scored ahead of its cut-off is told to nobody before.
    is_taken_in = Exists(BatchEntry.objects.filter(submission=OuterRef("submission")))
    runs = (
        ScoringRun.objects.filter(
            is_taken_in | Q(told__isnull=False),
            submission__phase__benchmark=benchmark,
            status=ScoringRun.Status.DONE,
        )
        .select_related(
            "submission__system__team",
            "submission__phase",
            "split__task",
            "predictions",
            "gold_version",
        )
        .order_by("submission__received_at", "pk")
    )
    for some in _in_parts(runs.iterator(chunk_size=_AT_ONCE)):
        keys = [run.pk for run in some]
        scores, shown, releases = _scores(keys), _disclosed(keys), _releases(keys)
        for run in some:
            is_hidden = run.submission.phase_id in open_rules or run.part == NOISED
            for score in scores[run.pk]:
                if not is_hidden:
                    told = (score.value, score.undefined, score.ci_low, score.ci_high)
                elif run.pk in shown and score.metric == run.split.task.spec.primary_metric.name:
                    told = (shown[run.pk].shown, shown[run.pk].undefined, None, None)
                else:
                    continue
                yield _score_row(run, score, told, shown.get(run.pk), releases[run.pk])


def _score_row(
    run: ScoringRun, score: Score, told: tuple[Any, ...], shown: Disclosed | None, releases: list[int]
) -> tuple[Any, ...]:
    submission = run.submission
    return (
        str(submission.pk),
        submission.system.name,
        submission.system.team.name,
        submission.phase.slug,
        submission.track,
        run.split.task.slug,
        run.split.slug,
        run.predictions.seed,
        score.metric,
        *told,
        score.stratum,
        run.part or "all",
        run.item_count,
        run.gold_version.number,
        score.metric_version,
        run.scorer_version,
        shown.rule if shown else "",
        " ".join(map(str, sorted(set(releases)))),
    )


def standing_rows(benchmark: Benchmark) -> Iterator[tuple[Any, ...]]:
    """A line per cell of every board of every release as `STANDING_HEADS`; one release stands in memory at a time."""
    for key in benchmark.releases.order_by("number").values_list("pk", flat=True):
        release = (
            Release.objects.whole().select_related("phase", "batch", "benchmark__definition").get(pk=key)
        )
        for name, board in boards_with_all_digits(release).items():
            for row in board.rows:
                for column in board.columns:
                    cell = row.cell(column.key)
                    yield (
                        release.number,
                        release.phase.slug,
                        release.published_at,
                        name,
                        row.rank,
                        row.rank_low,
                        row.rank_high,
                        row.system,
                        row.team,
                        row.kind.value,
                        row.system_id or "",
                        cell.submission or "",
                        column.key,
                        column.metric,
                        column.key == board.rank_by,
                        cell.value,
                        cell.undefined or "",
                        cell.ci_low,
                        cell.ci_high,
                        cell.deviation,
                        cell.seeds,
                    )


def _phases_under_a_rule(benchmark: Benchmark) -> frozenset[int]:
    """The phases of which no exact score may be seen yet, by anybody."""
    return frozenset(phase.pk for phase in benchmark.phases.all() if not _is_told(phase))


def _is_told(phase: Phase) -> bool:
    return (
        phase.rule.shows_everything()
        or phase.rule.shows_all
        or Batch.objects.filter(
            phase=phase, is_final=True, status__in=[Batch.Status.SCORED, Batch.Status.RELEASED]
        ).exists()
    )


def _in_parts(runs: Iterator[ScoringRun]) -> Iterator[list[ScoringRun]]:
    some: list[ScoringRun] = []
    for run in runs:
        some.append(run)
        if len(some) == _AT_ONCE:
            yield some
            some = []
    if some:
        yield some


def _scores(runs: list[int]) -> dict[int, list[Score]]:
    found = defaultdict(list)
    for score in Score.objects.filter(run__in=runs).order_by("metric", "stratum"):
        found[score.run_id].append(score)
    return found


def _disclosed(runs: list[int]) -> dict[int, Disclosed]:
    """What was shown of each, by the rule that judged it last."""
    return {shown.run_id: shown for shown in Disclosed.objects.filter(run__in=runs).order_by("pk")}


def _releases(runs: list[int]) -> dict[int, list[int]]:
    """The numbers of the releases that have a cell of each."""
    found: dict[int, list[int]] = defaultdict(list)
    cells = ReleaseCell.objects.filter(score__run__in=runs).with_begin()
    rows = list(cells.values_list("score__run", "phase", "begun", "until"))
    numbers: dict[int, list[int]] = defaultdict(list)
    for phase, number in Release.objects.filter(phase__in={phase for _, phase, *_ in rows}).values_list(
        "phase", "number"
    ):
        numbers[phase].append(number)
    for run, phase, begun, until in rows:
        found[run] += [number for number in numbers[phase] if holds_in(number, begun, until)]
    return found
