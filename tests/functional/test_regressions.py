"""Faults that other servers had, each on the whole path: the file goes in, the board comes out."""

import datetime as dt
from pathlib import Path

import pytest
from django.db import IntegrityError, transaction

from accounts.models import Team, User
from accounts.services import create_team
from benchmarks.models import Phase
from benchmarks.spec import RowKind
from leaderboard.board.model.board import BoardRow, Cell, Column
from leaderboard.board.model.ranking import rank
from leaderboard.publication.services import publish_ready
from scoring.models import Score, ScoringRun
from scoring.queue import runs, wanted_runs
from scoring.queue.batches import finish_batches
from scoring.queue.wanted_runs import DEADLINE
from scoring.run_scoring import score_run
from submissions.exceptions import PhaseClosed, QuotaUsedUp, UploadRefused
from submissions.models import Submission, System
from submissions.services import PredictionUpload, submit_predictions
from submissions.systems.status_transitions import withdraw
from tests.conftest import NOW
from tests.uploads import toy_zip, zip_of
from tests.weeks import (
    ALL_RIGHT,
    CUT_OFF,
    HALF_WRONG,
    ONE_WRONG,
    WEEK,
    board,
    row_of,
    run_batch,
    status_of,
    systems_on,
    upload,
)

MOOD = "m1,good\nm2,good\nm3,bad\nm4,bad\nm5,good\nm6,good\n"
COLOUR = "c1,red\nc2,green\nc3,dark blue\nc4,green\n"


def files(mood: str = MOOD, colour: str = COLOUR) -> bytes:
    return zip_of(
        {
            "data/mood/predictions.csv": f"ID,Label\n{mood}",
            "data/colour/predictions.csv": f"ID,Label\n{colour}",
        }
    )


def send(system: System, phase: Phase, owner: User, data: bytes) -> Submission:
    return submit_predictions(
        PredictionUpload(
            system=system, phase=phase, user=owner, data=data, file_name="upload.zip", received_at=NOW
        )
    ).submission


def codes_of(refused: pytest.ExceptionInfo[UploadRefused]) -> list[str]:
    return [problem.code.value for problem in refused.value.result.problems]


# Rows were compared by position: one missing and one doubled id shifted every answer between them.


def test_one_missing_id_plus_one_doubled_id_is_refused(system, phase, owner):
    with pytest.raises(UploadRefused) as refused:
        send(system, phase, owner, files(mood=MOOD.replace("m4,bad", "m3,bad")))
    assert codes_of(refused) == ["duplicate_id", "missing_ids"]
    assert not Submission.objects.exists()


# Files were merged on the row's index, so that another order gave another score.


def test_reordered_rows_score_the_same_to_the_last_bit(system, phase, owner, team):
    other = System.objects.create(team=team, name="Fir", created_at=NOW)
    backwards = ["\n".join(reversed(rows.split())) + "\n" for rows in (MOOD, COLOUR.replace(" ", "_"))]
    send(system, phase, owner, files())
    send(other, phase, owner, files(backwards[0], backwards[1].replace("_", " ")))

    run_batch(CUT_OFF)

    values = [cell["value"] for cell in row_of(board(), "Larch")["cells"].values()]
    assert [cell["value"] for cell in row_of(board(), "Fir")["cells"].values()] == values
    assert 0 < values[0] < 1


@pytest.mark.parametrize("kept", [0, 1, 5])
def test_a_truncated_file_is_refused(system, phase, owner, kept):
    with pytest.raises(UploadRefused):
        send(system, phase, owner, files(mood="".join(MOOD.splitlines(keepends=True)[:kept])))


def test_a_truncated_zip_is_refused(system, phase, owner):
    with pytest.raises(UploadRefused) as refused:
        send(system, phase, owner, files()[:-30])
    assert codes_of(refused) == ["zip_truncated"]


# One stuck submission blocked everyone's evaluation, and the next run did not try it again.


def test_a_stuck_submission_blocks_nobody(system, phase, team, monkeypatch):
    stuck = upload(system, phase)
    free = upload(System.objects.create(team=team, name="Fir", created_at=NOW), phase)

    def _stick(run: ScoringRun) -> object:
        if run.submission_id == stuck.pk:
            raise MemoryError
        return score_run(run)

    monkeypatch.setattr(runs, "score_run", _stick)
    with pytest.raises(MemoryError):
        run_batch(CUT_OFF)

    run_batch(CUT_OFF + dt.timedelta(seconds=1))  # its lease runs, and the other one is scored
    finish_batches(CUT_OFF + DEADLINE)
    publish_ready(CUT_OFF + DEADLINE)

    assert status_of(free) == Submission.Status.PUBLISHED
    assert status_of(stuck) == Submission.Status.FAILED
    assert systems_on(board()) == ["Fir"]


