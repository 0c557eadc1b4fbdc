"""Pictures that links to boards and systems are shown with elsewhere, drawn from what is published, on demand."""

from dataclasses import replace
from functools import lru_cache
from urllib.parse import urlsplit
from uuid import UUID

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import conditional_page, require_safe

from leaderboard.board.analysis.order_sentence import order_sentence
from leaderboard.board.analysis.own_result import own_standing
from leaderboard.board.charts.share_card import MOST_ROWS, CardRow, ShareCard, png, row_of
from leaderboard.board.model.board import Board, BoardRow
from leaderboard.board.model.ranking import first_places
from leaderboard.models import Page
from leaderboard.serving.published_boards import newest_boards, published_board
from submissions.models import Submission

DRAWN = 128  # pictures that a process keeps
KEPT = "no-cache"  # what a picture says can be hidden: whoever has it asks whether it still stands


@conditional_page
@require_safe
def board_card(request: HttpRequest, benchmark: str, rest: str = "") -> HttpResponse:
    """The picture of a board: the benchmark's newest, or that of a release or of a task."""
    path = f"/benchmarks/{benchmark}{f'/{rest}' if rest else ''}.json"
    known = Page.objects.filter(pk=path).values_list("stored_id", flat=True).first()
    if known is None:
        raise Http404("Nothing has been published at this address.")
    return _answer(_of_board(path, known))


@conditional_page
@require_safe
def system_card(request: HttpRequest, system: UUID) -> HttpResponse:
    """The picture of a system on the first benchmark whose newest release shows it by name."""
    entered = Submission.objects.filter(system=system, phase__benchmark__visibility="public").order_by(
        "phase__benchmark"
    )
    benchmarks = entered.values_list("phase__benchmark", flat=True).distinct()
    for benchmark, board in newest_boards(benchmarks).items():
        if any(row.system_id == str(system) for row in board.systems):
            digest = Page.objects.values_list("stored_id", flat=True).get(pk=f"/benchmarks/{benchmark}.json")
            return _answer(_of_system(f"/benchmarks/{benchmark}.json", digest, str(system)))
    raise Http404("No newest release shows this system.")


def _answer(body: bytes) -> HttpResponse:
    return HttpResponse(body, content_type="image/png", headers={"Cache-Control": KEPT})


@lru_cache(maxsize=DRAWN)
def _of_board(path: str, digest: str) -> bytes:
    board = published_board(path, digest)
    return png(
        ShareCard(
            title=board.full_title,
            sentence=_sentence(board),
            rows=_rows(board),
            footer=_footer(board),
            higher_is_better=board.column(board.rank_by).higher_is_better,
            is_synthetic=board.synthetic,
        )
    )


@lru_cache(maxsize=DRAWN)
def _of_system(path: str, digest: str, system: str) -> bytes:
    board = published_board(path, digest)
    row = next(row for row in board.systems if row.system_id == system)
    result = own_standing(board, row)
    near = [*result.above, row, *result.below] if row.rank is not None else []
    return png(
        ShareCard(
            title=f"{result.title}: {board.benchmark_title}",
            sentence=result.rest,
            rows=[replace(_row(board, each), is_own=each is row) for each in near],
            footer=_footer(board),
            higher_is_better=board.column(board.rank_by).higher_is_better,
            is_synthetic=board.synthetic,
        )
    )


def _sentence(board: Board) -> str:
    if board.by_column:
        return f"{len(board.columns)} rankings, and no overall score."
    order = order_sentence(board)
    return order.text if order else ""


def _rows(board: Board) -> list[CardRow]:
    if board.by_column:
        return [
            CardRow(str(count), row.system, f"first in {count} of {len(board.columns)}", None)
            for row, count in first_places(board)[:MOST_ROWS]
        ]
    rows = board.ranked or list(board.rows)
    return [_row(board, row) for row in rows[:MOST_ROWS]]


def _row(board: Board, row: BoardRow) -> CardRow:
    cell = row.cell(board.rank_by)
    return row_of(str(row.rank or ""), row.system, cell.value, cell.ci_low, cell.ci_high)


def _footer(board: Board) -> str:
    day = f"{board.published_at:%-d %b %Y}"
    shown = ", provisional" if board.is_provisional else ""
    return f"Release {board.release}{shown}, {day} · whiskers are 95 % intervals · {urlsplit(settings.SITE_URL).netloc}"
