"""All boards of a release."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence

from benchmarks.models import Phase
from leaderboard.board.model.board import Board
from leaderboard.boards import make_frame, plain_boards
from leaderboard.breaking import breaking_boards
from leaderboard.replicates import RowReplicates
from leaderboard.robustness import Robustness
from leaderboard.standings import Standing


def build_boards(
    *,
    phase: Phase,
    rows: Iterable[Standing],
    release: int,
    published_at: dt.datetime,
    drawn: Sequence[RowReplicates] | None = None,
) -> dict[str, Board]:
    """The overall board under `overall`, each task's and every other under its id.

    `drawn` are the replicates of the rows, where they are at hand.
    """
    frame = make_frame(phase=phase, rows=rows, release=release, published_at=published_at, drawn=drawn)
    attacks = tuple(phase.benchmark.attacks.all())
    return plain_boards(frame) | Robustness(frame, attacks).boards() | breaking_boards(frame)
