"""Columns of numbers that people gave systems in campaigns, on the board of the task whose outputs they judged."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from benchmarks.models import Benchmark
from labelling.core.judged.figures import JudgedFigure
from labelling.models import Campaign, Outcome
from labelling.outcomes import PURPOSES
from labelling.outcomes.systems.judged_report import JudgedReport, judged_in
from labelling.outcomes.systems.systems_purpose import SystemsPurpose
from leaderboard.assembly.people import Place
from leaderboard.assembly.row_cells import Entrant
from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Cell, Column
from leaderboard.board.tables.people_table import BY_PEOPLE

NOT_JUDGED = "not_judged"
"""The code of a cell of a system whose answer on the board is another than the one that was judged, or none was."""
_KEY = re.compile(r"people-(\d+)-\w+")


@dataclass(frozen=True)
class JudgedColumns:
    """The columns of a campaign, and of each judged submission its cells; `note` says whose numbers they are."""

    columns: tuple[Column, ...]
    cells: Mapping[str, Mapping[str, Cell]]
    note: str

    def of(self, entrant: Entrant, place: Place) -> Mapping[str, Cell]:
        """The cells of a row: those of the submission that it stands with."""
        task, split = place
        answer = entrant.standing.answers.get((entrant.spec.main_track, task, split))
        known = self.cells.get(str(answer.submission.pk)) if answer else None
        return known or {column.key: Cell(None, NOT_JUDGED) for column in self.columns}


def newest_judged(benchmark: Benchmark) -> list[int]:
    """The newest outcome of each closed campaign that gave systems numbers, the first closed first."""
    purposes = [one.key for one in PURPOSES if isinstance(one, SystemsPurpose) and one.measures]
    campaigns = Campaign.objects.filter(
        benchmark=benchmark,
        purpose__in=purposes,
        status=Campaign.Status.CLOSED,
        outcomes__isnull=False,
        task__is_retired=False,
    )
    ordered = campaigns.distinct().order_by("closed_at", "title", "pk")
    return [outcome.pk for campaign in ordered if (outcome := campaign.outcomes.first())]


def judged_on(boards: Mapping[str, Any]) -> list[int]:
    """The outcomes whose numbers stand on frozen boards, in their order."""
    keys = (column["key"] for board in boards.values() for column in board["columns"])
    return list(dict.fromkeys(int(found[1]) for key in keys if (found := _KEY.fullmatch(key))))


def judged_columns(outcomes: Collection[int]) -> dict[Place, list[JudgedColumns]]:
    """The columns of these outcomes, by the task and split that they are about."""
    rows = Outcome.objects.select_related("campaign__task").in_bulk(outcomes)
    found: dict[Place, list[JudgedColumns]] = {}
    for key in outcomes:
        campaign, report = rows[key].campaign, judged_in(rows[key])
        if campaign.task is not None and report is not None:
            place = (campaign.task.slug, campaign.split_slug)
            found.setdefault(place, []).append(_columns(rows[key], report))
    return found


def _columns(outcome: Outcome, report: JudgedReport) -> JudgedColumns:
    campaign = outcome.campaign
    purpose = PURPOSES[campaign.purpose]
    measures = purpose.measures if isinstance(purpose, SystemsPurpose) else ()
    columns = {
        measure.key: Column(
            key=f"people-{outcome.pk}-{measure.key}",
            title=measure.head,
            name=f"{campaign.title}: {measure.head}",
            metric=f"people_{measure.key}",
            metric_title=measure.title,
            higher_is_better=True,
            group=BY_PEOPLE,
        )
        for measure in measures
    }
    submissions = dict(campaign.judged.values_list("number", "submission"))
    cells = {
        str(submissions[row.number]): {
            column.key: _cell(row.figures[key], str(submissions[row.number]))
            for key, column in columns.items()
        }
        for row in report.rows
    }
    return JudgedColumns(tuple(columns.values()), cells, " ".join(_told(outcome, report)))


def _cell(figure: JudgedFigure, submission: str) -> Cell:
    if figure.value is None:
        return Cell(None, NOT_JUDGED)
    return Cell(figure.value, None, figure.low, figure.high, submission)


def _told(outcome: Outcome, report: JudgedReport) -> Iterator[str]:
    """Who judged how much, how far they agree, and what intervals are made of."""
    workers = len(outcome.report["workers"])
    people = "1 person" if workers == 1 else f"{workers:,} people"
    yield f"Judged by people ({outcome.campaign.title}): {outcome.report['answers']:,} answers by {people}"
    alpha, low, high, _ = outcome.report["agreement"]["alpha"]
    agreed = "not known" if alpha is None else fmt.score(alpha)
    ends = f", {fmt.interval(low, high)}" if low is not None else ""
    yield f"about {report.items:,} items; agreement (Krippendorff's alpha) {agreed}{ends}."
    yield f"Intervals draw {report.drawn} again; these numbers rank nobody."
    if report.because:
        yield report.because
