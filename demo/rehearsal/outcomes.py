"""What came of a rehearsal: of each upload, of each board, and of everybody's quota."""

import datetime as dt
import uuid
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import fsum
from typing import Any

from accounts.models import Team, User
from benchmarks.models import Benchmark, Task
from demo.rehearsal.event import EventUpload
from leaderboard.models import Release, ReleaseCell
from scoring.models import GoldVersion, Score, ScoringRun
from submissions.models import Submission
from submissions.quota.slots import quotas

MOMENT = dt.timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class RehearsedOutcome:
    """What became of an upload. `scores` are by task and metric at full precision, of what was scored.

    `code`, `message`, `line` and `column` say why one was refused. `counts` says whether it fills a cell of the newest
    release of its phase, `has_ended` whether it was withdrawn or disqualified.
    """

    upload: EventUpload
    phase: str
    submission: Submission | None = None
    code: str = ""
    message: str = ""
    line: int | None = None
    column: str | None = None
    scores: dict[str, dict[str, float | None]] = field(default_factory=dict)
    counts: bool = False
    has_ended: bool = False

    @property
    def is_accepted(self) -> bool:
        return self.submission is not None

    @property
    def measured(self) -> dict[str, float | None]:
        """The scores of the task that the upload names, or of the only one that its file answers."""
        if len(self.scores) == 1:
            return next(iter(self.scores.values()))
        return self.scores.get(self.upload.task, {})


@dataclass(frozen=True, slots=True)
class Happening:
    """One line of the timeline."""

    at: dt.datetime
    sentence: str


@dataclass(frozen=True, slots=True)
class PlayedRow:
    """A row of the newest release of a phase, for one task: `value` is the score that ranks it, at full precision."""

    rank: int | None
    team: str
    system: str
    value: float | None
    upload: int | None


@dataclass(slots=True)
class Played:
    """What came of an event: of each upload, of each board as `phase/task`, and how much quota was left at the end."""

    timeline: list[Happening] = field(default_factory=list)
    outcomes: dict[int, RehearsedOutcome] = field(default_factory=dict)
    boards: dict[str, list[PlayedRow]] = field(default_factory=dict)
    quota_left: dict[str, int] = field(default_factory=dict)


def look_at_boards(played: Played, benchmark: Benchmark, removed: Mapping[uuid.UUID, str]) -> None:
    """Keep the newest boards of each phase, and of each upload its scores and whether it counts there.

    `removed` is what teams were called whose names were removed, by their ids.
    """
    newest = {
        release.phase_id: release
        for release in Release.objects.filter(benchmark=benchmark).order_by("number")
    }
    numbers = {
        outcome.submission.pk: number
        for number, outcome in played.outcomes.items()
        if outcome.submission is not None
    }
    counting = set()
    tasks = list(benchmark.tasks.select_related("benchmark"))
    for release in newest.values():
        cells = list(ReleaseCell.objects.of(release).select_related("task", "split", "score", "system__team"))
        for task in tasks:
            on_board = list(_rows(release, task, cells))
            counting |= {(release.phase_id, cell.submission_id) for _, own in on_board for cell in own}
            rows = [
                PlayedRow(
                    rank,
                    removed.get(own[0].system.team_id, own[0].system.team.name),
                    own[0].system.name,
                    _mean(own),
                    numbers.get(own[0].submission_id),
                )
                for rank, own in on_board
            ]
            if rows:
                rows.sort(key=lambda row: (row.rank is None, row.rank or 0, row.upload or 0))
                played.boards[f"{release.phase.slug}/{task.slug}"] = rows
    submissions = Submission.objects.in_bulk(list(numbers))
    for number, outcome in played.outcomes.items():
        if outcome.submission is not None:
            submission = submissions[outcome.submission.pk]
            played.outcomes[number] = replace(
                outcome,
                scores=_scores(submission),
                counts=(submission.phase_id, submission.pk) in counting,
                has_ended=submission.ended_at is not None,
            )


def look_at_quotas(played: Played, benchmark: Benchmark, teams: Mapping[str, tuple[User, Team]]) -> None:
    """Keep how many more each team could have sent in the last instant of each phase that has one."""
    for phase in benchmark.phases.exclude(closes_at=None).select_related("benchmark"):
        for name, (sender, team) in teams.items():
            (quota,) = quotas(sender, [team], [phase], phase.closes_at - MOMENT)
            played.quota_left[f"{name} in {phase.slug}"] = quota.left


def _rows(
    release: Release, task: Task, cells: Sequence[ReleaseCell]
) -> Iterator[tuple[int | None, list[ReleaseCell]]]:
    """The ranks on the board of a task, each with the cells that its row is made of.

    A team's row may be called after one of its systems and hold what another one sent.
    """
    if (board := release.boards.get(task.slug)) is None:
        return
    split = board["rank_by"].partition("@")[2]
    splits = [split] if split else task.spec.test_splits
    row_of: dict[str, dict[str, Any]] = {}
    for row in board["rows"]:
        named = [row["system_id"], *(cell.get("submission") for cell in row["cells"].values())]
        row_of |= {key: row for key in named if key}
    own: dict[int, list[ReleaseCell]] = defaultdict(list)
    ranks: dict[int, int | None] = {}
    for cell in cells:
        row = row_of.get(str(cell.submission_id)) or row_of.get(str(cell.system_id))
        if row and cell.task_id == task.pk and cell.split.slug in splits:
            own[id(row)].append(cell)
            ranks[id(row)] = row["rank"]
    yield from ((ranks[key], its) for key, its in own.items())


def _mean(cells: Sequence[ReleaseCell]) -> float | None:
    """What cells of several seeds or sets have on average; None where one of them has no number."""
    values = [cell.value for cell in cells]
    return None if None in values else fsum(value for value in values if value is not None) / len(values)


def _scores(submission: Submission) -> dict[str, dict[str, float | None]]:
    """By task, each metric under the gold labels that count now."""
    scores: dict[str, dict[str, float | None]] = defaultdict(dict)
    runs = ScoringRun.objects.filter(
        submission=submission, status=ScoringRun.Status.DONE, gold_version__in=GoldVersion.objects.current()
    )
    for score in Score.objects.filter(run__in=runs, stratum="").select_related("run__split__task"):
        scores[score.run.split.task.slug][score.metric] = score.value
    return dict(scores)
