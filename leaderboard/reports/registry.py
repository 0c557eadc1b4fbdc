"""All reports of a release, in the order in which pages show them."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from catalogue.registry import Registry
from leaderboard.assembly.digits import reports_to_show
from leaderboard.rendering.rendered_page import RenderedPage
from leaderboard.reports.change_log import ChangeLog
from leaderboard.reports.definition import DefinitionReport
from leaderboard.reports.equity import EquityCounts
from leaderboard.reports.fact_sheets import FactSheetFigures
from leaderboard.reports.gold_changes import GoldChanges
from leaderboard.reports.matrix import PairwiseMatrix
from leaderboard.reports.ranked_on import RankedOnReport
from leaderboard.reports.report import BoardPlace, ReleaseDraft, ReleaseReport, ReportPart
from leaderboard.reports.solved_rounds import SolvedRounds
from leaderboard.reports.submission_counts import SubmissionCounts

REPORTS: Registry[ReleaseReport[Any]] = Registry(
    "report of a release",
    SolvedRounds(),
    SubmissionCounts(),
    PairwiseMatrix(),
    RankedOnReport(),
    FactSheetFigures(),
    GoldChanges(),
    EquityCounts(),
    ChangeLog(),
    DefinitionReport(),
)


def make_reports(draft: ReleaseDraft) -> dict[str, Any]:
    """What a release that is about to be published stores of all reports, by their keys."""
    made = {report.key: report.make(draft) for report in REPORTS}
    rounded = reports_to_show(
        draft.release.benchmark, {key: made[key] for key in made if REPORTS[key].is_rounded}
    )
    return {key: stored for key, stored in (made | rounded).items() if stored is not None}


def report_parts(reports: Mapping[str, Any], place: BoardPlace) -> dict[str, list[ReportPart]]:
    """What a board's page shows of the stored reports, by slot."""
    parts: dict[str, list[ReportPart]] = defaultdict(list)
    for report in REPORTS:
        if report.key in reports:
            for part in report.parts(reports[report.key], place):
                parts[part.slot].append(part)
    return dict(parts)


def report_files(reports: Mapping[str, Any], place: BoardPlace) -> Iterator[RenderedPage]:
    """The further pages and files of the stored reports beside a board's page."""
    for report in REPORTS:
        if report.key in reports:
            yield from report.files(reports[report.key], place)
