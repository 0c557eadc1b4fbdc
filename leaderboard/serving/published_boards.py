"""Boards read back from their published JSON: whoever computes from them can show nothing that is not public."""

import json
from collections.abc import Collection, Iterable
from functools import partial
from operator import attrgetter

from benchmarks.spec import BenchmarkSpec
from leaderboard.board.model.board import Board
from leaderboard.board.model.serialization import from_dict
from leaderboard.models import Page
from leaderboard.rendering.held_values import HeldValues

# Cells of boards that a process keeps in memory, so that a request parses nothing that the one before it has: about
# 80 MB, enough for the boards of 5,000 systems and eleven tasks.
HELD_CELLS = 240_000


_BOARDS: HeldValues[str, Board] = HeldValues(HELD_CELLS, attrgetter("cell_count"))


def newest_boards(benchmarks: Iterable[str]) -> dict[str, Board]:
    """The overall board of the newest release of each of these benchmarks that has one, by the benchmark's id."""
    paths = {f"/benchmarks/{slug}.json": slug for slug in benchmarks}
    return {paths[path]: board for path, board in _boards(paths).items()}


def board_of_release(benchmark: str, number: int) -> Board | None:
    """The overall board of a release as it is published; None where it is not."""
    path = f"/benchmarks/{benchmark}/releases/{number}.json"
    return _boards([path]).get(path)


def newest_boards_beside(benchmark: BenchmarkSpec) -> list[Board]:
    """The boards of a benchmark's tasks as they are published now, then those of its definition but the overall one.

    Those without a release are left out.
    """
    tasks = [f"/benchmarks/{benchmark.id}/tasks/{task.id}.json" for task in benchmark.tasks]
    declared = [f"/benchmarks/{benchmark.id}/boards/{board.id}.json" for board in benchmark.boards]
    return list(_boards([*tasks, *declared]).values())


def _boards(paths: Collection[str]) -> dict[str, Board]:
    """The boards at those of these paths that are published, in their order."""
    known = dict(Page.objects.filter(pk__in=paths).values_list("pk", "stored_id"))
    return {path: published_board(path, known[path]) for path in paths if path in known}


def published_board(path: str, digest: str) -> Board:
    """The board at this address; `digest` is that of its bytes, so that newer ones are read anew."""
    return _BOARDS.get(path, partial(_read, path), digest)


def _read(path: str) -> Board:
    return from_dict(json.loads(Page.objects.select_related("stored__base").get(pk=path).body))
