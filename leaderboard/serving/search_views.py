"""Search what is published: benchmarks, tasks and systems by name. Anonymous systems have none to be found by."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from accounts.page_content import PageContent
from benchmarks.models import Benchmark
from leaderboard.board.analysis.system_comparison import comparable
from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board, BoardRow
from leaderboard.models import Page
from leaderboard.pages.rendered_page import html
from leaderboard.serving.published_boards import newest_boards

LONGEST_QUERY = 100
MOST_SHOWN = 30


@dataclass(frozen=True, slots=True)
class Hit:
    """One line of what may be found: what it is called, where it stands, what it is, and the words to find it by."""

    title: str
    url: str
    about: str
    words: str

    def answers(self, words: Sequence[str]) -> bool:
        """Whether all of these words are in it, each perhaps as a part of one."""
        return all(word in self.words for word in words)


@dataclass(frozen=True, slots=True)
class Found:
    """Hits of one kind, the first of them shown; `more` counts the rest."""

    title: str
    hits: tuple[Hit, ...]
    more: int


@dataclass(frozen=True)
class SearchPage(PageContent):
    """What was asked for, and what was found of it, by kind."""

    template = "public/search.html"
    section: ClassVar[str] = "benchmarks"
    query: str
    found: Sequence[Found]


@require_safe
def search(request: HttpRequest) -> HttpResponse:
    """`?q=<words>`: whatever holds all of them."""
    query = " ".join(request.GET.get("q", "")[:LONGEST_QUERY].split())
    found = _find(query.casefold()) if query else []
    answer = html(request.path, SearchPage(query, found))
    return HttpResponse(answer.body, content_type=answer.content_type)


def _find(query: str) -> list[Found]:
    benchmarks = _published()
    boards = newest_boards(benchmark.slug for benchmark in benchmarks)
    kinds = {
        "Benchmarks": map(_of_benchmark, benchmarks),
        "Tasks": (hit for benchmark in benchmarks for hit in _of_tasks(benchmark)),
        "Systems": _of_systems(boards.values()),
    }
    asked = ((title, _matching(hits, query)) for title, hits in kinds.items())
    return [
        Found(title, tuple(hits[:MOST_SHOWN]), max(0, len(hits) - MOST_SHOWN))
        for title, hits in asked
        if hits
    ]


def _published() -> list[Benchmark]:
    """The benchmarks that have their page."""
    paths = Page.objects.filter(pk__in=[f"/benchmarks/{pk}/" for pk in _all()]).values_list("pk", flat=True)
    return list(Benchmark.objects.filter(pk__in=[path.split("/")[2] for path in paths]))


def _all() -> Iterable[str]:
    return Benchmark.objects.ready().values_list("pk", flat=True)


def _matching(hits: Iterable[Hit], query: str) -> list[Hit]:
    """Those that hold every word, first what is called like the query; the rest keeps its order."""
    words = query.split()
    found = [hit for hit in hits if hit.answers(words)]
    return sorted(found, key=lambda hit: not hit.title.casefold().startswith(query))


def _of_benchmark(benchmark: Benchmark) -> Hit:
    spec = benchmark.spec
    words = f"{spec.id} {spec.title} {spec.summary}".casefold()
    return Hit(spec.title, f"/benchmarks/{spec.id}/", spec.summary, words)


def _of_tasks(benchmark: Benchmark) -> Iterator[Hit]:
    spec = benchmark.spec
    for task in spec.tasks:
        words = f"{task.id} {task.code} {task.title} {task.summary}".casefold()
        yield Hit(
            task.title, f"/benchmarks/{spec.id}/tasks/{task.id}/", f"{spec.title}: {task.summary}", words
        )


def _of_systems(boards: Iterable[Board]) -> Iterator[Hit]:
    """Every system that is called by its name, once, with all the benchmarks that it stands in."""
    rows: dict[str, BoardRow] = {}
    places: dict[str, list[str]] = {}
    for board in boards:
        for row in comparable(board).values():
            if row.system_id:
                rows.setdefault(row.system_id, row)
                places.setdefault(row.system_id, []).append(_place(board, row))
    for system_id, row in rows.items():
        who = " ".join(part for part in (row.team, fmt.tag(row.kind, row.system)) if part)
        about = f"{who}; {'; '.join(places[system_id])}" if who else "; ".join(places[system_id])
        words = f"{row.system} {row.team} {' '.join(row.tags)}".casefold()
        yield Hit(row.system, f"/systems/{system_id}/", about, words)


def _place(board: Board, row: BoardRow) -> str:
    if row.rank is None:
        return board.benchmark_title
    return f"{board.benchmark_title}, rank {row.rank}"
