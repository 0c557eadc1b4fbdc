"""A release in one line, as text."""

import datetime as dt
from dataclasses import dataclass

from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board, BoardRow


@dataclass(frozen=True, slots=True)
class ReleaseView:
    """A release in one line, for the archive and the list of benchmarks."""

    number: int
    published_at: dt.datetime
    system_count: int
    leaders: tuple[BoardRow, ...]
    score: str
    column: str


def release(board: Board) -> ReleaseView:
    """The board in one line: who leads it, and with what score."""
    leaders = board.leaders
    return ReleaseView(
        number=board.release,
        published_at=board.published_at,
        system_count=board.system_count,
        leaders=tuple(leaders),
        score=fmt.score(leaders[0].value(board.rank_by) if leaders else None),
        column=board.column(board.rank_by).name,
    )
