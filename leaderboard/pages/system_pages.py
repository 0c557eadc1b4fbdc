"""The public page of a system with its badges and its block for a model card: drawn when it is asked for."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from operator import attrgetter
from typing import Any, ClassVar

from django.conf import settings
from django.db.models import BinaryField, Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Cast

from accounts.page_content import PageContent
from accounts.templatetags.instants import printed_day
from benchmarks.models import Benchmark
from benchmarks.spec import RowKind
from catalogue.declared_facts import DeclaredFacts
from leaderboard.board.analysis.order_sentence import worth
from leaderboard.board.analysis.own_result import own_standing
from leaderboard.board.exports.badge import BADGE, badge_of_absent
from leaderboard.board.exports.export import SystemPlace
from leaderboard.board.exports.markdown import escape
from leaderboard.board.exports.model_index import MODEL_INDEX, ModelCard
from leaderboard.board.model.board import Board
from leaderboard.board.model.serialization import from_dict
from leaderboard.board.tables.board_query import BoardQuery
from leaderboard.board.tables.board_table import TableView, table
from leaderboard.board.tables.ranking_picture import PictureView, picture
from leaderboard.board.tables.system_lines import history_lines, standing_lines
from leaderboard.models import Release, ReleaseCell
from leaderboard.pages.citation_files import release_url
from leaderboard.pages.rendered_release import heads
from leaderboard.rendering.held_values import HeldValues
from leaderboard.rendering.public_names import naming
from leaderboard.rendering.release_places import places_of
from leaderboard.rendering.rendered_page import RenderedPage, html
from leaderboard.reports.fact_sheets import shown_sheets
from submissions.models import Submission, System

HELD_CELLS = 120_000  # of newest boards that a process keeps in memory, about 40 MB
_NEWEST: HeldValues[str, Board] = HeldValues(HELD_CELLS, attrgetter("cell_count"))


@dataclass(frozen=True)
class SystemPage(PageContent):
    """What a system is, where it stands and stood, what was taken off, its badges and its block for a model card.

    `links` are titles and addresses.
    """

    template = "public/system.html"
    section: ClassVar[str] = "benchmarks"
    system: System
    links: Sequence[tuple[str, str]]
    declared: Sequence[str]
    places: Sequence[dict[str, Any]]
    taken_off: Sequence[Submission]
    badges: Sequence[dict[str, str]]
    model_index: str


@dataclass(frozen=True)
class StandingPicture(PageContent):
    """A system among its neighbours, as a picture."""

    template = "_ranking_picture.html"
    picture: PictureView
    table: TableView
    board: Board


def systems_with_pages() -> QuerySet[System]:
    """Systems that stand or once stood in a release of a public benchmark, if it may be said that they do."""
    filled = Exists(ReleaseCell.objects.filter(submission=OuterRef("pk")))
    standing = Submission.objects.filter(filled, system=OuterRef("pk"), phase__benchmark__visibility="public")
    named = Q(phase__benchmark__is_anonymous=False) | Q(system__kind=System.Kind.BASELINE)
    return System.objects.filter(Exists(standing.filter(named))).select_related("team")


def system_pages(system: System) -> list[RenderedPage]:
    """The page of one of `systems_with_pages` and the files beside it; it tells of all benchmarks that it stands in."""
    entered = Submission.objects.filter(system=system).values("phase__benchmark")
    released = Exists(Release.objects.filter(benchmark=OuterRef("pk")))
    benchmarks = Benchmark.objects.filter(released, pk__in=entered, visibility="public")
    if system.kind != System.Kind.BASELINE:
        benchmarks = benchmarks.exclude(is_anonymous=True)
    places = [place for benchmark in benchmarks if (place := _place(system, benchmark))]
    return [*_pages(system, places, _taken_off(system))]


def _place(system: System, benchmark: Benchmark) -> dict[str, Any] | None:
    """Where a system stands in a benchmark's newest release and where it stood before; None where it never did."""
    key, places = str(system.pk), places_of(system.pk, benchmark.pk)
    if not places:
        return None
    boards = heads(benchmark)
    days = {board.release: printed_day(board.published_at) for board in boards if board.release in places}
    newest = naming(benchmark).of_board(_newest(benchmark))
    row = next((row for row in newest.rows if row.system_id == key), None)
    place = SystemPlace(newest, row, release_url(newest)) if row and row.kind is RowKind.SYSTEM else None
    return {
        "benchmark_id": benchmark.slug,
        "benchmark_title": benchmark.title,
        "release": newest.release,
        "published_at": newest.published_at,
        "standings": standing_lines(newest, row) if row else "",
        "history": history_lines(boards, places, days),
        "fact_sheet": shown_sheets([key], benchmark).get(key, ()),
        "place": place,
        "standing": _standing(place) if place else None,
    }


