"""A release in one line, as text; and the lines of all releases as HTML, by hand: after years there are hundreds."""

import datetime as dt
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape

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


def release_lines(
    releases: Iterable[ReleaseView], *, benchmark: str, current: int, day: Callable[[dt.datetime], str]
) -> str:
    """A `<tr>` and a line break for each release; all text escaped. `day` gives the date of an instant as HTML.

    The line of the `current` release is marked as that of the page.
    """
    mark = ' aria-current="true"'
    return "".join(
        f"<tr{mark if line.number == current else ''}>\n"
        f'  <th scope="row"><a href="/benchmarks/{benchmark}/releases/{line.number}/">Release {line.number}</a>'
        f"{_beside(line.stage, 4)}</th>\n"
        f'  <td>{day(line.published_at)}</td><td class="number extra" data-head="Systems: ">{line.system_count}</td>\n'
        f'  <td>{_first(line)}</td><td class="number" data-head="Score: ">{line.score}</td></tr>\n'
        for line in releases
    )


def _first(line: ReleaseView) -> str:
    if line.said:
        return escape(line.said)
    leaders = '<span class="sep">, </span>'.join(map(_leader, line.leaders)) or fmt.NONE
    return f"\n  {leaders}{_beside(line.verdict, 2)}"


def _leader(row: BoardRow) -> str:
    name = escape(row.system)
    called = f'<a\n  href="/systems/{row.system_id}/">{name}</a>' if row.system_id else name
    return f"{called}\n  <small>{escape(row.team)}</small>" if row.team else called


def _beside(text: str, indent: int) -> str:
    return f'\n{" " * indent}<small class="quiet">{escape(text)}</small>' if text else ""


def _firsts(board: Board) -> str:
    """Who is first in most of the rankings that the columns are."""
    first = first_places(board)[:1]
    return f"{first[0][0].system} is first in {first[0][1]} of {len(board.columns)} rankings" if first else ""
