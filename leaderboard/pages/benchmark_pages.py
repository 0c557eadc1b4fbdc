"""The home page, the list of benchmarks, and the pages of a benchmark and of a release: rendered once, for everyone."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from accounts.page_content import PageContent
from benchmarks.models import Benchmark, Phase
from benchmarks.spec import BenchmarkSpec
from leaderboard.board.analysis.release_changes import Changes, changes
from leaderboard.board.model.board import Board
from leaderboard.board.tables import release_summaries
from leaderboard.board.tables.column_rankings import ColumnRanking, column_rankings, first_few
from leaderboard.board.tables.release_summaries import ReleaseView
from leaderboard.models import HomeLine, Release
from leaderboard.pages.board_pages import BoardPages, closed_at, next_cut_off
from leaderboard.pages.citation_files import current_pages, release_files
from leaderboard.pages.item_pages import item_pages
from leaderboard.pages.labelling.labelling_pages import labelling_pages
from leaderboard.pages.notice_pages import notice_pages
from leaderboard.pages.rendered_release import (
    PrintedRelease,
    newest_rankings,
    print_nothing_yet,
    print_release,
    with_all_tasks,
)
from leaderboard.pages.score_cards import provenance_pages
from leaderboard.rendering.made_in_parallel import made_in_parallel
from leaderboard.rendering.opened_gold import tasks_with_public_gold
from leaderboard.rendering.public_names import naming
from leaderboard.rendering.rendered_page import RenderedPage, html

HOME, ALL_BENCHMARKS = "/", "/benchmarks/"
MOST_ON_HOME = 20  # benchmarks, of some three kilobytes each


@dataclass(frozen=True)
class BenchmarkLine(PageContent):
    """A benchmark in the list of all: who leads it, its first few as a picture, and until when submissions are taken.

    `firsts` says who is first in how many rankings where it has no overall score.
    """

    template = "public/_benchmark_line.html"
    spec: BenchmarkSpec
    next_cut_off_at: dt.datetime | None
    closed_at: dt.datetime | None
    release: ReleaseView | None
    picture: ColumnRanking | None
    firsts: str
    gold_public: bool
    changes: Changes | None


@dataclass(frozen=True)
class HomePage(PageContent):
    """The benchmarks that can be submitted to, each as its line; of `count` benchmarks at most `MOST_ON_HOME`."""

    template = "public/home.html"
    section: ClassVar[str] = "benchmarks"
    lines: Sequence[str]
    count: int


@dataclass(frozen=True)
class AllBenchmarksPage(PageContent):
    """All of them by name, with how many systems the newest release has."""

    template = "public/all_benchmarks.html"
    section: ClassVar[str] = "benchmarks"
    taking: Sequence[HomeLine]
    closed: Sequence[HomeLine]
    count: int


def front_pages(*, anew: bool = False) -> list[RenderedPage]:
    """The home page, with who leads the benchmarks that can be submitted to, and the list of them all.

    What was drawn with the pages of a benchmark is taken as it is kept, unless all is to be drawn `anew`.
    """
    benchmarks = list(Benchmark.objects.listed())
    kept = {} if anew else HomeLine.objects.defer("html").in_bulk([each.pk for each in benchmarks])
    lines = [kept.get(each.pk) or home_line(each) for each in benchmarks]
    for line, benchmark in zip(lines, benchmarks, strict=True):
        line.benchmark = benchmark
    shown = lines if len(lines) <= MOST_ON_HOME else sorted(lines, key=_soonest)[:MOST_ON_HOME]
    of_kept = HomeLine.objects.filter(pk__in=kept.keys() & {line.pk for line in shown})
    html_of = dict(of_kept.values_list("pk", "html"))
    by_name = sorted(lines, key=lambda line: (line.benchmark.title.casefold(), line.pk))
    taking = [line for line in by_name if line.next_cut_off_at]
    closed = [line for line in by_name if not line.next_cut_off_at]
    return [
        html(HOME, HomePage([html_of.get(line.pk) or line.html for line in shown], len(lines))),
        html(ALL_BENCHMARKS, AllBenchmarksPage(taking, closed, len(lines))),
    ]


def _soonest(line: HomeLine) -> tuple[bool, float, float]:
    """The order in which a home page that has not room for all takes them: by the next cut-off, then the newest."""
    due, published = line.next_cut_off_at, line.published_at
    return due is None, due.timestamp() if due else 0, -published.timestamp() if published else 0


def home_line(benchmark: Benchmark) -> HomeLine:
    """A benchmark's line as it is now; not stored."""
    spec, phases = benchmark.spec, list(benchmark.phases.all())
    front = Release.objects.in_front(benchmark.pk)
    newest = newest_rankings(benchmark, front.number) if front else ()
    boards: dict[str, Board] = {}
    if front and newest[0].by_column:
        boards = {key: naming(benchmark).board(board) for key, board in front.boards.items()}
    rankings_of = column_rankings(newest[0], boards, {}) if newest else None
    line = BenchmarkLine(
        spec=spec,
        next_cut_off_at=next_cut_off(phases),
        closed_at=closed_at(phases),
        release=release_summaries.release(newest[0]) if newest else None,
        picture=first_few(newest[0], boards) if newest else None,
        firsts=rankings_of.sentence if rankings_of else "",
        gold_public=len(tasks_with_public_gold(benchmark)) == len(spec.tasks),
        changes=changes(newest[0], newest[1:]) if newest else None,
    )
    return HomeLine(
        benchmark=benchmark,
        html=line.text(),
        next_cut_off_at=line.next_cut_off_at,
        published_at=line.release.published_at if line.release else None,
        system_count=line.release.system_count if line.release else None,
    )