def _newest(benchmark: Benchmark) -> Board:
    """The overall board of the newest release as it is frozen, with the names of then."""
    newest = Release.objects.of(benchmark.pk)[:1]
    packed = newest.values_list(Cast("overall", BinaryField()), flat=True).get()
    return _NEWEST.get(
        benchmark.pk,
        lambda: from_dict(newest.values_list("overall", flat=True).get()),
        sha256(packed).hexdigest(),
    )


def _pages(
    system: System, places: list[dict[str, Any]], taken_off: Sequence[Submission]
) -> Iterator[RenderedPage]:
    base = f"/systems/{system.pk}"
    taken: list[SystemPlace] = [entry["place"] for entry in places if entry["place"]]
    model_index = MODEL_INDEX.write(ModelCard(system.name, tuple(taken))) if taken else b""
    links = [("Paper", system.paper_url), ("Code", system.code_url)]
    facts = DeclaredFacts.from_dict(system.facts)
    said = (facts.size and f"{facts.size} parameters", *facts.labels, facts.practice, facts.price)
    page = SystemPage(
        system=system,
        links=[(title, url) for title, url in links if url],
        declared=tuple(filter(None, said)),
        places=places,
        taken_off=taken_off,
        badges=[_badge_view(system, place) for place in taken],
        model_index=model_index.decode(),
    )
    yield html(f"{base}/", page)
    for entry in places:
        place = entry["place"]
        badge = BADGE.write(place) if place else badge_of_absent(entry["benchmark_title"], entry["release"])
        yield RenderedPage(f"{base}/badges/{entry['benchmark_id']}.{BADGE.ending}", BADGE.media_type, badge)
    if taken:
        path = f"{base}/{MODEL_INDEX.key}.{MODEL_INDEX.ending}"
        yield RenderedPage(path, MODEL_INDEX.media_type, model_index)


def _standing(place: SystemPlace) -> dict[str, Any]:
    """What the newest release has decided about a system, in sentences, and a picture of it among its neighbours."""
    board, row = place.board, place.row
    result = own_standing(board, row)
    near = result.neighbourhood if row.rank is not None else None
    view = picture(near, BoardQuery(), is_alone=True, own=row) if near else None
    return {
        "title": result.title,
        "rest": " ".join(filter(None, [result.rest, worth(row, board)])),
        "picture": StandingPicture(view, table(near), near).text() if view and near else "",
    }


def _badge_view(system: System, place: SystemPlace) -> dict[str, str]:
    """A badge's address, what it stands for, and how a README shows it."""
    page = f"/systems/{system.pk}/"
    url = f"{page}badges/{place.board.benchmark}.{BADGE.ending}"
    title = place.board.benchmark_title
    markdown = f"[![{escape(title)}]({settings.SITE_URL}{url})]({settings.SITE_URL}{page})"
    return {"url": url, "title": title, "markdown": markdown}


def _taken_off(system: System) -> Sequence[Submission]:
    """The submissions of a system that were scored and later withdrawn or disqualified; none anonymous.

    Why one was disqualified everybody may read. Who of a team withdrew one is nobody else's business.
    """
    ended = Submission.objects.filter(system=system, ended_at__isnull=False, batch_entries__isnull=False)
    public = ended.filter(phase__benchmark__visibility="public").exclude(phase__benchmark__is_anonymous=True)
    return list(public.distinct())
