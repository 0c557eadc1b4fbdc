"""The page of every board of a release: the overall one, each task's, and the others, in every format."""

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from django.utils.safestring import SafeString

from accounts.templatetags.instants import printed_day
from benchmarks.given_files import given_files, surroundings
from benchmarks.models import Benchmark, Phase, Split, Texts
from benchmarks.notices.markdown import as_safe_html
from benchmarks.notices.pages import standing_pages
from benchmarks.spec import OVERALL, TEST, TaskSpec
from benchmarks.spec.rule_fit import hidden_items
from leaderboard.board.analysis.alternative_rankings import other_ranks
from leaderboard.board.analysis.chance import few_items, power_view
from leaderboard.board.analysis.order_sentence import order_sentence
from leaderboard.board.analysis.pairwise_matrix import lead_view
from leaderboard.board.analysis.release_changes import changes
from leaderboard.board.exports import EXPORTS, RELEASE_EXPORTS
from leaderboard.board.model.board import Board
from leaderboard.board.model.phase_rules import rules
from leaderboard.board.tables.column_rankings import column_rankings
from leaderboard.board.tables.people_table import people_table
from leaderboard.board.tables.release_summaries import release_lines
from leaderboard.ledger.accounts import published_bits
from leaderboard.models import Page
from leaderboard.pages.citation_files import bibtex
from leaderboard.pages.disclosure_notice import disclosure_notice, first_sentence, what_is_left_open
from leaderboard.pages.item_pages import item_links, set_links
from leaderboard.pages.labelling.labelling_pages import labelling_links
from leaderboard.pages.notice_pages import notices_on_board
from leaderboard.pages.rendered_release import PrintedBoard, PrintedRelease
from leaderboard.pages.score_cards import origins_page
from leaderboard.pages.tab_pages import (
    AboutPage,
    AnalysisPage,
    BoardPage,
    PhaseLine,
    ReleasesPage,
    RulesPage,
    TaskLine,
    TaskPage,
)
from leaderboard.rendering.opened_gold import opened_gold, reason_for_opening, tasks_with_public_gold
from leaderboard.rendering.rendered_page import RenderedPage, html
from leaderboard.rendering.row_files import has_row_files
from leaderboard.reports.matrix import PairwiseMatrix
from leaderboard.reports.registry import report_files, report_parts
from leaderboard.reports.report import BoardPlace
from scoring.disclosure.guarded_labels import guards_labels
from scoring.gold.rankings import rankings_of_tasks
from scoring.models import GoldVersion
from submissions.guides.phase_guides import public_guides
from submissions.intake.predictions.file_writer import form_of_file


def predictions_path(benchmark: str, release: int) -> str:
    """Where the predictions behind a release stand, once they are public."""
    return f"/benchmarks/{benchmark}/releases/{release}/predictions.zip"


def board_path(base: str, key: str, board: Board) -> str:
    """Where a board stands: the overall one at the benchmark's own address."""
    if key == OVERALL:
        return base
    return f"{base}/boards/{key}" if board.task is None else f"{base}/tasks/{key}"


def next_cut_off(phases: Iterable[Phase]) -> dt.datetime | None:
    """The first cut-off that submissions still wait for; None where the benchmark is archived."""
    taking = (phase for phase in phases if phase.kind != Phase.Kind.BREAK and not phase.benchmark.archived_at)
    return min(filter(None, (phase.awaited_cut_off for phase in taking)), default=None)


def closed_at(phases: Iterable[Phase]) -> dt.datetime | None:
    """Since when nothing can be submitted any more; None as long as something can."""
    taking = [phase for phase in phases if phase.kind != Phase.Kind.BREAK]
    if next_cut_off(taking):
        return None
    ends = (tuple(filter(None, (phase.closes_at, phase.benchmark.archived_at))) for phase in taking)
    return max((min(instants) for instants in ends if instants), default=None)


