"""The file beside the boards that tells when the submissions behind them came, and the hashes of their files."""

import datetime as dt
import json

import pytest
from django.test import Client

from benchmarks.models import Benchmark, Phase
from leaderboard.publication.services import refresh_stale
from submissions.models import Submission, System
from tests.weeks import CUT_OFF, HALF_WRONG, run_batch, upload

CURRENT, PERMANENT = "/benchmarks/toy-submissions.json", "/benchmarks/toy/releases/1-submissions.json"


@pytest.fixture
def released(system: System, phase: Phase) -> Submission:
    submission = upload(system, phase, mood=HALF_WRONG)
    run_batch(CUT_OFF)
    return submission


def test_every_submission_of_a_release_has_its_instant_and_hash(released):
    told = json.loads(Client().get(PERMANENT).content)
    assert told["release"] == 1
    assert list(told["submissions"]) == [str(released.pk)]
    one = told["submissions"][str(released.pk)]
    assert one["file_sha256"] == released.file_sha256
    assert dt.datetime.fromisoformat(one["received_at"]) == released.received_at.replace(microsecond=0)


def test_the_newest_release_has_it_beside_the_current_board(released):
    assert Client().get(CURRENT).content == Client().get(PERMANENT).content


def test_of_anonymous_systems_there_is_nothing_to_find(released):
    Benchmark.objects.all().mark_stale(is_anonymous=True, archive=True)
    refresh_stale()
    for path in (CURRENT, PERMANENT):
        assert str(released.pk).encode() not in Client().get(path).content
        assert released.file_sha256.encode() not in Client().get(path).content
