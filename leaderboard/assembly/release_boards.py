"""All boards of a release, kind by kind.

A kind of board is a class with a key. It states the ids that its boards may have, makes the boards of a release from
their common frame, and draws the charts above and below their tables. A board that is no task's has an `axis`, under
which the pages of the benchmark link it. To add a kind, write the class (see `leaderboard.assembly.boards.BoardKind`)
and name it in `BOARD_KINDS`; `tests/contracts/test_board_kinds.py` holds for all of them.
"""

import datetime as dt
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from benchmarks.models import Phase
from catalogue.registry import Registry
from leaderboard.assembly.boards import DeclaredBoards, OverallBoard, TaskBoards, TrackBoards
from leaderboard.assembly.breaking_boards import PairBoards
from leaderboard.assembly.frame import make_frame
from leaderboard.assembly.replicates import RowReplicates
from leaderboard.assembly.robustness_boards import AttackBoards, ShareBoard
from leaderboard.board.model.board import Board
from leaderboard.rendering.made_in_parallel import Late, made_in_parallel
from scoring.disclosure.standings import Standing

BOARD_KINDS = Registry(
    "kind of board",
    OverallBoard(),
    TaskBoards(),
    DeclaredBoards(),
    TrackBoards(),
    AttackBoards(),
    ShareBoard(),
    PairBoards(),
)


def build_boards(
    *,
    phase: Phase,
    rows: Iterable[Standing],
    release: int,
    published_at: dt.datetime,
    drawn: Sequence[RowReplicates] | None = None,
    judged: Collection[int] | None = None,
    correct_shares: Mapping[str, float | None] | None = None,
) -> dict[str, Board]:
    """The overall board under `overall`, each task's and every other under its id.

    `drawn` are the replicates of the rows, where they are at hand; `judged` and `correct_shares` as `make_frame`
    takes them.
    """
    frame = make_frame(
        phase=phase,
        rows=rows,
        release=release,
        published_at=published_at,
        drawn=drawn,
        judged=judged,
        correct_shares=correct_shares,
    )
    for entrant in frame.entrants:
        entrant.replicates.read_tries()
    boards = {
        key: Late(make, rows=len(frame.entrants))
        for kind in BOARD_KINDS
        for key, make in kind.boards(frame).items()
    }
    with made_in_parallel(boards.values()):
        pass
    return {
        key: replace(board.made(), note=f"{board.made().note} {frame.spec.notes.get(key, '')}".strip())
        for key, board in boards.items()
    }
