"""How often each option of the fact sheets is named by the systems of a release, and the figures of it."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NotRequired, TypedDict
from uuid import UUID

from benchmarks.models import Benchmark
from benchmarks.spec import ADVISORS, OVERALL, BenchmarkSpec
from benchmarks.spec.averages import tasks_of
from leaderboard.board.charts.bar_chart import count_chart
from leaderboard.rendering.rendered_page import RenderedPage, chart_files
from leaderboard.reports.report import BoardPlace, ReleaseDraft, ReleaseReport, ReportPart, Slot
from submissions.fact_sheets.services import fact_lists
from submissions.models import FactSheet, System


class OptionCount(TypedDict):
    """How many systems name an option. `by_group` is the same for each of the report's `groups`."""

    title: str
    count: int
    by_group: NotRequired[list[int]]


class FactListCounts(TypedDict):
    """The options of a list by count, those of equal count by name."""

    id: str
    title: str
    options: list[OptionCount]


class GroupAnswers(TypedDict):
    """A group of columns of the overall board, and how many systems with a fact sheet answer one of its tasks."""

    title: str
    answered: int


class FactSheetCounts(TypedDict):
    """The fact sheets of a release: of so many systems so many have one.

    `groups` are there where the overall board has several.
    """

    systems: int
    answered: int
    lists: list[FactListCounts]
    groups: NotRequired[list[GroupAnswers]]


class FactSheetFigures(ReleaseReport[FactSheetCounts]):
    """Shown below the overall board: a figure for each list of the fact sheets."""

    key = "fact_sheets"

    def make(self, draft: ReleaseDraft) -> FactSheetCounts | None:
        cells = [cell for cell in draft.cells if cell.system.kind == System.Kind.SYSTEM]
        benchmark = draft.release.benchmark
        # A group that one system answers would tell what a system without a name is made of.
        tasks = {} if benchmark.is_anonymous else _tasks_by_group(benchmark.spec)
        answering = {
            title: {cell.system_id for cell in cells if cell.task.slug in known}
            for title, known in tasks.items()
        }
        return usage({cell.system_id for cell in cells}, benchmark, answering)

    def parts(self, stored: FactSheetCounts, place: BoardPlace) -> Iterator[ReportPart]:
        if place.is_overall and stored["answered"]:
            view = figures(stored, is_synthetic=place.board.synthetic)
            yield ReportPart(Slot.SECTIONS, "public/reports/fact_sheets.html", view)

    def files(self, stored: FactSheetCounts, place: BoardPlace) -> Iterator[RenderedPage]:
        if place.is_overall and stored["answered"]:
            view = figures(stored, is_synthetic=place.board.synthetic)
            yield from chart_files(view["charts"], place.path)


def _tasks_by_group(spec: BenchmarkSpec) -> dict[str, set[str]]:
    """The tasks below each common head of the overall board's columns; nothing where there are not several heads."""
    overall = next((board for board in spec.boards if board.id == OVERALL), None)
    heads = [group for group in overall.groups if group.title] if overall else []
    if len(heads) < 2:
        return {}
    return {
        group.title: {task.id for column in group.columns for task in tasks_of(spec, group.asked(column)[0])}
        for group in heads
    }


def usage(
    system_ids: Collection[UUID],
    benchmark: Benchmark,
    answering: Mapping[str, Collection[UUID]] = MappingProxyType({}),
) -> FactSheetCounts | None:
    """What a release stores of fact sheets; None where the benchmark asks for no fact sheet.

    `answering` are the systems that answer tasks of each group of columns.
    """
    lists = fact_lists(benchmark)
    if not lists:
        return None
    sheets = FactSheet.objects.filter(benchmark=benchmark, system__in=system_ids)
    said = dict(sheets.values_list("system_id", "answers"))
    counts = _counts(said.values())
    by_group = [
        (title, [answers for system, answers in said.items() if system in systems])
        for title, systems in answering.items()
    ]
    counts_by_group = [_counts(answers) for _, answers in by_group]

    def counted(part: str, option: str) -> OptionCount:
        found: OptionCount = {"title": option, "count": counts[part, option]}
        if by_group:
            found["by_group"] = [of_group[part, option] for of_group in counts_by_group]
        return found

    report: FactSheetCounts = {
        "systems": len(system_ids),
        "answered": len(said),
        "lists": [
            {
                "id": part.id,
                "title": part.title,
                "options": [
                    counted(part.id, option)
                    for option in sorted(
                        part.options, key=lambda option: (-counts[part.id, option], option.casefold(), option)
                    )
                ],
            }
            for part in lists
        ],
    }
    if by_group:
        report["groups"] = [{"title": title, "answered": len(answers)} for title, answers in by_group]
    return report


def _counts(sheets: Iterable[Mapping[str, Collection[str]]]) -> Counter[tuple[str, str]]:
    """How many sheets name each option of each list."""
    return Counter((name, option) for answers in sheets for name in answers for option in set(answers[name]))


def figures(report: FactSheetCounts, *, is_synthetic: bool) -> dict[str, Any]:
    """A frozen report as pages draw it: its `charts`, and as `unnamed` title and options of lists that nobody used.

    `tables` are lists by groups of columns: title, and the options that anybody names with their counts.
    """
    charts, unnamed = [], []
    for part in report["lists"]:
        counts = [(option["title"], option["count"]) for option in part["options"]]
        key = f"used-{part['id']}"
        if chart := count_chart(key, part["title"], counts, report["answered"], is_synthetic=is_synthetic):
            charts.append(chart)
        else:
            unnamed.append((part["title"], [option for option, _ in counts]))
    tables = [
        (part["title"], [(one["title"], one["by_group"]) for one in part["options"] if one["count"]])
        for part in report["lists"]
        if report.get("groups") and any(one["count"] for one in part["options"])
    ]
    return {**report, "charts": charts, "unnamed": unnamed, "tables": tables}


def shown_sheets(system_ids: Iterable[str], benchmark: Benchmark) -> dict[str, list[dict[str, Any]]]:
    """What each system says, by its id: title and options of every list of the benchmark that it has answered."""
    lists = fact_lists(benchmark)
    sheets = FactSheet.objects.filter(benchmark=benchmark, system__in=map(UUID, system_ids)) if lists else ()
    return {
        str(sheet.system_id): [
            {"title": fact_list.title, "options": sheet.answers[fact_list.id]}
            for fact_list in lists
            if fact_list.id in sheet.answers
        ]
        + ([{"title": "Advisors", "options": sheet.answers[ADVISORS]}] if ADVISORS in sheet.answers else [])
        for sheet in sheets
    }
