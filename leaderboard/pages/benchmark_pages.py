"""Render what is published: every board as HTML and in every other format, once, for everyone."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from benchmarks.models import Benchmark, Phase, Split, Texts
from benchmarks.spec import OVERALL, BenchmarkSpec, TaskSpec
from leaderboard.assembly.row_cells import TEST
from leaderboard.board.analysis.alternative_rankings import other_ranks
from leaderboard.board.analysis.chance import few_items, power_view
from leaderboard.board.analysis.release_changes import changes
from leaderboard.board.exports import EXPORTS, RELEASE_EXPORTS
from leaderboard.board.model.board import Board
from leaderboard.board.model.phase_rules import rules
from leaderboard.board.tables import release_summaries
from leaderboard.ledger.accounts import published_bits
from leaderboard.models import Release
from leaderboard.pages.citation_files import bibtex, current_pages, history, release_files
from leaderboard.pages.disclosure_notice import disclosure_notice
from leaderboard.pages.item_pages import item_links, item_pages, set_links
from leaderboard.pages.notice_pages import notice_pages, notices_on_board
from leaderboard.pages.opened_gold import opened_gold, reason_for_opening, tasks_with_public_gold
from leaderboard.pages.rendered_page import RenderedPage, html
from leaderboard.pages.rendered_release import (
    PrintedRelease,
    print_nothing_yet,
    print_release,
    rankings,
)
from leaderboard.pages.system_pages import system_pages
from leaderboard.provenance.score_cards import provenance_pages
from leaderboard.provenance.submissions import origins_page
from leaderboard.reports.registry import report_files, report_parts
from leaderboard.reports.report import BoardPlace
from scoring.models import GoldVersion
from submissions.guides.phase_guides import public_guides


def home_page() -> RenderedPage:
    """The list of benchmarks that can be submitted to, with who leads them."""
    cards = [_card(benchmark) for benchmark in Benchmark.objects.ready()]
    return html("/", "public/home.html", {"section": "benchmarks", "benchmarks": cards})


def _card(benchmark: Benchmark) -> dict[str, Any]:
    spec, phases = benchmark.spec, list(benchmark.phases.all())
    newest = rankings(benchmark, at_most=2)
    return {
        "id": spec.id,
        "title": spec.title,
        "summary": spec.summary,
        "next_cut_off_at": _next_cut_off(phases),
        "closed_at": _closed_at(phases),
        "release": release_summaries.release(newest[0]) if newest else None,
        "gold_public": len(tasks_with_public_gold(benchmark)) == len(spec.tasks),
        "changes": changes(newest[0], newest[1:]) if newest else None,
    }


def render_benchmark(benchmark: Benchmark, newest: PrintedRelease | None = None) -> list[RenderedPage]:
    """A benchmark's current pages: its boards, its archive and its systems' pages.

    `newest` is its newest release, where that is printed already.
    """
    printed = newest or _newest(benchmark)
    if printed is None:
        return []
    pages = _BoardPages(benchmark, printed)
    return [
        *pages.render(f"/benchmarks/{benchmark.slug}", is_archived=False),
        pages.archive(),
        *current_pages(printed),
        *notice_pages(benchmark),
        *item_pages(benchmark),
        *system_pages(benchmark, printed),
        *(provenance_pages(printed) if newest is None else ()),  # else they come with the release's own pages
    ]


def render_release(printed: PrintedRelease) -> list[RenderedPage]:
    """The permanent pages of one release."""
    benchmark = printed.phase.benchmark
    base = f"/benchmarks/{benchmark.slug}/releases/{printed.number}"
    return [*_BoardPages(benchmark, printed).render(base, is_archived=True), *release_files(printed)]


def _newest(benchmark: Benchmark) -> PrintedRelease | None:
    """The newest release; before the first, published rows alone, so that a new benchmark has its page at once."""
    release = Release.objects.latest_of(benchmark.slug)
    phase = release.phase if release else _shown_at_first(benchmark)
    if phase is None:
        return None
    phase.benchmark = benchmark
    return print_release(release) if release else print_nothing_yet(phase)


def _shown_at_first(benchmark: Benchmark) -> Phase | None:
    """The phase whose board stands before anything is published: one that published rows can stand in."""
    scored = benchmark.phases.exclude(kind__in=[Phase.Kind.BUILD, Phase.Kind.BREAK])
    return scored.first() or benchmark.phases.first()


@dataclass(frozen=True, slots=True)
class _BoardPages:
    """Everything below one benchmark's address that shows a board."""

    benchmark: Benchmark
    printed: PrintedRelease

    def render(self, base: str, *, is_archived: bool) -> Iterator[RenderedPage]:
        """The overall board at `base` and each task's below it, in every format."""
        spec, reports = self.benchmark.spec, self.printed.reports
        boards = {key: one.board for key, one in self.printed.boards.items()}
        phases = list(self.benchmark.phases.all())
        task_urls = {task.id: f"{base}/tasks/{task.id}/" for task in spec.tasks}
        public = tasks_with_public_gold(self.benchmark, since_ever=is_archived)
        bits = published_bits(self.benchmark, self.printed.number, public)
        common: dict[str, Any] = {
            "section": "benchmarks",
            "benchmark": spec,
            "tasks": _task_lines(spec, {} if is_archived else _item_counts(self.benchmark), public),
            "gold_public": len(public) == len(spec.tasks),
            "phases": self._phases([self.printed.phase] if is_archived else phases),
            "phase": self.printed.phase.title if len(phases) > 1 else "",
            "releases": self.printed.lines,
            "next_cut_off_at": None if is_archived else _next_cut_off(phases),
            "closed_at": None if is_archived else _closed_at(phases),
            "archived": is_archived,
            "bibtex": bibtex(self.printed),
            "exports": EXPORTS,
            "release_exports": RELEASE_EXPORTS,
            "bits": bits.get(""),
            "boards_by_axis": _links(base, boards) | ({} if is_archived else item_links(self.benchmark)),
        }
        gold, gold_sets = _gold_by_task(self.benchmark), _gold_of_other_sets(self.benchmark)
        texts = {} if is_archived else _texts_by_task(self.benchmark)  # what is offered now is no release's
        opened = {} if is_archived else opened_gold(self.benchmark)
        reason = reason_for_opening(self.benchmark) if opened else ""
        sending = {} if is_archived or _closed_at(phases) else public_guides(self.benchmark)
        counts = {line["spec"].id: line["item_count"] for line in common["tasks"]}
        urls = task_urls | {key: f"{base}/boards/{key}/" for key, board in boards.items() if board.axis}
        urls |= {} if is_archived else set_links(self.benchmark)
        if self.printed.number:
            yield origins_page(base, boards)
        for key, one in self.printed.boards.items():
            board, path = one.board, board_path(base, key, one.board)
            place = BoardPlace(key, board, spec, path, is_archived)
            context = common | {"board": board, "export_base": path, "reports": report_parts(reports, place)}
            yield from report_files(reports, place)
            context["disclosure"] = disclosure_notice(board)
            context["few_items"] = few_items(board, counts)
            if board.task is None:
                context["table"] = one.table.with_links(urls)
                if key == OVERALL:
                    context["other_ranks"] = other_ranks(board, spec.averages)
                    context["history"], files = history(self.printed, path)
                    if is_archived:
                        context["changes"] = changes(self.printed.rankings[0], self.printed.rankings[1:])
                    else:
                        context |= notices_on_board(self.benchmark)
                    yield from files
                context["tasks"] = common["tasks"] if key == OVERALL else _tasks_on(board, common["tasks"])
                context |= {"charts": one.charts, "pictures": one.pictures}
                yield html(f"{path}/", "public/board.html", context)
            else:
                context |= {
                    "table": one.table,
                    "gold": gold.get(key),
                    "gold_sets": gold_sets.get(key, ()),
                    "texts": texts.get(key),
                    "opened_gold": opened.get(key),
                    "gold_public": key in public,
                    "bits": bits.get(key),
                    "gold_reason": reason if opened.get(key) else "",
                    "sending": sending.get(key),
                    **_task_facts(spec.task(key)),
                    "item_count": (count := _items_of(key, common["tasks"])),
                    "power": power_view(board, count),
                }
                yield html(f"{path}/", "public/task.html", context)
            yield from one.exports_at(path)

    def _phases(self, phases: Iterable[Phase]) -> list[dict[str, Any]]:
        """The rules of these phases, and the newest release of each."""
        return [
            {
                "title": phase.title,
                "rules": rules(phase.as_spec()),
                "opens_at": phase.opens_at,
                "closes_at": phase.closes_at,
                "is_shown": phase == self.printed.phase,
                "has_board": phase.kind != Phase.Kind.BREAK,
                "release": phase.releases.order_by("-number").values_list("number", flat=True).first(),
            }
            for phase in phases
        ]

    def archive(self) -> RenderedPage:
        """The list of all releases."""
        context = {"section": "benchmarks", "benchmark": self.benchmark.spec, "releases": self.printed.lines}
        return html(f"/benchmarks/{self.benchmark.slug}/releases/", "public/releases.html", context)