def render_benchmark(benchmark: Benchmark, newest: PrintedRelease | None = None) -> list[RenderedPage]:
    """A benchmark's current pages: its boards and its archive.

    The boards are those of the newest release that is not provisional, if there is one: then the newest stands beside
    them. `newest` is the newest release, where that is printed already.
    """
    printed = newest or _newest(benchmark)
    if printed is None:
        return []
    base, front = f"/benchmarks/{benchmark.slug}", with_all_tasks(_in_front(benchmark, printed))
    with made_in_parallel(front.late_pages()):
        others = [
            *current_pages(printed, front),
            *notice_pages(benchmark),
            *item_pages(benchmark),
            *labelling_pages(benchmark),
        ]
        if newest is None:  # else they come with the release's own pages
            others += provenance_pages(printed)
    return [
        *BoardPages(benchmark, front, base, is_archived=False, newest=printed).render(),
        *others,
    ]


def render_release(printed: PrintedRelease) -> list[RenderedPage]:
    """The permanent pages of one release."""
    benchmark = printed.phase.benchmark
    base = f"/benchmarks/{benchmark.slug}/releases/{printed.number}"
    return [
        *BoardPages(benchmark, printed, base, is_archived=True).render(),
        *release_files(printed),
    ]


def _in_front(benchmark: Benchmark, newest: PrintedRelease) -> PrintedRelease:
    """The release that the benchmark's own page shows, see `ReleaseQuerySet.in_front`."""
    front = Release.objects.in_front(benchmark.pk)
    return newest if front is None or front.number == newest.number else print_release(front)


def _newest(benchmark: Benchmark) -> PrintedRelease | None:
    """The newest release; before the first, published rows alone, so that a new benchmark has its page at once."""
    release = Release.objects.latest_of(benchmark.slug)
    # Before anything is published, the phase that published rows can stand in.
    scored = benchmark.phases.exclude(kind__in=[Phase.Kind.BUILD, Phase.Kind.BREAK])
    phase = release.phase if release else scored.first() or benchmark.phases.first()
    if phase is None:
        return None
    phase.benchmark = benchmark
    return print_release(release) if release else print_nothing_yet(phase)
