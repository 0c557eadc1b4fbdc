"""A later data set joins the stance benchmark by one more task in its YAML file, and nothing else is changed.

Test sets hold four items here and every gold label is the task's first, so a file scores 1 where all answers are right
and 0 where none is.
"""

import io
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import call_command

from benchmarks.models import Benchmark, Phase
from catalogue.layouts.row_ids import IdMaker
from leaderboard.models import Page
from scoring.gold.versions import load_gold
from submissions.intake import CanonicalPredictions
from submissions.intake.predictions.file_writer import write_files, write_gold, zip_of
from submissions.models import System
from submissions.services import PredictionUpload, submit_predictions
from submissions.uploads.expected_splits import split_targets
from tests.benchmarks.test_loader import DEFINITIONS
from tests.conftest import NOW
from tests.weeks import CUT_OFF, WEEK, board, row_of, run_batch, systems_on

pytestmark = pytest.mark.thorough

ITEMS = 4
SEEDS = 5
TEN = (
    "arc", "argmin", "fnc1", "iac1", "ibmcs", "perspectrum", "scd", "semeval2016t6", "semeval2019t7", "snopes",
)  # fmt: skip
ELEVENTH = """  - id: rooftops
    code: ROOF
    title: Debates about rooftops
    summary: "Is a post for green roofs or against them?"
    instructions: "Say for each post whether it is for green roofs or against them."
    test_size: 4
    labels: [against, for]

averages:
"""
TEXTS = b"id,text\n" + b"".join(f"d{at},Nobody wants roofs. They leak.\n".encode() for at in range(ITEMS))


@pytest.fixture
def definition() -> str:
    return (Path(DEFINITIONS) / "stance.yaml").read_text("utf-8")


@pytest.fixture
def stance(sync: Callable[[str], Benchmark], gold_keys: Any, definition: str) -> Phase:
    """The benchmark as it is shipped, with made-up gold labels."""
    benchmark = sync(definition)
    for task in benchmark.tasks.all():
        load_made_up(benchmark, task.slug)
    phase: Phase = benchmark.phases.get()
    return phase


def load_made_up(benchmark: Benchmark, slug: str) -> None:
    """Gold labels of four items, all of them the task's first label."""
    task = benchmark.tasks.get(slug=slug)
    file = task.spec.gold
    maker = IdMaker(repeats=file.repeats)
    ids = [maker.make([f"d{at}"] * len(file.id_columns)) for at in range(ITEMS)]
    data = write_gold(task.spec, ids, np.zeros(ITEMS, dtype=np.uint8))
    load_gold(task=task, data=data, file_name=file.path, now=NOW)


def submit(
    system: System, phase: Phase, rights: Mapping[str, int], *, at: Any = NOW, split: str = "test"
) -> str:
    """Five seeds, all alike, with these numbers of right answers out of four by task; the submission's id."""
    phase.benchmark = Benchmark.objects.get(pk="stance")
    targets = [one for one in split_targets(phase) if (one.task.id in rights) and one.split == split]
    predictions = [
        CanonicalPredictions(
            target.task.id,
            target.split,
            np.array([place >= rights[target.task.id] for place in range(ITEMS)], dtype=np.uint8),
            seed=seed,
        )
        for target in targets
        for seed in range(1, SEEDS + 1)
    ]
    user = system.team.members.order_by("pk").first()
    assert user is not None
    data = zip_of(write_files(targets, predictions, seeds=SEEDS))
    receipt = submit_predictions(
        PredictionUpload(
            system=system, phase=phase, user=user, data=data, file_name="seeds.zip", received_at=at
        )
    )
    return str(receipt.submission.pk)


@pytest.fixture
def joined(stance: Phase, system: System, sync: Callable[[str], Benchmark], definition: str) -> str:
    """Larch has answered the ten and is published; then the eleventh joins. Gives the new definition."""
    submit(system, stance, dict.fromkeys(TEN, ITEMS))
    run_batch(CUT_OFF)
    text = definition.replace("averages:\n", ELEVENTH, 1)
    load_made_up(sync(text), "rooftops")
    return text


