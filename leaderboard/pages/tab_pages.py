"""What the pages of a benchmark hold: boards, analysis, tasks and rules, releases; and what heads them all."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import InitVar, dataclass, field
from typing import Any, ClassVar

from django.utils.safestring import SafeString

from benchmarks.models import GivenFile, Phase, Texts
from benchmarks.notices.models import Announcement, WrittenVersion
from benchmarks.spec import TaskSpec
from catalogue.registry import Registry
from leaderboard.board.analysis.alternative_rankings import OtherRanksView
from leaderboard.board.analysis.chance import PowerView
from leaderboard.board.analysis.order_sentence import OrderSentence
from leaderboard.board.analysis.release_changes import Changes
from leaderboard.board.charts.chart import Chart
from leaderboard.board.exports.export import BoardExport, ReleaseExport
from leaderboard.board.model.board import Board
from leaderboard.board.tables.board_table import TableView
from leaderboard.board.tables.column_rankings import ColumnRankings
from leaderboard.board.tables.people_table import PeopleTable
from leaderboard.board.tables.release_summaries import ReleaseView
from leaderboard.rendering.rendered_page import BenchmarkPage
from leaderboard.reports.report import ReportPart
from scoring.models import GoldVersion

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
class BoardPage(HeadedPage):
    """A board: the overall one or, as TaskPage, of one task.

    `export_base` is the page's address without the last slash, `charts` stand above the table, `reports` by slot, and
    by axis the address and title of each board. `provisional` is this week's release where the page shows a final one,
    and `other_phases` are titles of phases that are not shown, each with its newest release.
    `disclosure` is the first sentence about what is shown, and the others. What follows `boards_by_axis` is for the
    overall board alone, but `pictures`, which others have below their table. `predictions` is the address of those
    behind an archived release, if they are public. A board `has_files` where it is sorted without the server.
    """

    template = "public/board.html"
    tab: ClassVar[str] = RANKING
    is_overall: bool
    table: TableView
    tasks: Sequence[TaskLine]
    provisional: ReleaseView | None
    exports: Registry[BoardExport]
    export_base: str
    few_items: Sequence[str]
    order: OrderSentence | None
    rankings: ColumnRankings | None
    disclosure: tuple[str, str]
    reports: Mapping[str, Sequence[ReportPart]]
    charts: Sequence[Chart]
    pictures: Sequence[Chart]
    boards_by_axis: Mapping[str, Sequence[tuple[str, str]]]
    task: TaskSpec | None = None
    changes: Changes | None = None
    announcements: Sequence[Announcement] = ()
    more_announcements: int = 0
    has_terms: bool = False
    predictions: str = ""
    other_phases: Sequence[tuple[str, int]] = ()
    has_files: bool = False


@dataclass(frozen=True, kw_only=True)
class TaskPage(BoardPage):
    """One task: its board, and what a submission to it must hold.

    `header` is the file's first line, empty where the file is no table and `beginning` shows its form; `is_plain` where
    a row is an id and a label.
    `attack_files` stand in the zip, `set_files` are titles and paths of sets with a file of their own. `gold` is that
    of the test split, `gold_sets` of the others with their titles, `class_counts` empty where the organiser keeps
    them back, `opened_gold` what is public of them and `gold_reason` why. `sending`
    has sample files and commands, None where no file can be checked yet. `before_the_end` has phases by title, each
    with what its rule keeps of these test items, in numbers. `bits` says what all releases so far can tell of them.
    `by_people` is what people gave the systems, None where they judged none.
    """

    template = "public/task.html"
    task: TaskSpec
    bits: str
    header: str
    beginning: str
    is_plain: bool
    attack_files: Sequence[str]
    has_test: bool
    set_files: Sequence[tuple[str, str]]
    gold: GoldVersion | None
    gold_sets: Sequence[tuple[str, GoldVersion]]
    class_counts: Sequence[tuple[str, int]]
    opened_gold: Any
    gold_reason: str
    texts: Sequence[tuple[str, Texts]]
    sending: Mapping[str, str] | None
    item_count: int
    scored_count: int
    power: PowerView | None
    before_the_end: Sequence[tuple[str, str]]
    by_people: PeopleTable | None


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