class BoardPages:
    """Everything below `base` that shows a board of a release: current pages, or those of the past.

    What is offered now (texts, opened gold labels, samples, notices, numbers of items) is no release's, so an archived
    page shows none of it.
    """

    def __init__(
        self,
        benchmark: Benchmark,
        printed: PrintedRelease,
        base: str,
        *,
        is_archived: bool,
        newest: PrintedRelease | None = None,
    ) -> None:
        self.newest = newest or printed
        self.benchmark, self.printed, self.base, self.is_archived = benchmark, printed, base, is_archived
        self.spec = benchmark.spec
        self.boards = {key: printed_board.board for key, printed_board in printed.boards.items()}
        self.public = tasks_with_public_gold(benchmark, since_ever=is_archived)
        self.bits = published_bits(benchmark, printed.number, self.public)
        self.tasks = self._task_lines()
        self.item_counts = {line.spec.id: line.item_count for line in self.tasks}
        self.written = [] if is_archived else standing_pages(benchmark)
        phases = list(benchmark.phases.all())
        is_told = len(phases) > 1 or bool(printed.phase.series)
        self.titles = {phase.slug: phase.title for phase in phases} if is_told else {}
        self.common = self._common(phases)
        self.urls = {line.spec.id: f"{base}/tasks/{line.spec.id}/" for line in self.tasks}
        self.urls |= {key: f"{base}/boards/{key}/" for key, board in self.boards.items() if board.axis}
        self.urls |= {} if is_archived else set_links(benchmark)

    def _told(self, task: str) -> str:
        """What everything published so far tells of the gold labels of a task, or of all; empty where nobody knows."""
        bits = self.bits.get(task)
        return bits.sentences(of_one=bool(task)) if bits else ""

    def render(self) -> Iterator[RenderedPage]:
        """Every board's page with what stands beside it."""
        if self.printed.number:
            yield origins_page(self.base, self.boards)
        facts = self._facts_of_tasks()
        for key, printed in self.printed.boards.items():
            board = printed.board
            place = BoardPlace(key, board, self.spec, board_path(self.base, key, board), self.is_archived)
            yield from report_files(self.printed.reports, place)
            if board.task is not None:
                yield self._task_page(place, printed, facts[key])
            else:
                yield from self._board_pages(place, printed)
            yield from printed.exports_at(place.path)

    def _has_row_files(self, board: Board) -> bool:
        """Boards of the past are sorted by the server: few read them otherwise, and they are kept for ever."""
        return not self.is_archived and has_row_files(board)

    def _task_lines(self) -> list[TaskLine]:
        """The tasks with their items: as the definition states, or as the test set and made sets have them."""
        splits = Split.objects.filter(task__benchmark=self.benchmark, task__is_retired=False)
        sizes = splits.values_list("task__slug", "slug", "item_count")
        counts = {} if self.is_archived else {(task, slug): count for task, slug, count in sizes}
        lines = []
        for task in self.spec.tasks:
            if task.id not in self.boards:
                continue  # the phase of an archived release is not about it
            told = (split for split in task.test_splits if split == TEST or task.split(split).made)
            count = task.test_size or sum(counts.get((task.id, split), 0) for split in told)
            lines.append(TaskLine(task, count, task.id in self.public))
        return lines

    def _common(self, phases: Sequence[Phase]) -> dict[str, Any]:
        links: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for key, board in self.boards.items():
            if board.axis:
                links[board.axis].append((f"{self.base}/boards/{key}/", board.title))
        beside = {} if self.is_archived else item_links(self.benchmark) | labelling_links(self.benchmark)
        self.boards_by_axis = dict(links) | beside
        self.phases = [
            PhaseLine(
                phase,
                rules(phase.as_spec()),
                is_shown=phase == self.printed.phase,
                release=phase.releases.order_by("-number").values_list("number", flat=True).first(),
            )
            for phase in ([self.printed.phase] if self.is_archived else self._phases_to_tell_of(phases))
        ]
        return {
            "benchmark": self.spec,
            "board": self.boards[OVERALL],
            "phase": self.titles.get(self.printed.phase.slug, ""),
            "next_cut_off_at": None if self.is_archived else next_cut_off(phases),
            "closed_at": None if self.is_archived else closed_at(phases),
            "archived": self.is_archived,
            "gold_public": len(self.public) == len(self.spec.tasks),
            "about": [(version.page.get_absolute_url(), version.title) for version in self.written],
        }

    def _phases_to_tell_of(self, phases: Sequence[Phase]) -> Iterator[Phase]:
        """All phases, but of a series the edition of the board and those after the newest that is over."""
        newest = {phase.series: phase for phase in phases}
        for phase in phases:
            is_shown = phase == self.printed.phase or phase == self.newest.phase
            if not phase.series or is_shown or phase == newest[phase.series]:
                yield phase

    def _about(self, place: BoardPlace) -> dict[str, Any]:
        return self.common | {
            "board": place.board,
            "phase": self.titles.get(place.board.phase, ""),
            "is_overall": place.is_overall,
            "provisional": self.newest.lines[0] if self.newest.number > self.printed.number else None,
            "other_phases": self._other_phases() if place.is_overall and not self.is_archived else (),
            "exports": EXPORTS,
            "export_base": place.path,
            "boards_by_axis": self.boards_by_axis,
            "predictions": self._predictions,
            "reports": report_parts(self.printed.reports, place),
            "order": order_sentence(place.board, self._lead(place)),
            "rankings": column_rankings(place.board, self.boards, self.urls) if place.is_overall else None,
            "disclosure": first_sentence(disclosure_notice(place.board)),
            "few_items": few_items(place.board, self.item_counts),
        }

    @cached_property
    def _predictions(self) -> str:
        """The file of the predictions behind a past release; empty where they are not public."""
        path = predictions_path(self.benchmark.slug, self.printed.number) if self.is_archived else ""
        return path if Page.objects.filter(pk=path).exists() else ""

    def _other_phases(self) -> list[tuple[str, int]]:
        """The title and the newest release of each phase that is not shown, but of editions: the archive has them."""
        newest = {board.phase: board.release for board in reversed(self.newest.rankings)}
        others = self.benchmark.phases.filter(series="").exclude(pk=self.printed.phase.pk)
        return [(phase.title, newest[phase.slug]) for phase in others if phase.slug in newest]

    def _lead(self, place: BoardPlace) -> dict[str, Any] | None:
        stored = self.printed.reports.get(PairwiseMatrix.key) if place.is_overall else None
        return lead_view(stored) if stored else None

    def _board_pages(self, place: BoardPlace, printed: PrintedBoard) -> Iterator[RenderedPage]:
        """A board that is no task's, and with the overall one the benchmark's other addresses."""
        named = {column.key.partition(":")[0].partition("@")[0] for column in place.board.columns}
        own = [line for line in self.tasks if line.spec.id in named]
        notices: dict[str, Any] = {}
        if place.is_overall:
            notices = {} if self.is_archived else notices_on_board(self.benchmark)
            yield from self._tabs(place, printed, has_terms=notices.get("has_terms", False))
            if self.printed.before:
                notices["changes"] = changes(self.printed.rankings[0], [self.printed.before])
        page = BoardPage(
            **self._about(place),
            **notices,
            table=printed.table.with_links(self.urls),
            has_files=self._has_row_files(place.board),
            tasks=own or self.tasks,
            charts=printed.charts,
            pictures=printed.pictures,
        )
        yield html(f"{place.path}/", page)

    def _tabs(self, place: BoardPlace, printed: PrintedBoard, *, has_terms: bool) -> Iterator[RenderedPage]:
        """Analysis, tasks and rules, and, of the current pages, the list of releases."""
        yield from self.printed.history.files_at(place.path)
        analysis = AnalysisPage(
            **self.common,
            export_base=place.path,
            pictures=printed.pictures,
            history=self.printed.history.charts,
            other_ranks=other_ranks(place.board, self.spec.averages),
            reports=report_parts(self.printed.reports, place),
        )
        yield html(f"{place.path}/analysis/", analysis)
        given = [] if self.is_archived else given_files(self.benchmark)
        told = RulesPage(
            **self.common, tasks=self.tasks, phases=self.phases, has_terms=has_terms, files=given
        )
        yield html(f"{place.path}/rules/", told)
        if not self.is_archived:
            releases = ReleasesPage(
                **self.common,
                lines=self._release_lines(),
                bits=self._told(""),
                bibtex=bibtex(self.printed),
                release_exports=RELEASE_EXPORTS,
                export_base=place.path,
                reports=report_parts(self.printed.reports, place),
            )
            yield html(f"{place.path}/releases/", releases)
        yield from self._about_pages()

    def _release_lines(self) -> SafeString:
        lines = release_lines(
            self.newest.lines, benchmark=self.spec.id, current=self.printed.number, day=printed_day
        )
        return SafeString(lines)

    def _about_pages(self) -> Iterator[RenderedPage]:
        """What organisers have written about the benchmark."""
        around = surroundings(self.benchmark)
        for version in self.written:
            body = as_safe_html(version.text, around)
            page = AboutPage(**self.common, pages=self.common["about"], written=version, body=body)
            yield html(version.page.get_absolute_url(), page)

    def _task_page(self, place: BoardPlace, printed: PrintedBoard, facts: Mapping[str, Any]) -> RenderedPage:
        task, count = self.spec.task(place.key), self.item_counts[place.key]
        gold: GoldVersion | None = facts["gold"]
        scored = gold.item_count if gold and task.gold.empty_labels else count
        page = TaskPage(
            **self._about(place) | {"gold_public": task.id in self.public},
            **facts,
            table=printed.table,
            has_files=self._has_row_files(place.board),
            tasks=self.tasks,
            charts=(),
            pictures=(),
            bits=self._told(task.id),
            task=task,
            attack_files=[task.path_of(split.id) for split in task.splits if split.attack],
            has_test=TEST in task.test_splits and not task.awaits_sets,
            set_files=[(split.title, split.file) for split in task.splits if split.file],
            header=task.file.header_line if task.file.layout.is_table and not form_of_file(task) else "",
            beginning=form_of_file(task),
            is_plain=task.file.header == (task.file.id_column, task.file.label_column)
            and bool(task.output.labels),
            item_count=count,
            scored_count=scored,
            power=power_view(place.board, scored),
            before_the_end=self._kept_of(task, scored),
            by_people=people_table(place.board),
        )
        return html(f"{place.path}/", page)

    def _kept_of(self, task: TaskSpec, item_count: int) -> list[tuple[str, str]]:
        """What the rules of phases keep of a task's test items, in numbers; nothing where all is shown at once."""
        if not item_count or task.id in self.public:
            return []
        items = hidden_items(task, item_count)
        return [
            (
                phase.title,
                f"{phase.rule.in_numbers(items)} {what_is_left_open(phase, item_count, before[task.id])}".strip(),
            )
            for phase, before in self._keeping
        ]

    @cached_property
    def _keeping(self) -> list[tuple[Phase, Counter[str]]]:
        """The phases whose rules keep something of the items, each with how often those of a task ranked before."""
        running = self.benchmark.phases.exclude(batches__is_final=True)
        phases = [self.printed.phase] if self.is_archived else running
        return [(phase, rankings_of_tasks(phase)) for phase in phases if not phase.rule.shows_everything()]

    def _facts_of_tasks(self) -> dict[str, dict[str, Any]]:
        """What is offered and known of each task now, and its gold labels."""
        now = not self.is_archived
        versions = GoldVersion.objects.filter(split__task__benchmark=self.benchmark)
        if self.is_archived:
            versions = versions.filter(loaded_at__lte=self.boards[OVERALL].published_at)
        gold = {
            (version.split.task.slug, version.split.slug): version
            for version in versions.select_related("split__task").order_by("number")
        }
        texts = Texts.objects.by_task(self.benchmark) if now else {}
        opened = opened_gold(self.benchmark) if now else {}
        reason = reason_for_opening(self.benchmark) if opened else ""
        counts_are_shown = not guards_labels(self.benchmark)
        sending = {} if not now or self.common["closed_at"] else public_guides(self.benchmark)
        return {
            task.id: {
                "gold": (version := gold.get((task.id, TEST))),
                "class_counts": [*version.class_counts.items()]
                if counts_are_shown and version and version.class_counts
                else (),
                "gold_sets": [
                    (split.title, gold[task.id, split.id])
                    for split in task.gold_splits
                    if split.id != TEST and (task.id, split.id) in gold
                ],
                "texts": [
                    (task.split(of_split.split.slug).title, of_split) for of_split in texts.get(task.id, ())
                ],
                "opened_gold": opened.get(task.id),
                "gold_reason": reason if opened.get(task.id) else "",
                "sending": sending.get(task.id),
            }
            for task in self.spec.tasks
        }
