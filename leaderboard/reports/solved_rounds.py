"""Which rounds are solved: by whom and when, what pages say of it, and the mail to the organisers."""

import datetime as dt
from collections.abc import Iterator
from typing import Any, TypedDict

from django.conf import settings

from accounts.mail.outbox import Letter, put_in_post
from accounts.models import MailKind
from benchmarks.spec import BenchmarkSpec, RoundSpec, RowKind
from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board
from leaderboard.models import Release
from leaderboard.rendering.public_names import naming
from leaderboard.reports.report import BoardPlace, ReleaseDraft, ReleaseReport, ReportPart, Slot
from submissions.models import Submission


class Solver(TypedDict):
    """A system that has reached the human estimate."""

    system: str
    system_id: str | None
    team: str
    score: float
    human: float


class SolvedRound(Solver):
    """Who solved a round first, and in which release; the instant in ISO 8601."""

    release: int
    published_at: str


class SolvedRounds(ReleaseReport[dict[str, SolvedRound]]):
    """Shown above the boards of the rounds and the overall one: who solved a round first."""

    key = "solved"

    def make(self, draft: ReleaseDraft) -> dict[str, SolvedRound] | None:
        """The solved rounds by their ids; None where none is.

        What an earlier release said is carried on as it was, so that a round stays with whoever solved it first.
        """
        release = draft.release
        spec, before = release.benchmark.spec, Release.objects.latest_of(release.benchmark_id)
        solved: dict[str, SolvedRound] = dict(before.reports.get("solved", {})) if before else {}
        for part in spec.rounds:
            if part.id not in solved and (first := _first_solver(draft.boards[part.task], spec)):
                published_at = release.published_at.isoformat()
                solved[part.id] = {**first, "release": release.number, "published_at": published_at}
        return solved or None

    def parts(self, stored: dict[str, SolvedRound], place: BoardPlace) -> Iterator[ReportPart]:
        """The overall board tells of all solved rounds, others of the round that they show alone."""
        shown = {column.key.partition(":")[0].partition("@")[0] for column in place.board.columns}
        tasks = {place.board.task} if place.board.task else shown
        for part in place.spec.rounds:
            if part.id in stored and (place.is_overall or tasks == {part.task}):
                view = _view(part, place.spec, stored[part.id])
                yield ReportPart(Slot.NOTICES, "public/reports/solved_round.html", view)


def _first_solver(board: Board, spec: BenchmarkSpec) -> Solver | None:
    """The best of the systems that reach the human estimate; of equal ones, whose submission came first."""
    human = _human_estimate(board, spec)
    leaders = board.leaders
    score = leaders[0].value(board.rank_by) if leaders else None
    if human is None or score is None:
        return None
    if score < human if board.column(board.rank_by).higher_is_better else score > human:
        return None
    by_submission = {str(row.cell(board.rank_by).submission): row for row in leaders}
    earliest = Submission.objects.filter(pk__in=list(by_submission)).earliest("received_at", "pk")
    first = by_submission[str(earliest.pk)]
    return {
        "system": first.system,
        "system_id": first.system_id,
        "team": first.team,
        "score": score,
        "human": human,
    }


def _human_estimate(board: Board, spec: BenchmarkSpec) -> float | None:
    """The estimate made here where there is one, else the published one; of several the hardest to reach."""
    column = board.rank_by
    published = {(row.system, row.source_on(column)) for row in spec.reported}
    published |= {(row.system, row.source_on("")) for row in spec.reported}
    rows = [row for row in board.rows if row.kind is RowKind.HUMAN and row.value(column) is not None]
    made_here = [row for row in rows if (row.system, row.source) not in published]
    hardest = next(iter(made_here or rows), None)  # rows stand in the order of their values
    return hardest.value(column) if hardest else None


def _view(part: RoundSpec, spec: BenchmarkSpec, said: SolvedRound) -> dict[str, Any]:
    """A solved round as a page says it, its numbers as text."""
    return {
        **said,
        "title": part.title,
        "metric": spec.task(part.task).primary_metric.title,
        "score": fmt.score(said["score"]),
        "human": fmt.score(said["human"]),
        "published_at": dt.datetime.fromisoformat(said["published_at"]),
    }


def tell_about_solved(release: Release, now: dt.datetime) -> None:
    """Write to the organisers once about each round that this release is the first to call solved.

    Part of the transaction that publishes it: there is no such release without the mail, and no second one.
    """
    benchmark = release.benchmark
    solved = naming(benchmark).report(release.reports).get("solved", {})
    url = f"{settings.SITE_URL}/benchmarks/{benchmark.slug}/releases/{release.number}/"
    for part in benchmark.spec.rounds:
        if part.id in solved and solved[part.id]["release"] == release.number:
            view = _view(part, benchmark.spec, solved[part.id])
            who = f"{view['system']} of {view['team']}" if view["team"] else view["system"]
            text = (
                f"{who} reached {view['score']} ({view['metric']}) on the test split of {part.title}, and the human "
                f"estimate is {view['human']}. Release {release.number} says so.\n\n"
                f"It is time to open the next round.\n\n{url}"
            )
            subject = f"{benchmark}: {part.title} is solved by {view['system']}"
            letters = [Letter(person, subject, text) for person in benchmark.organisers.all()]
            about = f"solved:{release.pk}:{part.id}"
            put_in_post(kind=MailKind.PUBLICATION, about=about, letters=letters, now=now)
