"""Two to four systems of a benchmark's newest release side by side, chosen in the address."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from benchmarks.models import Benchmark
from leaderboard.board.analysis.system_comparison import FEWEST, MOST, SystemComparison, comparable, compare
from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board, BoardRow
from leaderboard.models import Page
from leaderboard.pages.disclosure_notice import disclosure_notice
from leaderboard.pages.rendered_page import BenchmarkPage, html
from leaderboard.serving.published_boards import newest_boards, newest_boards_beside
from leaderboard.serving.system_differences import differences

PLACES = ("First", "Second", "Third", "Fourth")
LONGEST_ECHO = 60


@dataclass(frozen=True, kw_only=True)
class ComparePage(BenchmarkPage):
    """Two to four systems of the newest release side by side: the form to choose them, and what was chosen.

    `options` are keys and texts of the systems, `places` the lists to choose in with the key of the one chosen.
    """

    template = "public/compare.html"
    board: Board | None
    options: Sequence[tuple[str, str]]
    places: Sequence[tuple[str, str]]
    can_choose: bool
    disclosure: str
    faults: Sequence[str]
    lacks_one: bool
    comparison: SystemComparison | None


@require_safe
def comparison(request: HttpRequest, benchmark: str) -> HttpResponse:
    """`?system=<id>&system=<id>`: the form to choose them, and what was chosen in a table."""
    found = get_object_or_404(Benchmark, pk=benchmark)
    if not Page.objects.filter(pk=f"/benchmarks/{benchmark}/").exists():
        raise Http404("Nothing has been published of this benchmark.")
    board = newest_boards([benchmark]).get(benchmark)
    rows = comparable(board) if board else {}
    asked = list(dict.fromkeys(key for key in request.GET.getlist("system") if key))
    known = [key for key in asked if key in rows]
    faults = _faults(asked, rows)
    page = ComparePage(
        benchmark=found.spec,
        board=board,
        options=[(key, _option(row)) for key, row in rows.items()],
        places=[(title, known[at] if at < len(known) else "") for at, title in enumerate(PLACES)],
        can_choose=len(rows) >= FEWEST,
        disclosure=disclosure_notice(board) if board else "",
        faults=faults,
        lacks_one=len(known) == 1 and not faults,
        comparison=_compare(found, board, known) if board and not faults else None,
    )
    answer = html(request.path, page)
    return HttpResponse(answer.body, content_type=answer.content_type, status=400 if faults else 200)


def _compare(benchmark: Benchmark, board: Board, keys: Sequence[str]) -> SystemComparison | None:
    if len(keys) < FEWEST:
        return None
    spec = benchmark.spec
    # While pages are put in place a task's may be of the release before; numbers of two releases never mix.
    others = [other for other in newest_boards_beside(spec) if other.release == board.release]
    urls = {task.id: f"/benchmarks/{spec.id}/tasks/{task.id}/" for task in spec.tasks}
    tasks = [other for other in others if other.task is not None]
    judged = differences(benchmark, board, others, keys)
    return compare(board, tasks, keys, urls=urls, differences=judged)


def _faults(asked: Sequence[str], rows: dict[str, BoardRow]) -> list[str]:
    """What is wrong with the choice, in words; too few are no fault, for one is chosen after the other."""
    unknown = [
        f"No system of the newest release has the id “{key[:LONGEST_ECHO]}”. Choose from the lists instead."
        for key in asked
        if key not in rows
    ]
    too_many = (
        f"{len(asked)} systems were asked for, and at most {MOST} fit beside each other. Leave "
        f"{len(asked) - MOST} out."
    )
    return [*unknown[:MOST], *([too_many] if len(asked) > MOST else [])]


def _option(row: BoardRow) -> str:
    """One line of a list to choose from: "1. Larch (North)"."""
    rank = "" if row.rank is None else f"{row.rank}. "
    about = ", ".join(part for part in (row.team, fmt.tag(row.kind, row.system)) if part)
    return f"{rank}{row.system}" + (f" ({about})" if about else "")
