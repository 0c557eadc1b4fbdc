"""All boards of a release."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence

from benchmarks.models import Phase
from leaderboard.assembly.boards import make_frame, plain_boards
from leaderboard.assembly.breaking_boards import breaking_boards
from leaderboard.assembly.replicates import RowReplicates
from leaderboard.assembly.robustness_boards import Robustness
from leaderboard.assembly.standings import Standing
from leaderboard.board.model.board import Board


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
