"""A release in one line, as text."""

import datetime as dt
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board, BoardRow
from leaderboard.board.model.decisions import verdict_on
from leaderboard.board.model.ranking import first_places


@dataclass(frozen=True, slots=True)
class ReleaseView:
    """A release in one line, for the archive and the list of benchmarks.

    `stage` says whether it is provisional or final, and of which edition; empty where there is but one kind. `said`
    says who is first where each column is a ranking of its own, and nobody leads all. `verdict` is what the board says
    of the only leader and the next, "surely ahead of Ash"; empty where it has decided nothing.
    """

    number: int
    published_at: dt.datetime
    system_count: int
    leaders: tuple[BoardRow, ...]
    score: str
    column: str
    stage: str = ""
    said: str = ""
    verdict: str = ""


def releases(boards: Sequence[Board], editions: Mapping[str, str]) -> tuple[ReleaseView, ...]:
    """A line for each of the boards, which stand the newest first; `editions` are titles by the slug of the phase.

    Releases are counted within their edition, too.
    """
    lines: list[ReleaseView] = []
    counts: Counter[str] = Counter()
    for board in reversed(boards):
        counts[board.phase] += 1
        lines.append(
            replace(release(board), stage=_stage(board, counts[board.phase], editions.get(board.phase, "")))
        )
    return tuple(reversed(lines))


def _stage(board: Board, number: int, edition: str) -> str:
    if not (board.is_final or board.is_provisional):
        return edition
    stage = "final" if board.is_final else "provisional"
    counted = stage if board.is_final or not edition else f"{stage} {number}"
    return f"{edition}, {counted}" if edition else stage


def release(board: Board) -> ReleaseView:
    """The board in one line: who leads it, and with what score."""
    leaders, ranked = board.leaders, board.ranked
    verdict = verdict_on(ranked, 0, 1) if len(leaders) == 1 < len(ranked) else None
    return ReleaseView(
        number=board.release,
        published_at=board.published_at,
        system_count=board.system_count,
        leaders=tuple(leaders),
        score=fmt.score(leaders[0].value(board.rank_by) if leaders else None),
        column=board.column(board.rank_by).name,
        said=_firsts(board) if board.by_column else "",
        verdict=verdict.against(ranked[1].system) if verdict else "",
    )


def _firsts(board: Board) -> str:
    """Who is first in most of the rankings that the columns are."""
    first = first_places(board)[:1]
    return f"{first[0][0].system} is first in {first[0][1]} of {len(board.columns)} rankings" if first else ""
