"""DynaSent's external sets stand on the overall board and decide nothing there.

Test sets hold four items here, and every gold label is positive.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from benchmarks.models import Benchmark, Phase
from scoring.gold.versions import load_gold
from submissions.intake.predictions.file_writer import write_gold
from submissions.models import System
from submissions.services import PredictionUpload, submit_predictions
from tests.benchmarks.test_loader import DEFINITIONS
from tests.conftest import NOW
from tests.uploads import zip_of
from tests.weeks import CUT_OFF, board, row_of, run_batch, systems_on

IDS = ("d0", "d1", "d2", "d3")
OVERALL = "/benchmarks/dynasent.json"


@pytest.fixture
def phase(sync: Callable[[str], Benchmark], gold_keys: Any) -> Phase:
    text = (DEFINITIONS / "dynasent.yaml").read_text("utf-8").replace("    gold: public #", "    #")
    benchmark = sync(text.replace("task_defaults:\n", "task_defaults:\n  gold: public\n"))  # for all digits
    for task in benchmark.tasks.all():
        data = write_gold(task.spec, IDS, np.zeros(len(IDS), dtype=np.uint8))
        for split in ("test", "dev"):
            load_gold(task=task, data=data, file_name=task.spec.gold.path, now=NOW, split_slug=split)
    return benchmark.phases.get()


def send(system: System, phase: Phase, **rights: int) -> None:
    """One zip with a file per set, `round1_test` or `yelp_dev`, of which so many answers are positive."""
    files = {}
    for name, right in rights.items():
        answers = ["positive"] * right + ["neutral"] * (len(IDS) - right)
        rows = "".join(f"{item},{answer}\n" for item, answer in zip(IDS, answers, strict=True))
        files[f"{name}.csv"] = f"text_id,prediction\n{rows}"
    user = system.team.members.order_by("pk").first()
    assert user is not None
    data = zip_of(files)
    submit_predictions(
        PredictionUpload(system=system, phase=phase, user=user, data=data, file_name="a.zip", received_at=NOW)
    )


def f1(right: int) -> float:
    """Macro F1 where so many of four positive items are called positive: over neutral too if others are called so."""
    classes = 1 if right == len(IDS) else 2
    return 2 * right / (len(IDS) + right) / classes


def test_external_sets_are_shown_and_change_no_rank(system, phase):
    rival = System.objects.create(team=system.team, name="Alder", created_at=NOW)
    send(system, phase, round1_test=4, round2_test=2, sst3_test=1)
    send(rival, phase, round1_test=3, round2_test=2, sst3_test=4, yelp_test=4, amazon_test=4)
    run_batch(CUT_OFF)
    overall = board(OVERALL)
    assert [(row["system"], row["rank"]) for row in overall["rows"] if row["rank"]] == [
        ("Larch", 1), ("Alder", 2),
    ]  # fmt: skip
    larch = row_of(overall, "Larch")["cells"]
    assert larch["rounds"]["value"] == pytest.approx((f1(4) + f1(2)) / 2)
    assert larch["sst3"]["value"] == pytest.approx(f1(1))
    assert row_of(overall, "Alder")["cells"]["amazon"]["value"] == pytest.approx(f1(4))


def test_a_system_with_external_sets_alone_stands_there_without_a_rank(system, phase):
    send(system, phase, yelp_test=4)
    run_batch(CUT_OFF)
    row = row_of(board(OVERALL), "Larch")
    assert (row["rank"], row["cells"]["yelp"]["value"]) == (None, pytest.approx(f1(4)))


def test_development_sets_have_columns_and_change_no_rank(system, phase):
    rival = System.objects.create(team=system.team, name="Alder", created_at=NOW)
    send(system, phase, round1_test=4, round2_test=4, round1_dev=1, round2_dev=2)
    send(rival, phase, round1_test=3, round2_test=3, round1_dev=4, round2_dev=4, yelp_dev=3)
    run_batch(CUT_OFF)
    overall = board(OVERALL)
    assert systems_on(overall) == ["Larch", "Alder"]
    larch = row_of(overall, "Larch")["cells"]
    assert larch["round1@dev"]["value"] == pytest.approx(f1(1))
    assert larch["rounds@dev"]["value"] == pytest.approx((f1(1) + f1(2)) / 2)
    yelp = row_of(board("/benchmarks/dynasent/boards/external-yelp.json"), "Alder")["cells"]
    assert (yelp["yelp@dev"]["value"], yelp["yelp"]["undefined"]) == (pytest.approx(f1(3)), "not_submitted")
