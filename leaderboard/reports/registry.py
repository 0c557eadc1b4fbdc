"""All reports of a release, as the modules of the folder hold them, in the order in which pages show them."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from catalogue.registry import Registry, classes_of
from leaderboard.assembly.digits import reports_to_show
from leaderboard.rendering.rendered_page import RenderedPage
from leaderboard.reports.report import BoardPlace, ReleaseDraft, ReleaseReport, ReportPart

_FOUND = classes_of("leaderboard.reports", besides=["registry"])

REPORTS: Registry[ReleaseReport[Any]] = Registry(
    "report of a release",
    *(found() for found in _FOUND if issubclass(found, ReleaseReport)),
    first=(
        "solved", "tries", "matrix", "ranked_on", "fact_sheets", "gold", "packages", "equity", "changes", "definition",
    ),
)  # fmt: skip


def make_reports(draft: ReleaseDraft) -> dict[str, Any]:
    """What a release that is about to be published stores of all reports, by their keys."""
    reports = {report.key: report.make(draft) for report in REPORTS}
    rounded = reports_to_show(
        draft.release.benchmark, {key: reports[key] for key in reports if REPORTS[key].is_rounded}
    )
    return {key: stored for key, stored in (reports | rounded).items() if stored is not None}


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
