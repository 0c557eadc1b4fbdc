"""On what the column that ranks a release was measured: sets of items, gold labels, metric. Frozen with it."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from benchmarks.models import Benchmark
from benchmarks.spec import OVERALL, BenchmarkSpec
from benchmarks.spec.model import MissingTask
from leaderboard.assembly.row_cells import TEST
from leaderboard.board.model.board import Board, RankedOn
from leaderboard.models import Release, ReleaseCell
from leaderboard.reports.report import ReleaseDraft, ReleaseReport, Stored
from scoring.models import ScoringRun

Measured = tuple[str, str, str, int, int, str]
"""Task, split, metric and its version, gold version, and which items were scored."""


class RankedOnReport(ReleaseReport):
    """What the overall board is ranked on; no page shows it, boards of two releases are compared by it."""

    key = "ranked_on"

    def make(self, draft: ReleaseDraft) -> Stored:
        return ranked_on_report(draft.spec, draft.boards[OVERALL], draft.cells)


def ranked_on_report(spec: BenchmarkSpec, board: Board, cells: Collection[ReleaseCell]) -> dict[str, Any]:
    """On what the column that ranks a board was measured, from what fills the cells of its release."""
    places = dict.fromkeys(_places(spec, board.rank_by))
    own = [
        cell
        for cell in cells
        if (cell.task.slug, cell.split.slug) in places and cell.track in ("", spec.main_track)
    ]
    runs = (
        ScoringRun.objects.only("part", "gold_version__number")
        .select_related("gold_version")
        .in_bulk({cell.score.run_id for cell in own})
    )
    measured = {
        (
            cell.task.slug,
            cell.split.slug,
            cell.score.metric,
            cell.score.metric_version,
            runs[cell.score.run_id].gold_version.number,
            runs[cell.score.run_id].part,
        )
        for cell in own
    }
    return _means(spec, board.rank_by) | {_called(one): {} for one in places} | _sets(measured)


def ranked_on(benchmark: Benchmark, boards: Mapping[int, str]) -> dict[int, RankedOn]:
    """The same of releases that are out: as frozen, and of those from before there was such a thing from their cells.

    `boards` are the columns that rank them, by the numbers of the releases. Which tasks an average was made of is told
    by the definition of today then, and by what was answered: without an answer to each, nobody would have had a rank.
    """
    releases = Release.objects.filter(benchmark=benchmark, number__in=boards)
    found = {number: report for number, report in releases.reports("ranked_on").items() if report is not None}
    older = {number: key for number, key in boards.items() if number not in found}
    return found | (_of_older(benchmark, older) if older else {})


def _of_older(benchmark: Benchmark, boards: Mapping[int, str]) -> dict[int, RankedOn]:
    spec = benchmark.spec
    cells = ReleaseCell.objects.filter(
        release__benchmark=benchmark, release__number__in=boards, track__in=("", spec.main_track)
    )
    found: dict[int, set[Measured]] = defaultdict(set)
    rows = cells.order_by().values_list(
        "release__number",
        "task__slug",
        "split__slug",
        "score__metric",
        "score__metric_version",
        "score__run__gold_version__number",
        "score__run__part",
    )
    places = {key: set(_places(spec, key)) for key in set(boards.values())}
    for number, *place, metric, metric_version, gold, part in rows.distinct():
        task, split = map(str, place)
        if (task, split) in places[boards[number]]:
            found[number].add((task, split, metric, metric_version, gold, part))
    return {number: _known_of_older(spec, boards[number]) | _sets(one) for number, one in found.items()}


def _known_of_older(spec: BenchmarkSpec, key: str) -> dict[str, dict[str, str]]:
    """What today's definition says of a column of then: also the tasks, where an average takes in unanswered ones."""
    means = _means(spec, key)
    if all(about["missing tasks"] == MissingTask.UNRANKED for about in means.values()):
        return means
    return means | {_called(one): {} for one in _places(spec, key)}


def _places(spec: BenchmarkSpec, key: str) -> Iterator[tuple[str, str]]:
    """Task and split of every set of items that a column is made of."""
    place, _, _metric = key.partition(":")
    column, _, split = place.partition("@")
    average = next((one for one in spec.averages if one.id == column), None)
    if average is not None:
        for part in average.of:
            yield from _places(spec, f"{part}@{split}" if split else part)
    elif any(task.id == column for task in spec.tasks):
        splits = (split,) if split else spec.task(column).test_splits
        yield from ((column, one) for one in splits)


def _means(spec: BenchmarkSpec, key: str) -> dict[str, dict[str, str]]:
    column = key.partition(":")[0].partition("@")[0]
    average = next((one for one in spec.averages if one.id == column), None)
    return {} if average is None else {average.id: {"missing tasks": average.missing.value}}


def _sets(measured: Iterable[Measured]) -> dict[str, dict[str, str]]:
    """What is known of each set; where rows of one release were measured in several ways all of these are told."""
    found: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for task, split, metric, metric_version, gold, part in measured:
        about = found[_called((task, split))]
        about["metric"].add(metric)
        about["version of the metric"].add(str(metric_version))
        about["gold labels"].add(str(gold))
        about["items"].add(part or "all")
    return {
        name: {key: ", ".join(sorted(values)) for key, values in about.items()}
        for name, about in sorted(found.items())
    }


def _called(place: tuple[str, str]) -> str:
    task, split = place
    return task if split == TEST else f"{task}/{split}"
