"""Render the public pages of systems."""

import uuid
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from django.conf import settings
from django.db.models import Exists, OuterRef

from accounts.page_content import PageContent
from accounts.templatetags.instants import instant
from benchmarks.models import Benchmark
from catalogue.declared_facts import DeclaredFacts
from leaderboard.board.analysis.order_sentence import worth
from leaderboard.board.analysis.own_result import own_standing
from leaderboard.board.exports.badge import BADGE, badge_of_absent
from leaderboard.board.exports.export import SystemPlace
from leaderboard.board.exports.markdown import escape
from leaderboard.board.exports.model_index import MODEL_INDEX, ModelCard
from leaderboard.board.model.board import Board
from leaderboard.board.tables.board_query import BoardQuery
from leaderboard.board.tables.board_table import TableView, table
from leaderboard.board.tables.ranking_picture import picture
from leaderboard.board.tables.system_lines import history_lines, release_heads, standing_lines
from leaderboard.models import Release, ReleaseCell
from leaderboard.pages.citation_files import release_url
from leaderboard.pages.rendered_release import PrintedRelease, rankings
from leaderboard.rendering.rendered_page import RenderedPage, html
from leaderboard.reports.fact_sheets import shown_sheets
from submissions.models import Submission, System


@dataclass(frozen=True)
class SystemPage(PageContent):
    """What a system is, where it stands and stood, what was withdrawn, its badges and its block for a model card.

    `links` are titles and addresses.
    """

    template = "public/system.html"
    section: ClassVar[str] = "benchmarks"
    system: System
    links: Sequence[tuple[str, str]]
    declared: Sequence[str]
    places: Sequence[dict[str, Any]]
    withdrawals: Sequence[Submission]
    badges: Sequence[dict[str, str]]
    model_index: str


def _systems_shown(benchmark: Benchmark) -> list[System]:
    """Systems that stand or once stood in a release of the benchmark, if it may be said that they do."""
    # Asked by submission, because after a year there are a hundred times as many cells.
    filled = Exists(ReleaseCell.objects.filter(submission=OuterRef("pk")))
    standing = Submission.objects.filter(filled, phase__benchmark=benchmark)
    shown = System.objects.filter(pk__in=standing.values("system"))
    if benchmark.is_anonymous:
        shown = shown.filter(kind=System.Kind.BASELINE)
    return list(shown.select_related("team"))


def system_pages(benchmark: Benchmark, printed: PrintedRelease) -> Iterator[RenderedPage]:
    """A page for every system of the benchmark; it tells of the other benchmarks it stands in too.

    `printed` is the newest release of the benchmark.
    """
    if benchmark.visibility != Benchmark.Visibility.PUBLIC:
        return  # such a page is about all benchmarks that a system stands in, and in nobody's lists
    systems = _systems_shown(benchmark)
    withdrawals = _withdrawals(systems)
    entered = Submission.objects.filter(system__in=systems).values("phase__benchmark")
    others = Benchmark.objects.filter(
        Exists(Release.objects.filter(benchmark=OuterRef("pk"))), pk__in=entered, visibility="public"
    )
    places = [_places(other, printed.rankings if other == benchmark else rankings(other)) for other in others]
    for system in systems:
        own_places = [by_system[str(system.pk)] for by_system in places if str(system.pk) in by_system]
        yield from _system_page(system, own_places, withdrawals[system.pk])


def _places(benchmark: Benchmark, overall: Sequence[Board]) -> dict[str, dict[str, Any]]:
    """Where each system stands in a benchmark's latest release and where it stood before, by its id; none anonymous."""
    days = {board.release: instant(board.published_at, day=True) for board in overall}
    history = history_lines(overall, release_heads(benchmark.slug, days))
    standings, sheets = standing_lines(overall[0]), shown_sheets(history.keys(), benchmark)
    places = {} if benchmark.is_anonymous else _places_now(overall[0])
    heads = table(
        replace(overall[0], rows=overall[0].rows[:1], chance=None)
    )  # the same above all neighbourhoods
    return {
        system: {
            "benchmark_id": benchmark.slug,
            "benchmark_title": benchmark.title,
            "release": overall[0].release,
            "published_at": overall[0].published_at,
            "standings": standings.get(system, ""),
            "history": lines,
            "fact_sheet": sheets.get(system, ()),
            "place": places.get(system),
            "table": heads,
        }
        for system, lines in history.items()
    }


def _places_now(board: Board) -> dict[str, SystemPlace]:
    """The rows of systems on a newest board by the systems' ids; what has left it has a place no more."""
    url = release_url(board)
    return {row.system_id: SystemPlace(board, row, url) for row in board.systems if row.system_id}


def _system_page(
    system: System, places: list[dict[str, Any]], withdrawals: list[Submission]
) -> Iterator[RenderedPage]:
    base = f"/systems/{system.pk}"
    taken: list[SystemPlace] = [entry["place"] for entry in places if entry["place"]]
    for entry in places:
        entry["standing"] = _standing(entry["place"], entry["table"]) if entry["place"] else None
    model_index = MODEL_INDEX.write(ModelCard(system.name, tuple(taken))) if taken else b""
    links = [("Paper", system.paper_url), ("Code", system.code_url)]
    facts = DeclaredFacts.from_dict(system.facts)
    said = (facts.size and f"{facts.size} parameters", *facts.labels, facts.practice, facts.price)
    page = SystemPage(
        system=system,
        links=[(title, url) for title, url in links if url],
        declared=tuple(filter(None, said)),
        places=places,
        withdrawals=withdrawals,
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


def _standing(place: SystemPlace, heads: TableView) -> dict[str, Any]:
    """What the newest release has decided about a system, in sentences, and a picture of it among its neighbours."""
    result = own_standing(place.board, place.row)
    near = result.neighbourhood if place.row.rank is not None else None
    return {
        "title": result.title,
        "rest": " ".join(filter(None, [result.rest, worth(place.row, place.board)])),
        "board": near,
        "table": heads,
        "picture": picture(near, BoardQuery(), is_alone=True, own=place.row) if near else None,
    }


def _badge_view(system: System, place: SystemPlace) -> dict[str, str]:
    """A badge's address, what it stands for, and how a README shows it."""
    page = f"/systems/{system.pk}/"
    url = f"{page}badges/{place.board.benchmark}.{BADGE.ending}"
    title = place.board.benchmark_title
    markdown = f"[![{escape(title)}]({settings.SITE_URL}{url})]({settings.SITE_URL}{page})"
    return {"url": url, "title": title, "markdown": markdown}


def _withdrawals(systems: list[System]) -> dict[uuid.UUID, list[Submission]]:
    """The submissions that were scored and later withdrawn or disqualified, by system; none anonymous."""
    ended = Submission.objects.filter(system__in=systems, ended_at__isnull=False, batch_entries__isnull=False)
    by_system: dict[uuid.UUID, list[Submission]] = defaultdict(list)
    public = ended.filter(phase__benchmark__visibility="public").exclude(phase__benchmark__is_anonymous=True)
    for submission in public.distinct():
        by_system[submission.system_id].append(submission)
    return by_system
