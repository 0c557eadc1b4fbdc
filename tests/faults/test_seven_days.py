"""Seven days in fast time, with faults drawn by lot: what was accepted is published, once, and invariants hold."""

import contextlib
import datetime as dt
import errno
import shutil
import smtplib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any
from unittest import mock

import pytest
import time_machine
from django.conf import settings as configured
from django.core.management import call_command
from django.db import OperationalError, connection, transaction

from config.celery import app
from leaderboard.models import Release
from leaderboard.publication.reproduction import reproduce
from operations.checking import check
from scoring.gold.resealing import SEALED, reseal
from scoring.models import Batch, Score, ScoringRun
from scoring.queue.batches import CannotClose, close_now
from scoring.queue.runs import score_all_due
from submissions.exceptions import CannotChange, SubmissionError
from submissions.intake.sealing import generate_keypair
from submissions.models import Submission
from submissions.systems.status_transitions import withdraw
from tests.conftest import NOW, the_system, the_team, the_toy
from tests.weeks import upload

pytestmark = [
    pytest.mark.faults,
    pytest.mark.skipif(connection.vendor != "sqlite", reason="the clock of PostgreSQL is not moved here"),
]

WEEKS = 5
SECOND = dt.timedelta(seconds=1)  # between what people do; no two things happen in the same microsecond
STEPS = 30
BEFORE = ("leaderboard", "0009")
"""An app, and its migration before those that are newest and move rows."""
END = NOW + dt.timedelta(days=7)
ROUNDS = ("close_due", "finish_batches", "publish_ready", "enter_in_ledger", "refresh_stale", "watch_batches")
KEEPING = ("sign_log", "send_mail", "remove_files", "forget", "watch_server")


class Killed(BaseException):
    """The process ends here, as under `kill -9`: nothing that would tidy up gets a turn."""


FAULTS: dict[str, tuple[str, BaseException]] = {
    "a scorer is killed": ("scoring.queue.runs.uncertainties", Killed()),
    "scoring meets an error": ("scoring.queue.runs.score_run", RuntimeError("by lot")),
    "the database breaks off as a batch closes": (
        "scoring.queue.batches.ensure_runs",
        OperationalError("by lot"),
    ),
    "a publication is killed": ("leaderboard.publication.services.put_pages", Killed()),
    "pages cannot be drawn": ("leaderboard.publication.services.next_printing", RuntimeError("by lot")),
    "the ledger is killed": ("leaderboard.publication.services.enter_in_ledger", Killed()),
    "the mail server is away": (
        "django.core.mail.EmailMessage.send",
        smtplib.SMTPServerDisconnected("by lot"),
    ),
}
MET = Counter[str]()
"""How often a fault was met."""
FEWEST_FAULTS = 5
"""How many different ones have to be met; which, the lot decides."""
FULL = OSError(errno.ENOSPC, "No space left on device")
"""What happens to the rounds after a close: where, and what it meets there."""


