"""On what the column that ranks a release was measured: sets of items, gold labels, metric. Frozen with it."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from benchmarks.models import Benchmark
from benchmarks.spec import OVERALL, TEST, BenchmarkSpec, MissingTask
from leaderboard.board.model.board import RankedOn
from leaderboard.models import Release, ReleaseCell
from leaderboard.reports.report import ReleaseDraft, ReleaseReport
from scoring.models import ScoringRun

Measured = tuple[str, str, int, int, str]
"""A set of items as `_called`, metric and its version, gold version, and which items were scored."""


class RankedOnReport(ReleaseReport[RankedOn]):
    """What the overall board is ranked on; no page shows it, boards of two releases are compared by it."""

    key = "ranked_on"

    def make(self, draft: ReleaseDraft) -> RankedOn:
        spec, key = draft.release.benchmark.spec, draft.boards[OVERALL].rank_by
        sets = dict.fromkeys(_sets_of(spec, key))
        own = [
            cell
            for cell in draft.cells
            if _called(cell.task.slug, cell.split.slug) in sets and cell.track in ("", spec.main_track)
        ]
        runs = ScoringRun.objects.filter(pk__in={cell.score.run_id for cell in own})
        gold_and_part = {run: about for run, *about in runs.values_list("pk", "gold_version__number", "part")}
        measured = {
            (
                _called(cell.task.slug, cell.split.slug),
                cell.score.metric,
                cell.score.metric_version,
                *gold_and_part[cell.score.run_id],
            )
            for cell in own
        }
        return _means(spec, key) | {name: {} for name in sets} | _by_set(measured)


def ranked_on(benchmark: Benchmark, boards: Mapping[int, str]) -> dict[int, RankedOn]:
    """The same of releases that are out: as frozen, and of those from before there was such a thing from their cells.

    `boards` are the columns that rank them, by the numbers of the releases. Which tasks an average was made of is told
    by the definition of today then, and by what was answered: without an answer to each, nobody would have had a rank.
    """
    releases = Release.objects.filter(benchmark=benchmark, number__in=boards)
    stored = {
        number: report for number, report in releases.reports("ranked_on").items() if report is not None
    }
    older = {number: key for number, key in boards.items() if number not in stored}
    return stored | (_of_older(benchmark, older) if older else {})


def _of_older(benchmark: Benchmark, boards: Mapping[int, str]) -> dict[int, RankedOn]:
    spec = benchmark.spec
    by_release: dict[int, set[Measured]] = defaultdict(set)
    columns = (
        "task__slug",
        "split__slug",
        "score__metric",
        "score__metric_version",
        "score__run__gold_version__number",
        "score__run__part",
    )
    sets = {key: list(_sets_of(spec, key)) for key in set(boards.values())}
    for release in Release.objects.filter(benchmark=benchmark, number__in=boards):
        cells = ReleaseCell.objects.of(release).filter(track__in=("", spec.main_track))
        for task, split, *about in cells.values_list(*columns).distinct():
            if (name := _called(task, split)) in sets[boards[release.number]]:
                by_release[release.number].add((name, *about))
    known: dict[int, RankedOn] = {}
    for number, measured in by_release.items():
        means = _means(spec, boards[number])
        # Today's definition says which tasks there were only where an average takes in unanswered ones.
        takes_all = any(about["missing tasks"] != MissingTask.UNRANKED for about in means.values())
        tasks = sets[boards[number]] if takes_all else ()
        known[number] = means | {name: {} for name in tasks} | _by_set(measured)
    return known


def _sets_of(spec: BenchmarkSpec, key: str) -> Iterator[str]:
    """Every set of items that a column is made of."""
    column, _, split = key.partition(":")[0].partition("@")
    average = next((average for average in spec.averages if average.id == column), None)
    if average is not None:
        for part in average.of:
            yield from _sets_of(spec, f"{part}@{split}" if split else part)
    elif any(task.id == column for task in spec.tasks):
        splits = (split,) if split else spec.task(column).test_splits
        yield from (_called(column, each) for each in splits)


def _means(spec: BenchmarkSpec, key: str) -> dict[str, dict[str, str]]:
    column = key.partition(":")[0].partition("@")[0]
    averages = (average for average in spec.averages if average.id == column)
    return {average.id: {"missing tasks": average.missing.value} for average in averages}


def _by_set(measured: Iterable[Measured]) -> dict[str, dict[str, str]]:
    """What is known of each set; where rows of one release were measured in several ways all of these are told."""
    heads = ("metric", "version of the metric", "gold labels", "items")
    about: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    for name, metric, version, gold, part in sorted(measured):
        about[name].append((metric, str(version), str(gold), part or "all"))
    return {
        name: {
            head: ", ".join(sorted(set(values)))
            for head, values in zip(heads, zip(*ways, strict=True), strict=True)
        }
        for name, ways in about.items()
    }


def _called(task: str, split: str) -> str:
    return task if split == TEST else f"{task}/{split}"