def board_path(base: str, key: str, board: Board) -> str:
    """Where a board stands: the overall one at the benchmark's own address."""
    if key == OVERALL:
        return base
    return f"{base}/boards/{key}" if board.task is None else f"{base}/tasks/{key}"


def _next_cut_off(phases: Iterable[Phase]) -> dt.datetime | None:
    """The first cut-off that submissions still wait for; what comes after a phase's close is for corrections only."""
    return min(
        (
            phase.next_cut_off_at
            for phase in phases
            if phase.kind != Phase.Kind.BREAK
            and (phase.closes_at is None or phase.next_cut_off_at <= phase.closes_at)
        ),
        default=None,
    )


def _closed_at(phases: Iterable[Phase]) -> dt.datetime | None:
    """Since when nothing can be submitted any more; None as long as something can."""
    taking = [phase for phase in phases if phase.kind != Phase.Kind.BREAK]
    if _next_cut_off(taking):
        return None
    return max((phase.closes_at for phase in taking if phase.closes_at), default=None)


def _links(base: str, boards: Mapping[str, Board]) -> dict[str, list[dict[str, str]]]:
    """Links to the boards that are neither the overall one nor a task's, by what they have in common."""
    links: dict[str, list[dict[str, str]]] = {}
    for key, board in boards.items():
        if board.axis:
            links.setdefault(board.axis, []).append({"url": f"{base}/boards/{key}/", "title": board.title})
    return links


