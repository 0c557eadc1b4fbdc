"""What answers only a task that was taken out of the benchmark meanwhile: no score, a slot, and a true sentence."""

import pytest

from scoring.gold.versions import load_gold
from scoring.models import Batch
from submissions.models import Submission
from submissions.services import PredictionUpload, submit_predictions
from tests.conftest import NOW, TOY_DEFINITION, TOY_GOLD
from tests.post import sent
from tests.slots import slots_used
from tests.uploads import zip_of
from tests.weeks import CUT_OFF, WEEK, run_batch, status_of

SINGLY = TOY_DEFINITION.replace("files: complete", "files: any")
WITHOUT_COLOUR = "\n".join(line for line in SINGLY.splitlines() if "id: colour" not in line)
WITHOUT_COLOUR = WITHOUT_COLOUR.replace(", colour: 0.7", "")


@pytest.fixture
def waiting(sync, gold_keys, system, owner) -> Submission:
    """An answer to a task that is no part of the benchmark any more."""
    benchmark = sync(SINGLY)
    for task, data in TOY_GOLD.items():
        load_gold(task=benchmark.tasks.get(slug=task), data=data, file_name="gold.csv", now=NOW)
    data = zip_of({"data/colour/predictions.csv": TOY_GOLD["colour"].decode()})
    phase = benchmark.phases.get()
    submission = submit_predictions(
        PredictionUpload(
            system=system, phase=phase, user=owner, data=data, file_name="colour.zip", received_at=NOW
        )
    ).submission
    sync(WITHOUT_COLOUR)
    run_batch(CUT_OFF)
    return submission


def test_it_fails_gives_its_slot_back_and_says_why(waiting):
    assert status_of(waiting) == "failed"
    assert "it has no gold labels, or was taken out of the benchmark. Your slot was given back" in (
        waiting.status_reason
    )
    assert slots_used(team=waiting.system.team, phase=waiting.phase, at=NOW) == 0


def test_no_batch_takes_it_in_and_nobody_is_told_again_before_that_changes(waiting):
    told = len(sent())
    run_batch(CUT_OFF + WEEK)
    assert Batch.objects.get(cut_off_at=CUT_OFF + WEEK).status == Batch.Status.EMPTY
    assert len(sent()) == told


def test_it_is_scored_once_its_task_is_back(waiting, sync):
    sync(SINGLY)
    run_batch(CUT_OFF + WEEK)
    assert status_of(waiting) == "published"
