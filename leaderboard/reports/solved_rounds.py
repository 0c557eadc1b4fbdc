"""Which rounds are solved: by whom and when, what pages say of it, and the mail to the organisers."""

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings

from accounts.mail.outbox import Letter, put_in_post
from accounts.models import MailKind
from benchmarks.spec import OVERALL, BenchmarkSpec, RoundSpec, RowKind
from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board, BoardRow
from leaderboard.models import Release
from leaderboard.pages.public_names import naming
from leaderboard.reports.report import BoardPlace, ReleaseDraft, ReleaseReport, ReportPart, Slot, Stored
from submissions.models import Submission


class SolvedRounds(ReleaseReport):
    """Shown above the boards of the rounds and the overall one: who solved a round first."""

    key = "solved"

    def make(self, draft: ReleaseDraft) -> Stored | None:
        return solved_rounds(draft.release, draft.boards)

    def parts(self, stored: Stored, place: BoardPlace) -> Iterator[ReportPart]:
        for view in solved_on(place.key, place.board, place.spec, stored):
            yield ReportPart(Slot.NOTICES, "public/reports/solved_round.html", view)


@dataclass(frozen=True, slots=True)
class SolvedView:
    """A solved round as a page says it."""

    title: str
    metric: str
    system: str
    system_id: str | None
    team: str
    score: str
    human: str
    release: int
    published_at: dt.datetime


def solved_rounds(release: Release, boards: Mapping[str, Board]) -> dict[str, Any] | None:
    """What a release that is about to be published says of solved rounds; None where none is.

    `{round: {"system", "system_id", "team", "score", "human", "release", "published_at"}}`. What an earlier
    release said is carried on as it was, so that a round stays with whoever solved it first.
    """
    spec = release.benchmark.spec
    before = Release.objects.latest_of(spec.id)
    solved = dict(before.reports.get("solved", {})) if before else {}
    for one in spec.rounds:
        if one.id not in solved and (first := _first_solver(boards[one.task], spec)):
            solved[one.id] = first | {
                "release": release.number,
                "published_at": release.published_at.isoformat(),
            }
    return solved or None


def _first_solver(board: Board, spec: BenchmarkSpec) -> dict[str, Any] | None:
    """The best of the systems that reach the human estimate; of equal ones, whose submission came first."""
    human = _human_estimate(board, spec)
    leaders = board.leaders
    score = leaders[0].value(board.rank_by) if leaders else None
    if human is None or score is None:
        return None
    is_reached = score >= human if board.column(board.rank_by).higher_is_better else score <= human
    if not is_reached:
        return None
    first = _earliest(leaders, board.rank_by)
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
    published = {(row.system, row.source) for row in spec.reported}
    rows = [row for row in board.rows if row.kind is RowKind.HUMAN and row.value(column) is not None]
    made_here = [row for row in rows if (row.system, row.source) not in published]
    hardest = next(iter(made_here or rows), None)  # rows stand in the order of their values
    return hardest.value(column) if hardest else None


def _earliest(rows: Sequence[BoardRow], column: str) -> BoardRow:
    by_submission = {str(row.cell(column).submission): row for row in rows}
    first = Submission.objects.filter(pk__in=list(by_submission)).earliest("received_at", "pk")
    return by_submission[str(first.pk)]


def solved_on(
    key: str, board: Board, spec: BenchmarkSpec, solved: Mapping[str, Any]
) -> tuple[SolvedView, ...]:
    """The solved rounds that a board's page tells of: the overall one of all, others of the round they show alone."""
    shown = {column.key.partition(":")[0].partition("@")[0] for column in board.columns}
    tasks = {board.task} if board.task else shown
    return tuple(
        _view(one, spec, solved[one.id])
        for one in spec.rounds
        if one.id in solved and (key == OVERALL or tasks == {one.task})
    )


def _view(one: RoundSpec, spec: BenchmarkSpec, said: Mapping[str, Any]) -> SolvedView:
    return SolvedView(
        title=one.title,
        metric=spec.task(one.task).primary_metric.title,
        system=said["system"],
        system_id=said["system_id"],
        team=said["team"],
        score=fmt.score(said["score"]),
        human=fmt.score(said["human"]),
        release=said["release"],
        published_at=dt.datetime.fromisoformat(said["published_at"]),
    )


def tell_about_solved(release: Release, now: dt.datetime) -> None:
    """Write to the organisers once about each round that this release is the first to call solved.

    Part of the transaction that publishes it: there is no such release without the mail, and no second one.
    """
    benchmark = release.benchmark
    solved = naming(benchmark).report(release.reports).get("solved", {})
    for one in benchmark.spec.rounds:
        said = solved.get(one.id)
        if said is None or said["release"] != release.number:
            continue
        view = _view(one, benchmark.spec, said)
        url = f"{settings.SITE_URL}/benchmarks/{benchmark.slug}/releases/{release.number}/"
        values = {
            "benchmark": benchmark,
            "round": one.title,
            "system": view.system,
            "team": view.team,
            "score": view.score,
            "metric": view.metric,
            "human": view.human,
            "release": release.number,
        }
        text = (
            (
                "%(system)s of %(team)s reached %(score)s (%(metric)s) on the test split of %(round)s, and the human "
                "estimate is %(human)s. Release %(release)s says so.\n\nIt is time to open the next round."
            )
            if view.team
            else (
                "%(system)s reached %(score)s (%(metric)s) on the test split of %(round)s, and the human "
                "estimate is %(human)s. Release %(release)s says so.\n\nIt is time to open the next round."
            )
        )
        subject = "{benchmark}: {round} is solved by {system}".format(**values)
        letters = [
            Letter(person, subject, f"{text % values}\n\n{url}") for person in benchmark.organisers.all()
        ]
        about = f"solved:{release.pk}:{one.id}"
        put_in_post(kind=MailKind.PUBLICATION, about=about, letters=letters, now=now)