class Week:
    """A server between one Monday's cut-off and the next, and what people were told by it."""

    def play(self, random: Random) -> None:
        """Steps by lot, and the end of the week."""
        self.begin()
        with self.stack:
            for _ in range(STEPS):
                labels = random.choices(["good", "bad"], k=6)
                step = random.randrange(6)
                if step < 2:
                    self.take(labels, is_full=random.random() < 0.2)
                elif step == 2:
                    self.take_back(random.randrange(10))
                elif step == 3:
                    self.close(labels, random.choice(sorted(FAULTS)))
                elif step == 4:
                    self.pass_time(random.randint(1, 12), is_asked=random.random() < 0.5)
                else:
                    self.turn_clock_back()
            self.end()

    def begin(self) -> None:
        self.stack = contextlib.ExitStack()
        self.clock = self.stack.enter_context(time_machine.travel(NOW, tick=False))
        shutil.rmtree(configured.MEDIA_ROOT, ignore_errors=True)
        self.stack.enter_context(self.undone())
        self.now = NOW
        toy = the_toy()
        self.phase = toy.phases.get()
        self.systems = [the_system(the_team())]
        self.accepted: set[Any] = set()
        self.withdrawn: set[Any] = set()

    def take(self, labels: list[str], is_full: bool = False) -> None:
        """A team sends a file; now and then the disk is full."""
        self.move(SECOND)
        disk = mock.patch("django.core.files.storage.FileSystemStorage._save", side_effect=FULL)
        with disk if is_full else contextlib.nullcontext():
            try:
                sent = upload(self.systems[0], self.phase, mood=" ".join(labels), at=self.now)
            except (SubmissionError, OSError):
                return
        assert not is_full or sent.pk in self.accepted, "accepted without room for it"
        self.accepted.add(sent.pk)

    def take_back(self, number: int) -> None:
        """A team withdraws one of its submissions."""
        mine = sorted(self.accepted - self.withdrawn)
        if mine:
            one = Submission.objects.get(pk=mine[number % len(mine)])
            with contextlib.suppress(CannotChange):
                withdraw(submission=one, user=one.submitted_by, now=self.now)
                self.withdrawn.add(one.pk)

    def close(self, labels: list[str], fault: str) -> None:
        """After one more file an organiser closes the batch, and something breaks while it is scored and published."""
        self.take(labels)
        self.move(SECOND)
        with contextlib.suppress(CannotClose):
            self.phase.refresh_from_db()
            close_now(phase=self.phase, now=self.now)
        self.rounds(fault)
        self.assert_holds()

    def pass_time(self, hours: int, is_asked: bool) -> None:
        """Some hours pass; the workers do their rounds, or are away."""
        self.move(dt.timedelta(hours=hours))
        if is_asked:
            self.rounds()
        self.assert_holds()

    def turn_clock_back(self) -> None:
        """Somebody corrects the clock of the machine by a minute."""
        self.move(-dt.timedelta(minutes=1))

    def move(self, by: dt.timedelta) -> None:
        self.now += by
        self.clock.move_to(self.now)

    def rounds(self, fault: str = "") -> None:
        """What beat has workers do; under a fault, if there is one."""
        with _breaking(*FAULTS[fault]) if fault else contextlib.nullcontext():
            self.score()
            for name in (*ROUNDS, *KEEPING):
                with contextlib.suppress(Killed), transaction.atomic():
                    app.tasks[f"heldout.sweep.{name}"].apply(throw=False)

    def score(self) -> None:
        with contextlib.suppress(Killed, RuntimeError):
            score_all_due(self.now)

    def assert_holds(self) -> None:
        broken = [str(one) for _, found in check(self.now) for one in found]
        assert broken == []
        assert self.accepted <= set(Submission.objects.values_list("pk", flat=True))

    def end(self) -> None:
        """Nothing breaks any more."""
        self.let_all_come_out()
        self.change_key()
        self.assert_scores_are_made_again()

    def let_all_come_out(self) -> None:
        self.move(max(END - self.now, dt.timedelta()) + dt.timedelta(hours=1))
        for _ in range(8):
            self.rounds()
            self.move(dt.timedelta(hours=1))
        self.assert_everything_came_out()

    def undone(self) -> contextlib.AbstractContextManager[None]:
        return _undone()

    def change_key(self) -> None:
        """The key of gold labels is changed for another, and the old one is thrown away."""
        new = generate_keypair()
        outcome = reseal(SEALED, new, self.now)
        assert not outcome.failed
        file = Path(configured.GOLD_PRIVATE_KEY_FILE).with_name("new.private")
        file.write_text(new.private)
        self.stack.enter_context(mock.patch.object(configured, "GOLD_PRIVATE_KEY_FILE", str(file)))
        self.stack.enter_context(mock.patch.object(configured, "GOLD_PUBLIC_KEY", new.public))

    def assert_everything_came_out(self) -> None:
        kept = self.accepted - self.withdrawn
        statuses = dict(Submission.objects.filter(pk__in=kept).values_list("pk", "status"))
        assert set(statuses) == kept
        assert set(statuses.values()) <= {Submission.Status.PUBLISHED}, statuses
        batches = Batch.objects.exclude(status=Batch.Status.EMPTY)
        assert set(batches.values_list("status", flat=True)) <= {Batch.Status.RELEASED}
        assert Release.objects.count() == batches.count()
        done = ScoringRun.objects.filter(status=ScoringRun.Status.DONE)
        assert Score.objects.count() == 2 * done.count()
        assert [str(one) for _, found in check(self.now, thoroughly=True) for one in found] == []
        self.assert_scores_are_made_again()

    def assert_scores_are_made_again(self) -> None:
        for release in Release.objects.all():
            made_again, _ = reproduce(release)
            assert (made_again.differences, made_again.failed) == ([], [])


class LastingWeek(Week):
    """A week whose rows stay: it is backed up and restored elsewhere, its key is changed, and its server upgraded."""

    def __init__(self, folder: Path) -> None:
        self.backups = folder

    def undone(self) -> contextlib.AbstractContextManager[None]:
        return contextlib.nullcontext()

    def end(self) -> None:
        self.let_all_come_out()
        assert Release.objects.count() > 1
        self.rehearse()
        self.change_key()
        self.rehearse()
        self.upgrade()
        self.assert_everything_came_out()

    def rehearse(self) -> None:
        """A backup is restored into a scratch place, where all is checked and the newest release made again."""
        call_command("backup", str(self.backups))
        call_command("drill", str(self.backups))

    def upgrade(self) -> None:
        """The tables as code of before has them, with what the week has left, and then as they are."""
        before = [release.boards for release in Release.objects.order_by("pk")]
        call_command("migrate", *BEFORE, verbosity=0)
        call_command("migrate", verbosity=0)
        assert [release.boards for release in Release.objects.order_by("pk")] == before


@contextlib.contextmanager
def _breaking(where: str, what: BaseException) -> Iterator[None]:
    with mock.patch(where, side_effect=what) as broken:
        yield
    MET.update([where] * bool(broken.called))


@contextlib.contextmanager
def _undone() -> Iterator[None]:
    """What happens within is undone in the database afterwards."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def test_a_week_of_faults_is_backed_up_restored_sealed_anew_and_upgraded(
    transactional_db, gold_keys, tmp_path
):
    app.loader.import_default_modules()
    LastingWeek(tmp_path / "backups").play(Random(19))


def test_a_week_of_faults_loses_and_doubles_nothing(db, gold_keys):
    app.loader.import_default_modules()
    for lot in range(WEEKS):
        Week().play(Random(lot))
    assert len(MET) >= FEWEST_FAULTS, f"too few faults were met: {MET}"
