"""Baselines that a benchmark's organisers send take no slot; everybody else's uploads do."""

import pytest

from submissions.exceptions import QuotaUsedUp
from submissions.models import System
from submissions.services import PredictionUpload, submit_predictions
from submissions.systems.status_transitions import withdraw
from tests.conftest import NOW
from tests.people import appoint
from tests.slots import slots_used, use_up
from tests.uploads import toy_zip

pytestmark = pytest.mark.postgres

MOODS = ("good good bad bad good bad", "bad good bad bad good bad")


def send(system, phase, user, mood=MOODS[0]):
    return submit_predictions(
        PredictionUpload(
            system=system, phase=phase, user=user, data=toy_zip(mood), file_name="b.zip", received_at=NOW
        )
    ).submission


@pytest.fixture
def baseline(team):
    return System.objects.create(team=team, name="Majority", kind=System.Kind.BASELINE, created_at=NOW)


@pytest.fixture
def no_more_slots(phase, team):
    phase.quota_limit = 1
    phase.save()
    use_up(team, phase, NOW, used=1)


def test_a_baseline_of_an_organiser_is_taken_when_no_slot_is_left(baseline, phase, owner, no_more_slots):
    appoint(phase.benchmark, owner)

    send(baseline, phase, owner)

    assert slots_used(team=baseline.team, phase=phase, at=NOW) == 1


def test_a_withdrawn_baseline_gives_back_no_slot(baseline, phase, owner, no_more_slots):
    appoint(phase.benchmark, owner)
    submission = send(baseline, phase, owner)

    withdraw(submission=submission, user=owner, now=NOW)

    assert slots_used(team=baseline.team, phase=phase, at=NOW) == 1


def test_a_baseline_of_somebody_else_takes_a_slot(baseline, phase, owner, no_more_slots):
    with pytest.raises(QuotaUsedUp):
        send(baseline, phase, owner)


def test_an_organisers_own_system_takes_a_slot(system, phase, owner, no_more_slots):
    appoint(phase.benchmark, owner)

    with pytest.raises(QuotaUsedUp):
        send(system, phase, owner)
