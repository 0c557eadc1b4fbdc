"""A run keeps its intervals and replicates; all systems of a split are resampled alike."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.db.models import F

import benchmarks
from benchmarks.models import Benchmark, Phase
from benchmarks.spec import BenchmarkSpec
from benchmarks.spec.loader import load_definition
from scoring.models import GoldVersion, RunReplicates, Score, ScoringRun
from scoring.run_scoring import Compared
from scoring.uncertainty import resampling
from scoring.uncertainty.stored_replicates import kept_metrics, packed, packed_rows, replicates_of
from submissions.models import System
from tests.weeks import CUT_OFF, HALF_WRONG, ONE_WRONG, run_batch, upload


@pytest.fixture
def scored(toy: Benchmark, system: System, phase: Phase) -> list[ScoringRun]:
    """Runs of one submission with a mistake in its moods."""
    upload(system, phase, mood=ONE_WRONG)
    run_batch(CUT_OFF)
    return list(ScoringRun.objects.select_related("split__task").order_by("split__task__slug"))


def test_every_score_that_resamples_can_move_has_an_interval_around_it(scored):
    found = Score.objects.filter(value__gt=0, value__lt=1)

    around = found.filter(ci_low__lt=F("value"), ci_high__gt=F("value"))

    assert found.exists()
    assert around.count() == found.count()


def test_each_run_keeps_the_replicates_of_its_tasks_column(scored):
    found = replicates_of([run.pk for run in scored])

    assert set(found) == {run.pk for run in scored}
    for run in scored:
        array = found[run.pk][run.split.task.spec.primary_metric.name]
        score = run.scores.get(metric=run.split.task.spec.primary_metric.name)
        assert len(array) == 1000
        assert score.value - 0.4 < array.mean() <= score.value  # a further item may be wrong


def test_runs_without_replicates_are_left_out(scored):
    assert replicates_of([-1]) == {}


def test_two_systems_with_the_same_answers_have_the_same_replicates(toy, system, phase):
    other = System.objects.create(team=system.team, name="Twin", created_at=system.created_at)
    upload(system, phase, mood=ONE_WRONG)
    upload(other, phase, mood=ONE_WRONG)
    run_batch(CUT_OFF)

    rows = {
        (row.run.split.task.slug, bytes(row.packed), row.seed_id)
        for row in RunReplicates.objects.select_related("run__split__task")
    }

    assert RunReplicates.objects.count() == 2 * len(rows)


def test_the_seed_stays_hidden_and_is_another_for_new_gold_labels(scored):
    ids = set(RunReplicates.objects.values_list("seed_id", flat=True))

    assert len(ids) == GoldVersion.objects.count()
    for version in GoldVersion.objects.all():
        assert not any(one in version.commitment for one in ids)


def test_a_fault_in_resampling_leaves_scores_without_intervals(toy, system, phase, monkeypatch, caplog):
    def broken(*_args: object) -> None:
        raise RuntimeError("gold: yes")

    monkeypatch.setattr(resampling, "replicate_scores_together", broken)
    upload(system, phase, mood=HALF_WRONG)

    run_batch(CUT_OFF)

    assert Score.objects.exists()
    assert not Score.objects.filter(ci_low__isnull=False).exists()
    assert not RunReplicates.objects.exists()
    assert "gold: yes" not in caplog.text


def test_replicates_come_back_nearly_as_they_were_kept(scored):
    values = {"f1": np.array([0.25, np.nan, 0.5, 0.75]), "flat": np.full(4, 0.5)}
    RunReplicates.objects.all().delete()
    rows = {name: packed_rows(array[None])[0] for name, array in values.items()}
    packed(scored[0].pk, rows, method="m", seed_id="s").save()

    found = replicates_of([scored[0].pk])[scored[0].pk]

    assert found["f1"] == pytest.approx(values["f1"], abs=1e-5, nan_ok=True)
    assert found["flat"].tolist() == [0.5] * 4


def definition(name: str) -> BenchmarkSpec:
    path = Path(benchmarks.__file__).parent / "definitions" / f"{name}.yaml"
    return load_definition(path.read_text(encoding="utf-8"), path.name)


def test_what_boards_average_is_kept_beside_a_tasks_column():
    spec = definition("ait2018")

    assert kept_metrics(spec, spec.task("EI-reg-en-anger")) == ("pearson", "pearson_gold_ge_0.5")


def test_of_a_task_with_pairs_what_breakers_earn_is_kept_too():
    spec = definition("bibi")
    task = next(task for task in spec.tasks if task.pairs)

    assert set(kept_metrics(spec, task)) >= {"pairs_broken_share", "accuracy", task.primary_metric.name}


def test_a_fault_in_one_run_leaves_the_others_their_intervals(toy, system, phase, monkeypatch, caplog):
    other = System.objects.create(team=system.team, name="Twin", created_at=system.created_at)
    broken = upload(other, phase, mood=HALF_WRONG)
    upload(system, phase, mood=ONE_WRONG)
    drawn = resampling._drawn

    def breaks(compared: Sequence[Compared], *rest: Any) -> Any:
        if any(one.run.submission_id == broken.pk for one in compared):
            raise RuntimeError("gold: yes")
        return drawn(compared, *rest)

    monkeypatch.setattr(resampling, "_drawn", breaks)

    run_batch(CUT_OFF)

    unsure = Score.objects.filter(ci_low__isnull=True, value__gt=0, value__lt=1)
    assert set(unsure.values_list("run__submission", flat=True)) == {broken.pk}
    assert set(RunReplicates.objects.values_list("run__submission__system", flat=True)) == {system.pk}
    assert "gold: yes" not in caplog.text
