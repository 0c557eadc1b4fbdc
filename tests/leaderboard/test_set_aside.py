"""A batch that cannot be published is set aside with its reason, and the others go on."""

from functools import partial

import psycopg
import pytest
from django.db import InternalError, OperationalError

from accounts.models import Mail
from leaderboard.assembly.release_boards import build_boards
from leaderboard.models import Release
from leaderboard.publication import services
from leaderboard.publication.failed_batches import MOST_TRIES
from leaderboard.publication.services import publish, publish_ready
from scoring.gold.versions import load_gold
from scoring.models import Batch
from scoring.queue.batches import close_due, finish_batches
from scoring.queue.runs import score_all_due
from tests.conftest import TOY_DEFINITION, TOY_GOLD
from tests.people import appoint
from tests.weeks import CUT_OFF, upload


@pytest.fixture
def batches(sync, toy, system, phase):
    """Two benchmarks with a scored batch each: `bad`, the first, and `toy`."""
    bad = sync(TOY_DEFINITION.replace("id: toy", "id: bad"))
    for task in bad.tasks.all():
        load_gold(task=task, data=TOY_GOLD[task.slug], file_name="gold", now=CUT_OFF)
    upload(system, bad.phases.get())
    upload(system, phase)
    close_due(CUT_OFF)
    score_all_due(CUT_OFF)
    finish_batches(CUT_OFF)
    return {batch.phase.benchmark_id: batch for batch in Batch.objects.all()}


def _failing(build, error, **arguments):
    if arguments["phase"].benchmark_id == "bad":
        raise error
    return build(**arguments)


@pytest.fixture
def broken(batches, monkeypatch):
    """The boards of `bad` cannot be built."""

    def _break(error):
        monkeypatch.setattr(services, "build_boards", partial(_failing, build_boards, error))

    return _break


def sweep(times):
    for _ in range(times):
        publish_ready(CUT_OFF)


def test_another_benchmark_is_published_all_the_same(broken):
    broken(ValueError("label secret"))
    sweep(1)
    assert [release.benchmark_id for release in Release.objects.all()] == ["toy"]


def test_after_a_few_tries_it_is_tried_no_more_and_says_why(broken, batches):
    broken(ValueError("label secret"))
    sweep(MOST_TRIES + 5)
    bad = Batch.objects.get(pk=batches["bad"].pk)
    assert (bad.publish_failures, bad.status) == (MOST_TRIES, "scored")
    assert "an unforeseen ValueError" in bad.set_aside_because
    assert "secret" not in bad.set_aside_because


def test_organisers_get_one_mail_about_it(broken, batches, owner):
    appoint(batches["bad"].phase.benchmark, owner)
    broken(ValueError())
    sweep(MOST_TRIES + 5)
    mail = Mail.objects.get(about__startswith="set-aside")
    assert (mail.user, mail.subject) == (owner, "Toy: a batch could not be published")


def idle_too_long() -> InternalError:
    """A worker that was stopped so long that PostgreSQL ended its transaction."""
    error = InternalError()
    error.__cause__ = psycopg.errors.IdleInTransactionSessionTimeout()
    return error


@pytest.mark.parametrize("error", [OperationalError(), idle_too_long()])
def test_a_database_that_is_away_is_no_fault_of_the_batch(broken, batches, error):
    broken(error)
    sweep(MOST_TRIES + 5)
    assert Batch.objects.get(pk=batches["bad"].pk).set_aside_because == ""


def test_by_hand_it_is_taken_up_again(broken, batches, monkeypatch):
    broken(ValueError())
    sweep(MOST_TRIES)
    monkeypatch.setattr(services, "build_boards", build_boards)
    assert publish_ready(CUT_OFF) == []
    assert publish(batch=batches["bad"], now=CUT_OFF).number == 1
    assert Batch.objects.get(pk=batches["bad"].pk).set_aside_because == ""