def overall() -> dict[str, Any]:
    return board("/benchmarks/stance.json")


def test_it_joins_without_touching_the_others(joined, stance):
    before = overall()
    tasks = stance.benchmark.tasks.exclude(slug="rooftops")
    assert {(task.version, task.is_retired) for task in tasks} == {(1, False)}
    run_batch(CUT_OFF + WEEK)
    assert overall() == before  # nothing was sent, so nothing was released


def test_it_is_submitted_alone_and_has_its_column_its_page_and_its_rank(joined, stance, system):
    before = row_of(overall(), "Larch")["cells"]
    sent = submit(system, stance, {"rooftops": ITEMS}, at=CUT_OFF)
    run_batch(CUT_OFF + WEEK)

    after = row_of(overall(), "Larch")["cells"]
    assert (after["rooftops"]["value"], after["rooftops"]["submission"]) == (1.0, sent)
    assert {key: after[key] for key in before if key != "rooftops"} == {
        key: cell for key, cell in before.items() if key != "rooftops"
    }
    own = board("/benchmarks/stance/tasks/rooftops.json")
    assert row_of(own, "Larch")["rank"] == 1
    page = bytes(Page.objects.get(pk="/benchmarks/stance/tasks/rooftops/").body).decode()
    assert "Debates about rooftops" in page
    assert "rooftops" in bytes(Page.objects.get(pk="/benchmarks/stance/rules/").body).decode()


def test_before_it_is_added_to_the_average_the_average_is_that_of_the_ten(joined, stance, system):
    submit(system, stance, {"rooftops": 0}, at=CUT_OFF)
    run_batch(CUT_OFF + WEEK)
    row = row_of(overall(), "Larch")
    assert (row["rank"], row["cells"]["overall"]["value"]) == (1, 1.0)


def test_once_it_is_added_it_takes_part_in_the_average(joined, stance, system, team, sync):
    benchmark = sync(joined.replace("snopes]\n    missing", "snopes, rooftops]\n    missing"))
    assert {task.version for task in benchmark.tasks.all()} == {1}
    fir = System.objects.create(team=team, name="Fir", created_at=NOW)
    submit(system, stance, {"rooftops": 0}, at=CUT_OFF)
    submit(fir, stance, dict.fromkeys(TEN, ITEMS), at=CUT_OFF)
    run_batch(CUT_OFF + WEEK)

    larch, other = row_of(overall(), "Larch"), row_of(overall(), "Fir")
    assert larch["cells"]["overall"]["value"] == pytest.approx(10 / 11, abs=1e-12)
    assert (other["cells"]["overall"]["undefined"], other["rank"]) == ("missing_task", None)
    assert row_of(board("/benchmarks/stance/releases/1.json"), "Larch")["cells"]["overall"]["value"] == 1.0


def manage(*arguments: str) -> None:
    call_command(*arguments, stdout=io.StringIO(), stderr=io.StringIO())


def test_its_attack_sets_are_made_and_stand_on_the_boards_of_attacks(joined, stance, system, tmp_path):
    (tmp_path / "texts.csv").write_bytes(TEXTS)
    manage("load_texts", "stance", "rooftops", str(tmp_path / "texts.csv"))
    manage("make_attack", "stance", "rooftops", "negation")
    submit(system, stance, {"rooftops": ITEMS}, at=CUT_OFF)
    submit(system, stance, {"rooftops": 0}, at=CUT_OFF, split="negation")
    run_batch(CUT_OFF + WEEK)

    negation = board("/benchmarks/stance/boards/attack-negation.json")
    assert "rooftops" in [column["key"] for column in negation["columns"]]
    cell = row_of(negation, "Larch")["cells"]["rooftops"]
    assert (cell["value"], cell["beside"], cell["seeds"]) == (0.0, 1.0, SEEDS)
    assert systems_on(board("/benchmarks/stance/boards/attack-spelling.json")) == []
