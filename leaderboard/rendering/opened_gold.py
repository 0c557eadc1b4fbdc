"""Gold labels that are public, as files that anyone can check against what was published before."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from benchmarks.models import Benchmark, Split
from benchmarks.spec.model import GoldState
from leaderboard.board.exports.export import CSV_TYPE
from leaderboard.rendering.rendered_page import RenderedPage
from scoring.models import OpenedGold, OpeningOrder


def opened_gold(benchmark: Benchmark) -> dict[str, list[dict[str, Any]]]:
    """The versions of gold labels that are public, by task; those of one set stand together, the newest first."""
    by_task = defaultdict(list)
    for opened in _opened(benchmark):
        version = opened.gold_version
        split = version.split
        by_task[split.task.slug].append(
            {
                "title": benchmark.spec.task(split.task.slug).split(split.slug).title,
                "version": version.number,
                "url": _gold_path(opened),
                "salt": opened.salt,
                "commitment": version.commitment,
                "opened_at": opened.opened_at,
            }
        )
    return by_task


def tasks_with_public_gold(benchmark: Benchmark, *, since_ever: bool = False) -> frozenset[str]:
    """The tasks whose scored sets have public gold labels: by the definition, or because they were opened here.

    `since_ever` leaves out the latter, which were sealed when earlier releases came out.
    """
    spec = benchmark.spec
    public = {task.id for task in spec.tasks if task.gold_state is GoldState.PUBLIC}
    if since_ever:
        return frozenset(public)
    rows = Split.objects.filter(task__benchmark=benchmark, gold_opened_at__isnull=False)
    opened = set(rows.values_list("task__slug", "slug"))
    return frozenset(
        public
        | {
            task.id
            for task in spec.tasks
            if opened.issuperset((task.id, split) for split in task.test_splits)
        }
    )


def reason_for_opening(benchmark: Benchmark) -> str:
    """What the organiser said when gold labels were made public; empty where none had to say so."""
    order = OpeningOrder.objects.filter(benchmark=benchmark, done_at__isnull=False).first()
    return order.reason if order else ""


def _opened(benchmark: Benchmark) -> list[OpenedGold]:
    rows = OpenedGold.objects.filter(
        gold_version__split__task__benchmark=benchmark, gold_version__split__task__is_retired=False
    )
    rows = rows.select_related("gold_version__split__task")
    return list(
        rows.order_by(
            "gold_version__split__task__position", "gold_version__split__slug", "-gold_version__number"
        )
    )


def _gold_path(opened: OpenedGold) -> str:
    split = opened.gold_version.split
    task = split.task
    return f"/benchmarks/{task.benchmark_id}/gold/{task.slug}/{split.slug}/{opened.gold_version.number}.csv"


def gold_files(benchmark: Benchmark) -> Iterator[RenderedPage]:
    """Each version under its number, the newest of a set also under the set's own name."""
    newest = set()
    for opened in _opened(benchmark):
        path, body = _gold_path(opened), opened.csv()
        yield RenderedPage(path, CSV_TYPE, body)
        if opened.gold_version.split_id not in newest:
            newest.add(opened.gold_version.split_id)
            yield RenderedPage(f"{path.rpartition('/')[0]}.csv", CSV_TYPE, body)
