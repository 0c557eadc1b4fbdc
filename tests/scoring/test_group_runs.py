"""Runs of groups: one per predictions, so that every seed of every split is scored by itself."""

from typing import Any

import pytest

from benchmarks.models import Phase
from scoring.gold.versions import load_gold
from scoring.models import Batch, Score, ScoringRun
from scoring.queue import runs
from scoring.queue.batches import close_due, finish_batches
from scoring.queue.runs import score_all_due
from scoring.queue.wanted_runs import current_runs, ensure_runs, lacking_runs
from scoring.run_scoring import score_run
from submissions.models import PredictionCodes, Predictions, Submission, System
from tests.conftest import NOW
from tests.groups import group_zip, labels, load_debates, submit_group
from tests.weeks import CUT_OFF, WEEK, run_batch, status_of


def batch_of(phase: Phase) -> Batch:
    """The batch that would be closed next."""
    return phase.batches.order_by("-cut_off_at").first() or Batch(phase=phase)


@pytest.fixture
def debates(sync: Any, gold_keys: Any) -> Phase:
    return load_debates(sync)


@pytest.fixture
def group(system: System, debates: Phase) -> Submission:
    """A full group whose cut-off has just come: 2 tasks, 2 splits, 3 seeds."""
    submission = submit_group(system, debates).submission
    close_due(CUT_OFF)
    return submission


def accuracies(task: str = "claims", split: str = "test") -> dict[int, float | None]:
    scores = Score.objects.filter(
        metric="accuracy", run__split__task__slug=task, run__split__slug=split, run__in=current_runs()
    )
    return dict(scores.values_list("run__predictions__seed", "value"))


def test_every_seed_of_every_split_has_a_run(group):
    assert ScoringRun.objects.count() == 12
    assert set(ScoringRun.objects.values_list("predictions", flat=True)) == set(
        Predictions.objects.values_list("pk", flat=True)
    )


def test_asking_again_creates_no_run(group):
    assert ensure_runs([group], now=CUT_OFF) == 0


def test_every_seed_has_its_own_score(group):
    score_all_due(CUT_OFF)
    assert accuracies() == {1: 1.0, 2: 0.75, 3: 0.5}
    assert accuracies("posts", "spelling") == {1: 1.0, 2: 0.75, 3: 0.5}


def test_a_group_is_scored_when_all_its_seeds_are(group, debates):
    run_batch(CUT_OFF)
    assert status_of(group) == "published"
    assert not lacking_runs(batch_of(debates)).exists()


def test_one_seed_that_cannot_be_scored_fails_the_group(group):
    damaged = Predictions.objects.get(split__task__slug="posts", split__slug="spelling", seed=2)
    PredictionCodes.objects.filter(predictions=damaged).update(packed=b"x")
    score_all_due(CUT_OFF)
    finish_batches(CUT_OFF)
    assert status_of(group) == "failed"
    assert "damaged" in group.status_reason
    assert Score.objects.values("run").distinct().count() == 11


def test_a_worker_that_dies_in_the_middle_of_a_group_leaves_no_score(group, monkeypatch):
    seen = []

    def dies(run: ScoringRun) -> Any:
        seen.append(run)
        if len(seen) == 7:
            raise KeyboardInterrupt
        return score_run(run)

    monkeypatch.setattr(runs, "score_run", dies)
    with pytest.raises(KeyboardInterrupt):
        score_all_due(CUT_OFF)
    assert not Score.objects.exists()


def test_new_gold_labels_of_one_split_score_its_seeds_again_and_no_others(group, debates):
    run_batch(CUT_OFF)
    task = debates.benchmark.tasks.get(slug="claims")
    load_gold(
        task=task, data=labels("pro pro con pro"), file_name="claims.csv", now=CUT_OFF, split_slug="spelling"
    )
    assert list(lacking_runs(batch_of(debates))) == [group]

    run_batch(CUT_OFF + WEEK)

    assert ScoringRun.objects.count() == 12 + 3
    assert accuracies("claims", "spelling") == {1: 0.75, 2: 1.0, 3: 0.75}
    assert accuracies("claims", "test") == {1: 1.0, 2: 0.75, 3: 0.5}


def test_an_attack_made_later_leaves_earlier_groups_complete(system, sync, gold_keys):
    debates = load_debates(sync, attacked=False)
    group = submit_group(system, debates, group_zip(names=["claims.csv"])).submission
    run_batch(CUT_OFF)
    task = debates.benchmark.tasks.get(slug="claims")
    load_gold(task=task, data=labels(), file_name="claims.csv", now=NOW, split_slug="spelling")
    assert not lacking_runs(batch_of(debates)).exists()
    assert status_of(group) == "published"
