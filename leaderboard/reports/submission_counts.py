"""How many submissions of each system were scored: who tries often looks better by luck."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from benchmarks.spec import RowKind
from leaderboard.board.analysis.chance import tries_view
from leaderboard.reports.report import BoardPlace, ReleaseDraft, ReleaseReport, ReportPart, Slot, Stored
from scoring.disclosure.standings import Standing, taken_in
from scoring.models import Batch, ScoringRun


class SubmissionCounts(ReleaseReport):
    """Shown on the page of each task: who had more than one submission scored."""

    key = "tries"

    def make(self, draft: ReleaseDraft) -> Stored | None:
        return submission_counts(draft.release.batch, draft.rows)

    def parts(self, stored: Stored, place: BoardPlace) -> Iterator[ReportPart]:
        if lines := tries_view(place.board, stored):
            yield ReportPart(Slot.ABOUT_TASK, "public/reports/submission_counts.html", lines)


def submission_counts(batch: Batch, rows: Iterable[Standing]) -> list[dict[str, Any]] | None:
    """Per system of a release's boards, by id, the number of submissions scored for each task; None without any.

    Where teams have one row, the submissions of all their systems count for it. Every submission counts that was
    scored up to the batch, withdrawn ones too: its score was known to whoever tried again.
    """
    runs = ScoringRun.objects.filter(status=ScoringRun.Status.DONE, submission__in=taken_in(batch))
    found = runs.values_list(
        "submission__system_id", "submission__system__team_id", "split__task__slug", "submission_id"
    )
    scored: dict[object, dict[str, set[object]]] = defaultdict(lambda: defaultdict(set))
    for system, team, task, submission in found.distinct():
        scored[system][task].add(submission)
        scored["team", team][task].add(submission)
    report = []
    for row in rows:
        system = row.system
        is_of_team = batch.phase.one_per_team and system.kind == RowKind.SYSTEM
        of_tasks = scored["team", system.team_id] if is_of_team else scored[system.pk]
        if system.kind == RowKind.SYSTEM and of_tasks:
            counts = {task: len(submissions) for task, submissions in sorted(of_tasks.items())}
            report.append(
                {
                    "system_id": str(system.pk),
                    "system": system.name,
                    "team": system.team.name,
                    "tasks": counts,
                }
            )
    return sorted(report, key=lambda one: str(one["system_id"])) or None
