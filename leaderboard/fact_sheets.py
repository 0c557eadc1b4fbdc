"""How often each option of the fact sheets is named by the systems of a release, and the figures of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from benchmarks.models import Benchmark
from submissions.fact_sheets import fact_lists
from submissions.models import FactSheet


@dataclass(frozen=True, slots=True)
class Bar:
    """One option that somebody names: how many systems do, and the bar's length in 0..100."""

    title: str
    count: int
    length: float


@dataclass(frozen=True, slots=True)
class Figure:
    """How often the options of one list are named, the most frequent first, and those that nobody names."""

    id: str
    title: str
    bars: tuple[Bar, ...]
    unused: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FiguresView:
    """All lists of a release: `answered` of `systems` have a fact sheet. Bars of all figures share one scale."""

    systems: int
    answered: int
    figures: tuple[Figure, ...]


def usage(system_ids: Collection[UUID], benchmark: Benchmark) -> dict[str, Any] | None:
    """What `Release.reports["fact_sheets"]` holds; None where the benchmark asks for no fact sheet.

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


def figures(report: Mapping[str, Any] | None) -> FiguresView | None:
    """A frozen report as `_fact_sheet_figures.html` draws it; None where there is none, or nobody has answered."""
    if not report or not report["answered"]:
        return None
    return FiguresView(
        systems=report["systems"],
        answered=report["answered"],
        figures=tuple(_figure(one, report["answered"]) for one in report["lists"]),
    )


def _figure(one: Mapping[str, Any], answered: int) -> Figure:
    return Figure(
        id=one["id"],
        title=one["title"],
        bars=tuple(
            Bar(option["title"], option["count"], round(100 * option["count"] / answered, 2))
            for option in one["options"]
            if option["count"]
        ),
        unused=tuple(option["title"] for option in one["options"] if not option["count"]),
    )


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
