"""With how many digits numbers go out: with all where gold labels are public, with four decimals where they are not.

Boards and reports pass through here when a release is frozen, and published scores when they are read. Ranks, ties,
tests and intervals are made of the exact scores before.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.models import Benchmark
from benchmarks.spec import BenchmarkSpec
from leaderboard.board.model.board import Board
from leaderboard.board.model.serialization import rounded, with_few_decimals
from leaderboard.rendering.opened_gold import tasks_with_public_gold


def boards_to_show(benchmark: Benchmark, exact: Mapping[str, Board]) -> dict[str, Board]:
    """The boards of a release as they are published: with all digits where the labels of all their tasks are public."""
    spec, public = benchmark.spec, tasks_with_public_gold(benchmark)
    return {
        key: board if public.issuperset(_tasks_of(board, spec)) else with_few_decimals(board)
        for key, board in exact.items()
    }


def reports_to_show(benchmark: Benchmark, exact: Mapping[str, Any]) -> dict[str, Any]:
    """What a release freezes beside its boards, as it is published."""
    is_public = tasks_with_public_gold(benchmark).issuperset(task.id for task in benchmark.spec.tasks)
    return dict(exact) if is_public else rounded(exact)


def _tasks_of(board: Board, spec: BenchmarkSpec) -> Iterator[str]:
    """The tasks that a board's numbers are made of; all of the benchmark where its columns do not say so."""
    if board.task is not None:
        yield board.task
        return
    parts = {average.id: average.of for average in spec.averages}
    names = [column.key.partition(":")[0].partition("@")[0] for column in board.columns]
    for name in names:
        names += parts.get(name, ())
    tasks = {task.id for task in spec.tasks}
    yield from tasks.intersection(names) if tasks.union(parts).issuperset(names) else tasks
