"""How often each option of the fact sheets is named by the systems of a release, and the figures of it."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import Any, TypedDict
from uuid import UUID

from benchmarks.models import Benchmark
from benchmarks.spec import ADVISORS
from leaderboard.board.charts.bar_chart import count_chart
from leaderboard.rendering.rendered_page import RenderedPage, chart_files
from leaderboard.reports.report import BoardPlace, ReleaseDraft, ReleaseReport, ReportPart, Slot
from submissions.fact_sheets.services import fact_lists
from submissions.models import FactSheet, System


class OptionCount(TypedDict):
    """How many systems name an option."""

    title: str
    count: int


class FactListCounts(TypedDict):
    """The options of a list by count, those of equal count by name."""

    id: str
    title: str
    options: list[OptionCount]


class FactSheetCounts(TypedDict):
    """The fact sheets of a release: of so many systems so many have one."""

    systems: int
    answered: int
    lists: list[FactListCounts]


class FactSheetFigures(ReleaseReport[FactSheetCounts]):
    """Shown below the overall board: a figure for each list of the fact sheets."""

    key = "fact_sheets"

    def make(self, draft: ReleaseDraft) -> FactSheetCounts | None:
        systems = {cell.system_id for cell in draft.cells if cell.system.kind == System.Kind.SYSTEM}
        return usage(systems, draft.release.benchmark)

    def parts(self, stored: FactSheetCounts, place: BoardPlace) -> Iterator[ReportPart]:
        if place.is_overall and stored["answered"]:
            view = figures(stored, is_synthetic=place.board.synthetic)
            yield ReportPart(Slot.SECTIONS, "public/reports/fact_sheets.html", view)

    def files(self, stored: FactSheetCounts, place: BoardPlace) -> Iterator[RenderedPage]:
        if place.is_overall and stored["answered"]:
            view = figures(stored, is_synthetic=place.board.synthetic)
            yield from chart_files(view["charts"], place.path)


def usage(system_ids: Collection[UUID], benchmark: Benchmark) -> FactSheetCounts | None:
    """What a release stores of fact sheets; None where the benchmark asks for no fact sheet."""
    lists = fact_lists(benchmark)
    if not lists:
        return None
    sheets = FactSheet.objects.filter(benchmark=benchmark, system__in=system_ids)
    said = sheets.values_list("answers", flat=True)
    counts = Counter((name, option) for answers in said for name in answers for option in set(answers[name]))
    return {
        "systems": len(system_ids),
        "answered": len(said),
        "lists": [
            {
                "id": part.id,
                "title": part.title,
                "options": [
                    {"title": option, "count": -count}
                    for count, _, option in sorted(
                        (-counts[part.id, option], option.casefold(), option) for option in part.options
                    )
                ],
            }
            for part in lists
        ],
    }


def figures(report: FactSheetCounts, *, is_synthetic: bool) -> dict[str, Any]:
    """A frozen report as pages draw it: its `charts`, and as `unnamed` title and options of lists that nobody used."""
    charts, unnamed = [], []
    for part in report["lists"]:
        counts = [(option["title"], option["count"]) for option in part["options"]]
        key = f"used-{part['id']}"
        if chart := count_chart(key, part["title"], counts, report["answered"], is_synthetic=is_synthetic):
            charts.append(chart)
        else:
            unnamed.append((part["title"], [option for option, _ in counts]))
    return {**report, "charts": charts, "unnamed": unnamed}


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
