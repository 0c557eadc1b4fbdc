"""How many submissions of each system were scored: who tries often looks better by luck."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import TypedDict

from django.db.models import Count

from benchmarks.spec import RowKind
from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board
from leaderboard.reports.report import BoardPlace, ReleaseDraft, ReleaseReport, ReportPart, Slot
from scoring.core.uncertainty.best_of import gain_by_luck
from scoring.core.uncertainty.power import POWER, smallest_difference
from scoring.disclosure.standings import taken_in
from scoring.models import ScoringRun
from submissions.models import Submission


class ScoredSubmissions(TypedDict):
    """How many submissions of a system were scored for each task."""

    system_id: str | None
    system: str
    team: str
    tasks: dict[str, int]


class SubmissionCounts(ReleaseReport[list[ScoredSubmissions]]):
    """Shown on the page of each task: who had more than one submission scored."""

    key = "tries"

    def make(self, draft: ReleaseDraft) -> list[ScoredSubmissions] | None:
        """Per system of the boards, by id, the number of submissions scored for each task; None without any.

        Where teams have one row, the submissions of all their systems count for it. Every submission counts that was
        scored up to the batch, withdrawn ones too: its score was known to whoever tried again. One that is held back
        and was never published told nobody its score, and stays unseen.
        """
        batch = draft.release.batch
        unseen = Submission.objects.held_back().exclude(status=Submission.Status.PUBLISHED)
        told = taken_in(batch).exclude(pk__in=unseen.values("pk"))
        runs = ScoringRun.objects.filter(status=ScoringRun.Status.DONE, submission__in=told)
        places = runs.order_by().values_list(
            "submission__system_id", "submission__system__team_id", "split__task__slug"
        )
        scored: dict[object, dict[str, int]] = defaultdict(lambda: defaultdict(int))
        for system_id, team, task, count in places.annotate(count=Count("submission", distinct=True)):
            scored[system_id][task] += count
            scored["team", team][task] += count
        report: list[ScoredSubmissions] = []
        for system in (row.system for row in draft.rows if row.system.kind == RowKind.SYSTEM):
            if by_task := scored["team", system.team_id] if batch.phase.one_per_team else scored[system.pk]:
                report.append(
                    {
                        "system_id": str(system.pk),
                        "system": system.name,
                        "team": system.team.name,
                        "tasks": dict(sorted(by_task.items())),
                    }
                )
        return sorted(report, key=lambda line: str(line["system_id"])) or None

    def parts(self, stored: list[ScoredSubmissions], place: BoardPlace) -> Iterator[ReportPart]:
        if lines := _repeated(place.board, stored):
            yield ReportPart(Slot.ABOUT_TASK, "public/reports/submission_counts.html", lines)


class RepeatedSubmissions(ScoredSubmissions):
    """A line of the page: the number for its task, and what luck gains by so many, as text."""

    count: int
    gain: str


def _repeated(board: Board, report: Iterable[ScoredSubmissions]) -> list[RepeatedSubmissions]:
    """Who had more than one submission scored for the board's task, the most first.

    `gain` is what the best of so many equally good ones gains by luck, as text; empty where that is not known.
    """
    smallest = board.chance.smallest_difference if board.chance else None
    deviation = None if smallest is None else smallest / smallest_difference(1.0, power=POWER)
    lines: list[RepeatedSubmissions] = []
    for system in report:
        count = system["tasks"].get(board.task or "", 0)
        if count > 1:
            gain = "" if deviation is None else fmt.score(gain_by_luck(deviation, count))
            lines.append({**system, "count": count, "gain": gain})
    return sorted(lines, key=lambda line: (-line["count"], line["system"].casefold(), line["team"]))
