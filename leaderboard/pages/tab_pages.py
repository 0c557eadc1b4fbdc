"""The addresses of a benchmark beside its ranking: analysis, tasks and rules, releases; and what heads them all."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import InitVar, dataclass, field
from typing import ClassVar

from django.utils.safestring import SafeString

from benchmarks.models import GivenFile, Phase
from benchmarks.notices.models import WrittenVersion
from benchmarks.spec import TaskSpec
from catalogue.registry import Registry
from leaderboard.board.analysis.alternative_rankings import OtherRanksView
from leaderboard.board.charts.chart import Chart
from leaderboard.board.exports.export import ReleaseExport
from leaderboard.board.model.board import Board
from leaderboard.rendering.rendered_page import BenchmarkPage
from leaderboard.reports.report import ReportPart

TABS = RANKING, ANALYSIS, RULES, RELEASES = "Ranking", "Analysis", "Tasks and rules", "Releases"
ABOUT = "About"
"""A fifth, where organisers have written pages about the benchmark."""


@dataclass(frozen=True, slots=True)
class TaskLine:
    """A task in a list with how many test items there are, 0 if nobody knows."""

    spec: TaskSpec
    item_count: int
    gold_public: bool


@dataclass(frozen=True, slots=True)
class PhaseLine:
    """A phase to tell of; `is_shown` for that of the board, `release` is the number of its newest one."""

    phase: Phase
    rules: tuple[str, ...]
    is_shown: bool
    release: int | None


@dataclass(frozen=True, kw_only=True)
class HeadedPage(BenchmarkPage):
    """A page under the head of its benchmark; current or, where `archived`, of a release of the past.

    `phase` is the title of the board's phase, empty where the benchmark has but one. `gold_public` says whether the
    gold labels of everything on the page are public, `closed_at` since when nothing can be submitted any more.
    `about` are address and title of each page that organisers have written; an archived page has none. `tabs` are
    address and title of each page under this head, and whether it is this one.
    """

    board: Board
    phase: str
    next_cut_off_at: dt.datetime | None
    closed_at: dt.datetime | None
    archived: bool
    gold_public: bool
    about: InitVar[Sequence[tuple[str, str]]] = ()
    tab: ClassVar[str] = ""
    tabs: tuple[tuple[str, str, bool], ...] = field(init=False)

    def __post_init__(self, about: Sequence[tuple[str, str]]) -> None:
        base = f"/benchmarks/{self.benchmark.id}/"
        here = f"{base}releases/{self.board.release}/" if self.archived else base
        addresses = (here, f"{here}analysis/", f"{here}rules/", f"{base}releases/")
        named = [*zip(addresses, TABS, strict=True), *((url, ABOUT) for url, _ in about[:1])]
        object.__setattr__(self, "tabs", tuple((url, title, title == self.tab) for url, title in named))


@dataclass(frozen=True, kw_only=True)
class AnalysisPage(HeadedPage):
    """What the overall board shows besides its order. Files of charts and reports stand beside `export_base`."""

    template = "public/analysis.html"
    tab: ClassVar[str] = ANALYSIS
    export_base: str
    pictures: Sequence[Chart]
    history: Sequence[Chart]
    other_ranks: OtherRanksView | None
    reports: Mapping[str, Sequence[ReportPart]]


@dataclass(frozen=True, kw_only=True)
class RulesPage(HeadedPage):
    """What is asked, what is given, and what holds for whoever answers. An archived page tells of no files."""

    template = "public/rules.html"
    tab: ClassVar[str] = RULES
    tasks: Sequence[TaskLine]
    phases: Sequence[PhaseLine]
    has_terms: bool
    files: Sequence[GivenFile]


@dataclass(frozen=True, kw_only=True)
class AboutPage(HeadedPage):
    """One of the pages that organisers have written about a benchmark; `body` is its text drawn.

    `pages` are address and title of all of them.
    """

    template = "public/about.html"
    tab: ClassVar[str] = ABOUT
    pages: Sequence[tuple[str, str]]
    written: WrittenVersion
    body: SafeString


@dataclass(frozen=True, kw_only=True)
class ReleasesPage(HeadedPage):
    """All releases, the newest first, and how to cite them.

    `lines` are those of `_releases.html`. `bits` says what all of them can tell of the gold labels; empty where nobody
    knows.
    """

    template = "public/releases.html"
    tab: ClassVar[str] = RELEASES
    lines: SafeString
    bits: str
    bibtex: str
    release_exports: Registry[ReleaseExport]
    export_base: str
    reports: Mapping[str, Sequence[ReportPart]]
