"""Boards read back from their published JSON: whoever computes from them can show nothing that is not public."""

import json
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

from leaderboard.board.model.board import Board
from leaderboard.board.model.serialization import from_dict
from leaderboard.models import Page

HELD = 64
"""How many boards a process keeps in memory, so that a request parses nothing that the one before it has."""


def newest_boards(benchmarks: Iterable[str]) -> dict[str, Board]:
    """The overall board of the newest release of each of these benchmarks that has one, by the benchmark's id."""
    paths = {f"/benchmarks/{one}.json": one for one in benchmarks}
    return {paths[path]: board for path, board in _boards(paths).items()}


def newest_task_boards(benchmark: str, tasks: Iterable[str]) -> list[Board]:
    """The boards of these tasks as they are published now, in this order; those without a release are left out."""
    return _in_order([f"/benchmarks/{benchmark}/tasks/{task}.json" for task in tasks])


def newest_declared_boards(benchmark: str, boards: Iterable[str]) -> list[Board]:
    """The boards of a definition, but for the overall one, as they are published now."""
    return _in_order([f"/benchmarks/{benchmark}/boards/{board}.json" for board in boards])


def _in_order(paths: Sequence[str]) -> list[Board]:
    found = _boards(paths)
    return [found[path] for path in paths if path in found]


def _boards(paths: Collection[str]) -> dict[str, Board]:
    known = dict(Page.objects.filter(pk__in=paths).values_list("pk", "etag"))
    return {path: _read(path, known[path]) for path in paths if path in known}


@lru_cache(maxsize=HELD)
def _read(path: str, etag: str) -> Board:
    """The board at this address; `etag` is the digest of its bytes, so that newer ones are read anew."""
    body = Page.objects.values_list("body", flat=True).get(pk=path)
    return from_dict(json.loads(bytes(body)))