def _task_lines(
    spec: BenchmarkSpec, counts: Mapping[tuple[str, str], int], public: frozenset[str]
) -> list[dict[str, Any]]:
    """Each task with what an answer is, how many test items there are, and whether its gold labels are public."""
    return [
        {
            "spec": task,
            "answer": task.output.describe(),
            "item_count": _test_items(task, counts),
            "gold_public": task.id in public,
        }
        for task in spec.tasks
    ]


def _item_counts(benchmark: Benchmark) -> dict[tuple[str, str], int]:
    """The size of every split, by (task, split)."""
    rows = Split.objects.filter(task__benchmark=benchmark, task__is_retired=False)
    return {(task, slug): count for task, slug, count in rows.values_list("task__slug", "slug", "item_count")}


def _test_items(task: TaskSpec, counts: Mapping[tuple[str, str], int]) -> int:
    """How many items a task's score is about: as the definition states, or those of made sets that stand.

    0 if neither tells.
    """
    made = (one for one in task.test_splits if task.split(one).made)
    return task.test_size or sum(counts.get((task.id, one), 0) for one in made)


def _items_of(task: str, lines: Iterable[Mapping[str, Any]]) -> int:
    return next(int(line["item_count"]) for line in lines if line["spec"].id == task)


def _tasks_on(board: Board, lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those tasks that have a column on the board; all where none has, as where each column is of all tasks."""
    named = {column.key.partition(":")[0].partition("@")[0] for column in board.columns}
    return [line for line in lines if line["spec"].id in named] or lines


def _task_facts(task: TaskSpec) -> dict[str, Any]:
    labels = task.output.labels
    is_table = task.file.layout.is_table
    return {
        "task": task,
        "answer": task.output.describe(),
        "labels": labels,
        "attack_files": [task.path_of(split.id) for split in task.splits if split.attack],
        "has_test": TEST in task.test_splits and not task.awaits_sets,
        "set_files": [(split.title, split.file) for split in task.splits if split.file],
        "header": task.file.header_line if is_table else "",
        "is_plain": task.file.header == (task.file.id_column, task.file.label_column) and bool(labels),
    }


def _texts_by_task(benchmark: Benchmark) -> dict[str, list[tuple[str, Texts]]]:
    """The texts that may be downloaded with the titles of their sets, per task; the test split's first."""
    rows = Texts.objects.filter(split__task__benchmark=benchmark, split__task__is_retired=False)
    found: dict[str, list[Texts]] = {}
    for texts in (
        rows.select_related("split__task").defer("packed", "split__ids_packed").order_by("split__slug")
    ):
        found.setdefault(texts.split.task.slug, []).append(texts)
    return {
        slug: [
            (benchmark.spec.task(slug).split(one.split.slug).title, one)
            for one in sorted(some, key=lambda texts: texts.split.slug != TEST)
        ]
        for slug, some in found.items()
    }


def _gold_by_task(benchmark: Benchmark) -> dict[str, dict[str, Any]]:
    """What may be known of each task's gold labels."""
    versions = GoldVersion.objects.current().filter(split__task__benchmark=benchmark, split__slug="test")
    return {
        version.split.task.slug: {
            "version": version.number,
            "commitment": version.commitment,
            "class_counts": list(version.class_counts.items()) if version.class_counts else None,
        }
        for version in versions.select_related("split__task").defer("sealed", "split__ids_packed")
    }


def _gold_of_other_sets(benchmark: Benchmark) -> dict[str, list[dict[str, Any]]]:
    """As above of every other set with gold labels of its own, per task, in the order of the definition."""
    versions = GoldVersion.objects.current().filter(split__task__benchmark=benchmark)
    by_split = {
        (version.split.task.slug, version.split.slug): version
        for version in versions.select_related("split__task").defer("sealed", "split__ids_packed")
    }
    return {
        task.id: [
            {"title": split.title, "version": version.number, "commitment": version.commitment}
            for split in task.gold_splits
            if split.id != TEST and (version := by_split.get((task.id, split.id)))
        ]
        for task in benchmark.spec.tasks
    }