def test_a_stuck_submission_is_tried_again_a_week_later(system, phase, monkeypatch):
    stuck = upload(system, phase)
    with monkeypatch.context() as patch:
        patch.setattr(wanted_runs, "DEADLINE", dt.timedelta(0))
        patch.setattr(runs, "MAX_ATTEMPTS", 0)
        run_batch(CUT_OFF)
    assert status_of(stuck) == Submission.Status.FAILED

    run_batch(CUT_OFF + WEEK)

    assert status_of(stuck) == Submission.Status.PUBLISHED


# What was scored was whatever the repository held at the time of scoring.


def test_what_is_scored_is_what_was_accepted(system, phase, owner, settings):
    send(system, phase, owner, toy_zip())
    (stored,) = Path(settings.MEDIA_ROOT).iterdir()
    stored.write_bytes(toy_zip(mood=HALF_WRONG))

    run_batch(CUT_OFF)

    assert row_of(board(), "Larch")["cells"]["overall"]["value"] == 1.0


# A null score became 0 or sorted as the largest, and so came first.

ERROR_RATE = Column("error", "Error", "Error rate", "error", "error rate", higher_is_better=False)


def system_row(name: str, value: float | None) -> BoardRow:
    cell = Cell(value, None if value is not None else "undefined")
    return BoardRow(name, f"id-{name}", "Team", RowKind.SYSTEM, {"error": cell})


def test_a_null_score_is_never_first_where_lower_is_better():
    rows = rank([system_row("none", None), system_row("zero", 0.0), system_row("some", 0.5)], ERROR_RATE)
    assert [(row.system, row.rank) for row in rows] == [("zero", 1), ("some", 2), ("none", None)]


def test_a_system_without_a_score_is_never_first_on_a_published_board(system, phase, team):
    upload(System.objects.create(team=team, name="Fir", created_at=NOW), phase, mood=HALF_WRONG)
    upload(system, phase, mood=ONE_WRONG)
    run_batch(CUT_OFF)
    assert [(row["system"], row["rank"]) for row in board()["rows"] if row["kind"] == "system"] == [
        ("Larch", 1),
        ("Fir", 2),
    ]


def test_the_database_takes_no_score_that_is_not_a_number(system, phase):
    upload(system, phase)
    run_batch(CUT_OFF)
    run = ScoringRun.objects.earliest("pk")
    for value in (float("inf"), float("-inf")):
        with pytest.raises(IntegrityError), transaction.atomic():
            Score.objects.create(run=run, metric="other", metric_version=1, value=value, created_at=NOW)


def test_ties_share_a_rank(system, phase, team):
    upload(System.objects.create(team=team, name="Fir", created_at=NOW), phase)
    upload(system, phase)
    run_batch(CUT_OFF)
    assert {row["rank"] for row in board()["rows"] if row["kind"] == "system"} == {1}


# Cancelled and refused uploads ate the quota.


def test_a_submission_withdrawn_before_the_cut_off_gives_its_slot_back(system, phase, owner):
    for number in range(phase.quota_limit):
        mood = ALL_RIGHT if number == 0 else " ".join("bad" if bit == number else "good" for bit in range(6))
        withdrawn = upload(system, phase, mood=mood)
    with pytest.raises(QuotaUsedUp):
        upload(system, phase, mood=HALF_WRONG)

    withdraw(submission=withdrawn, user=owner, now=NOW)

    assert upload(system, phase, mood=HALF_WRONG).status == Submission.Status.ACCEPTED


def test_refused_uploads_cost_nothing(system, phase, owner):
    for _ in range(phase.quota_limit + 1):
        with pytest.raises(UploadRefused):
            send(system, phase, owner, b"not a zip")
    assert send(system, phase, owner, files()).status == Submission.Status.ACCEPTED


# An identical file stayed pending for ever.


def test_the_same_file_again_is_the_same_submission(system, phase, owner):
    assert send(system, phase, owner, files()) == send(system, phase, owner, files())


def test_the_same_file_can_be_sent_again_after_a_withdrawal(system, phase, owner):
    first = send(system, phase, owner, files())
    withdraw(submission=first, user=owner, now=NOW)
    assert send(system, phase, owner, files()) != first


# Files of several teams that are alike must not push one another off the board.


def test_a_second_team_with_the_same_file_stands_on_the_board_too(system, phase, outsider):
    south: Team = create_team(name="South", founder=outsider, now=NOW)
    upload(System.objects.create(team=south, name="Fir", created_at=NOW), phase)
    upload(system, phase)
    run_batch(CUT_OFF)
    assert sorted(systems_on(board())) == ["Fir", "Larch"]


# A phase counted as open before its start.


def test_a_phase_that_has_not_begun_takes_nothing(system, phase, owner):
    phase.opens_at = NOW + dt.timedelta(days=1)
    phase.save()
    with pytest.raises(PhaseClosed, match="opens on"):
        send(system, phase, owner, files())
