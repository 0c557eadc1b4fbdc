"""How often each option of the fact sheets is named by the systems of a release, and the figures of it."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from benchmarks.models import Benchmark
from leaderboard.board.charts.bar_chart import count_chart
from leaderboard.board.charts.chart import Chart
from leaderboard.pages.rendered_page import RenderedPage, chart_files
from leaderboard.reports.report import BoardPlace, ReleaseDraft, ReleaseReport, ReportPart, Slot, Stored
from submissions.fact_sheets.services import fact_lists
from submissions.models import FactSheet, System


class FactSheetFigures(ReleaseReport):
    """Shown below the overall board: a figure for each list of the fact sheets."""

    key = "fact_sheets"

    def make(self, draft: ReleaseDraft) -> Stored | None:
        systems = {cell.system_id for cell in draft.cells if cell.system.kind == System.Kind.SYSTEM}
        return usage(systems, draft.release.benchmark)

    def parts(self, stored: Stored, place: BoardPlace) -> Iterator[ReportPart]:
        view = figures(stored, is_synthetic=place.board.synthetic) if place.is_overall else None
        if view:
            yield ReportPart(Slot.SECTIONS, "public/reports/fact_sheets.html", view)

    def files(self, stored: Stored, place: BoardPlace) -> Iterator[RenderedPage]:
        view = figures(stored, is_synthetic=place.board.synthetic) if place.is_overall else None
        if view:
            yield from chart_files(view.charts, place.path)


@dataclass(frozen=True, slots=True)
class FiguresView:
    """All lists of a release: `answered` of `systems` have a fact sheet.

    `unnamed` are the titles of the lists that have no chart, with their options, for no system names any.
    """

    systems: int
    answered: int
    charts: tuple[Chart, ...]
    unnamed: tuple[tuple[str, tuple[str, ...]], ...]


def usage(system_ids: Collection[UUID], benchmark: Benchmark) -> dict[str, Any] | None:
    """What a release stores of fact sheets; None where the benchmark asks for no fact sheet.

    `{"systems": n, "answered": m, "lists": [{"id", "title", "options": [{"title", "count"}]}]}`: options stand by
    count, those of equal count by name, and a count is the number of systems that name the option.
    """
    lists = fact_lists(benchmark)
    if not lists:
        return None
    systems = set(system_ids)
    sheets = FactSheet.objects.filter(benchmark=benchmark, system__in=systems)
    said = list(sheets.values_list("answers", flat=True))
    return {
        "systems": len(systems),
        "answered": len(said),
        "lists": [
            {"id": one.id, "title": one.title, "options": _counted(one.id, one.options, said)}
            for one in lists
        ],
    }


def _counted(
    list_id: str, options: Collection[str], said: Collection[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    counts = {option: sum(option in answers.get(list_id, ()) for answers in said) for option in options}
    ordered = sorted(counts, key=lambda option: (-counts[option], option.casefold()))
    return [{"title": option, "count": counts[option]} for option in ordered]


def figures(report: Mapping[str, Any] | None, *, is_synthetic: bool) -> FiguresView | None:
    """A frozen report as pages draw it; None where there is none, or nobody has answered."""
    if not report or not report["answered"]:
        return None
    charts, unnamed = [], []
    for one in report["lists"]:
        counts = [(option["title"], option["count"]) for option in one["options"]]
        key = f"used-{one['id']}"
        chart = count_chart(key, one["title"], counts, report["answered"], is_synthetic=is_synthetic)
        if chart:
            charts.append(chart)
        else:
            unnamed.append((one["title"], tuple(option for option, _ in counts)))
    return FiguresView(report["systems"], report["answered"], tuple(charts), tuple(unnamed))


def shown_sheets(system_ids: Iterable[str], benchmark: Benchmark) -> dict[str, list[dict[str, Any]]]:
    """What each system says, by its id: title and options of every list of the benchmark that it has answered."""
    lists = fact_lists(benchmark)
    sheets = FactSheet.objects.filter(benchmark=benchmark, system__in=map(UUID, system_ids)) if lists else ()
    return {
        str(sheet.system_id): [
            {"title": one.title, "options": sheet.answers[one.id]} for one in lists if one.id in sheet.answers
        ]
        for sheet in sheets
    }
