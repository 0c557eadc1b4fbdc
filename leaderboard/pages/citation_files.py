"""What can be taken away besides boards: citation, history, feed, calendar, and a table for other sites."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.conf import settings

from accounts.page_content import PageContent
from benchmarks.notices import calendar
from benchmarks.spec import OVERALL
from leaderboard.board.exports import RELEASE_EXPORTS
from leaderboard.board.exports.atom_feed import FEED, Feed
from leaderboard.board.exports.bibtex import BIBTEX
from leaderboard.board.exports.export import CitedRelease
from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board, BoardRow
from leaderboard.board.model.ranking import first_places
from leaderboard.models import Release
from leaderboard.pages.notice_pages import notices_in_feed
from leaderboard.pages.rendered_release import PrintedRelease
from leaderboard.rendering.rendered_page import RenderedPage, html
from leaderboard.reports.log_head import LogHeadReport, head_in_words

EMBEDDED_ROWS = 10


@dataclass(frozen=True)
class EmbeddedPage(PageContent):
    """The first rows of a board with their values, for other sites; `others` counts the rows that follow.

    `head` says what the values are: scores, or first places where each column is a ranking of its own.
    """

    template = "public/embed.html"
    board: Board
    head: str
    rows: Sequence[tuple[BoardRow, str]]
    others: int


def release_url(board: Board) -> str:
    """The permanent address of a board's release, for those who read it elsewhere."""
    return f"{settings.SITE_URL}/benchmarks/{board.benchmark}/releases/{board.release}/"


def bibtex(printed: PrintedRelease) -> str:
    """The entry by which the release is cited; empty before the first."""
    board = printed.boards[OVERALL].board
    return BIBTEX.write(CitedRelease(board, release_url(board))).decode() if board.release else ""


def release_files(printed: PrintedRelease) -> Iterator[RenderedPage]:
    """The exports of a release, beside its page."""
    board = printed.boards[OVERALL].board
    for export in RELEASE_EXPORTS:
        path = f"/benchmarks/{board.benchmark}/releases/{board.release}.{export.ending}"
        yield RenderedPage(path, export.media_type, export.write(CitedRelease(board, release_url(board))))


def current_pages(printed: PrintedRelease, front: PrintedRelease) -> Iterator[RenderedPage]:
    """Feed of releases and announcements, calendar of phases, and the first rows of the release in front."""
    base, notices = f"/benchmarks/{printed.phase.benchmark.slug}", notices_in_feed(printed.phase.benchmark)
    yield RenderedPage(
        f"{base}/{calendar.NAME}", calendar.MEDIA_TYPE, calendar.calendar_file(printed.phase.benchmark)
    )
    if printed.rankings or notices:
        about = printed.boards[OVERALL].board
        heads = Release.objects.of(printed.phase.benchmark.slug).reports(LogHeadReport.key)
        checkpoints = {number: head_in_words(head) for number, head in heads.items()}
        feed = Feed(about, printed.rankings, settings.SITE_URL, tuple(notices), checkpoints)
        yield RenderedPage(f"{base}/{FEED.key}.{FEED.ending}", FEED.media_type, FEED.write(feed))
    if front.rankings:
        yield html(f"{base}/embed/", _embedded(front.rankings[0]))


def _embedded(board: Board) -> EmbeddedPage:
    if board.by_column:
        firsts = {id(row): count for row, count in first_places(board)}
        rows = [(row, f"{firsts.get(id(row), 0)} of {len(board.columns)}") for row in board.systems]
        head = "First places"
    else:
        rows = [(row, fmt.score(row.value(board.rank_by))) for row in board.ranked]
        head = board.column(board.rank_by).title
    return EmbeddedPage(board, head, rows[:EMBEDDED_ROWS], others=len(rows[EMBEDDED_ROWS:]))
