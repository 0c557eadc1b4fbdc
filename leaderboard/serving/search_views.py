"""Search what is published: benchmarks, tasks and systems by name, and the handbook. Anonymous systems have no name."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from accounts.page_content import PageContent
from benchmarks.models import Benchmark
from benchmarks.spec import BenchmarkSpec, TaskSpec
from handbook.search import passages
from leaderboard.board.analysis.system_comparison import comparable
from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board, BoardRow
from leaderboard.models import Page
from leaderboard.rendering.rendered_page import html
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
    section = "benchmarks"
    query: str
    found: Sequence[Found]


@require_safe
def search(request: HttpRequest) -> HttpResponse:
    """`?q=<words>`: whatever holds all of them."""
    query = " ".join(request.GET.get("q", "")[:LONGEST_QUERY].split())
    hits = _find(query.casefold()) if query else []
    answer = html(request.path, SearchPage(query, hits))
    return HttpResponse(answer.body, content_type=answer.content_type)


def _find(query: str) -> list[Found]:
    words = query.split()
    pages = [f"/benchmarks/{slug}/" for slug in Benchmark.objects.listed().values_list("pk", flat=True)]
    published = [
        path.split("/")[2] for path in Page.objects.filter(pk__in=pages).values_list("pk", flat=True)
    ]
    benchmarks = [benchmark.spec for benchmark in Benchmark.objects.filter(pk__in=published)]
    kinds = {
        "Benchmarks": map(_of_benchmark, benchmarks),
        "Tasks": (_of_task(benchmark, task) for benchmark in benchmarks for task in benchmark.tasks),
        "Systems": _SYSTEMS.of(list(newest_boards(benchmark.id for benchmark in benchmarks).values())),
        "Handbook": (Hit(part.title, part.url, part.excerpt, part.words) for part in passages()),
    }
    groups = []
    for title, hits in kinds.items():
        # First what is called like the query; the rest keeps its order.
        holding = [hit for hit in hits if all(word in hit.words for word in words)]
        holding.sort(key=lambda hit: not hit.title.casefold().startswith(query))
        if holding:
            groups.append(Found(title, tuple(holding[:MOST_SHOWN]), max(0, len(holding) - MOST_SHOWN)))
    return groups


class SystemHits:
    """The systems of some boards, worked out once for as long as these are the newest."""

    def __init__(self) -> None:
        self._held: tuple[list[Board], list[Hit]] = ([], [])

    def of(self, boards: list[Board]) -> list[Hit]:
        """A process keeps each published board as one object, so that these tell whether anything is new."""
        held, hits = self._held
        if list(map(id, held)) != list(map(id, boards)):
            hits = list(_of_systems(boards))
            self._held = boards, hits
        return hits


_SYSTEMS = SystemHits()


def _of_benchmark(benchmark: BenchmarkSpec) -> Hit:
    words = f"{benchmark.id} {benchmark.title} {benchmark.summary}".casefold()
    return Hit(benchmark.title, f"/benchmarks/{benchmark.id}/", benchmark.summary, words)


def _of_task(benchmark: BenchmarkSpec, task: TaskSpec) -> Hit:
    words = f"{task.id} {task.code} {task.title} {task.summary}".casefold()
    url = f"/benchmarks/{benchmark.id}/tasks/{task.id}/"
    return Hit(task.title, url, f"{benchmark.title}: {task.summary}", words)


def _of_systems(boards: Iterable[Board]) -> Iterator[Hit]:
    """Every system that is called by its name, once, with all the benchmarks that it stands in."""
    places: dict[str, list[tuple[Board, BoardRow]]] = defaultdict(list)
    for board in boards:
        for row in comparable(board).values():
            if row.system_id:
                places[row.system_id].append((board, row))
    for system_id, stands in places.items():
        row = stands[0][1]
        who = " ".join(part for part in (row.team, fmt.tag(row.kind, row.system)) if part)
        where = [
            board.benchmark_title + ("" if own.rank is None else f", rank {own.rank}")
            for board, own in stands
        ]
        words = f"{row.system} {row.team} {' '.join(row.labels)}".casefold()
        yield Hit(row.system, f"/systems/{system_id}/", "; ".join([*([who] if who else []), *where]), words)
