"""The published cases of the kinds of answer, from an upload over HTTP to what a release says of it, to all digits.

A system of a team of its own hands its real file in by the API. What organisers take home are the numbers of the
official scorers; the board shows these, rounded, with intervals and ranks; the comparison and the ledger follow.
"""

import csv
import io
import json
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
import yaml
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from benchmarks.models import Benchmark
from benchmarks.spec import TaskSpec
from leaderboard.models import LedgerEntry
from leaderboard.publication.services import enter_in_ledger
from leaderboard.take_home.archive_contents import write_archive
from scoring.gold.versions import load_gold
from submissions.models import System
from tests.api.conftest import UPLOADS, client_of
from tests.conftest import CASES, NOW, person
from tests.contracts.test_label_kinds_released import EXAMPLES
from tests.feelings import team_of
from tests.pages import browser_of, text_of
from tests.uploads import zip_of
from tests.weeks import WEEK, board, run_batch

pytestmark = [
    pytest.mark.published,
    pytest.mark.skipif(not CASES.is_dir(), reason="the published files are not part of the project"),
]
Document = dict[str, Any]
SYSTEMS_OF_A_TASK = 2
# What the definitions call otherwise than the cases do.
IN_THE_CASES = {
    "f1_1": "f1_positive",
    "mean[f1_macro,accuracy]": "mean_f1_macro_accuracy",
    "mean[f1_1,accuracy]": "mean_f1_accuracy",
    "mean[f1_true,accuracy]": "mean_f1_accuracy",
}
NUMBERS = """
id: numbers
title: Numbers
summary: How alike, how ill?
url: https://example.org/numbers
citation: Somebody, 2026.
bundle: {files: any}
task_defaults: {summary: "How much?", instructions: Say so., licence: CC BY 4.0, citation: "Somebody, 2026."}
tasks:
  - id: sts2014_images
    code: S
    title: Likeness
    output: {kind: number, low: 0, high: 5}
    file: {path: likeness.tsv, dialect: tsv, id_column: id, label_column: score}
    metrics: [{name: pearson, title: r}, {name: ccc, title: CCC}, {name: mae, title: MAE}, {name: r2, title: R2}]
  - id: sts2014_images_classes
    code: C
    title: Classes of likeness
    output: {kind: ordered_classes, low: 0, high: 5}
    file: {path: classes.tsv, dialect: tsv, headerless: true, id_column: id, label_column: score}
    metrics: [{name: mae_macro, title: Macro MAE}, {name: mae, title: MAE}, {name: kappa_linear_scale, title: Kappa}]
  - id: diabetes
    code: D
    title: Progression
    output: {kind: number, low: 0, high: 1000}
    file: {path: diabetes.csv, id_column: id, label_column: value}
    metrics: [{name: rmse, title: RMSE}, {name: mae, title: MAE}, {name: spearman, title: Rho}]
phases:
  - {id: main, title: Main, cut_off: {weekday: monday, time: "00:00", timezone: UTC}, quota: {per_cut_off: 2},
     counting: latest, publish_automatically: true}
"""


def as_it_stands(document: Document, case: str) -> None:
    """The example is about the case as it is."""


def with_tags(document: Document, case: str) -> None:
    document["tasks"][0]["labels"] = (CASES / case / "labels.txt").read_text("utf-8").split()


def with_slots(document: Document, case: str) -> None:
    slots_of = json.loads((CASES / case / "ontology.json").read_text("utf-8"))
    task = document["tasks"][0]
    task["labels"] = list(slots_of)
    task["output"]["slots"] = sorted({slot for slots in slots_of.values() for slot in slots})


def with_entities_alone(document: Document, case: str) -> None:
    task, _tags = document["tasks"]
    document["tasks"] = [task]
    task["output"]["types"] = ["corporation", "creative-work", "group", "location", "person", "product"]
    names = ("f1_micro", "precision_micro", "recall_micro", "f1_macro", "token_accuracy")
    task["metrics"] = [{"name": name, "title": name} for name in names]


@dataclass(frozen=True)
class World:
    """A case as a benchmark of ours: its definition, and what each of our tasks is called in the case."""

    example: str
    tasks: Mapping[str, str]
    fitted: Callable[[Document, str], None] = as_it_stands
    names: Mapping[str, str] = field(default_factory=dict)


def same(*tasks: str) -> dict[str, str]:
    return dict(zip(tasks, tasks, strict=True))


STRICT = {
    f"{name}": f"{name}_strict_iob2" for name in ("f1_micro", "precision_micro", "recall_micro", "f1_macro")
}
WORLDS = {
    "probabilities": World("calibration", same("tumours", "digits")),
    "many_labels": World("tags", {"tags": "bibtex"}, with_tags),
    "pairs_preferred": World("preferences", {"words": "pandalm", "scores": "pandalm_scores"}),
    "trec_ranking": World("ranking", same("adhoc", "answers")),
    "text_references": World("translation", same("wmt17_en_de", "e2e")),
    "json_slots": World("frames", {"frames": "snips"}, with_slots),
    "ner_conll": World("entities", {"names": "wnut17"}, with_entities_alone, STRICT),
    "layouts_one_label": World("glue", same("cola", "mrpc")),
    "jsonl_superglue": World("superglue", same("RTE", "entails", "choice", "sense")),
    "numbers_and_ordered": World("", same("sts2014_images", "sts2014_images_classes", "diabetes")),
}


def definition(case: str) -> str:
    world = WORLDS[case]
    text = (EXAMPLES / f"{world.example}.yaml").read_text("utf-8") if world.example else NUMBERS
    document = yaml.safe_load(text)
    world.fitted(document, case)
    return yaml.safe_dump(document, sort_keys=False)


@dataclass(frozen=True)
class Answered:
    """One system in the case: of each of our tasks the numbers of the official scorer, its file and the gold file."""

    name: str
    tasks: dict[str, Document]


def systems_of(case: str) -> list[Answered]:
    """The first few that answer each task."""
    official = json.loads((CASES / case / "expected.json").read_text("utf-8"))["systems"]
    counts, found = dict.fromkeys(WORLDS[case].tasks, 0), []
    for name, numbers in official.items():
        tasks = {ours: numbers[theirs] for ours, theirs in WORLDS[case].tasks.items() if theirs in numbers}
        if any(counts[task] < SYSTEMS_OF_A_TASK for task in tasks):
            found.append(Answered(name, tasks))
            for task in tasks:
                counts[task] += 1
    return found


def handed_in(benchmark: Benchmark, case: str, answered: Answered) -> System:
    """The system, its files uploaded by a person of its own."""
    user = person(answered.name.replace(".", "-"))
    _, system = team_of(user, f"Team {answered.name}", answered.name)
    files = {
        task.file.path: (CASES / case / answered.tasks[task.id]["pred"]).read_bytes()
        for task in benchmark.spec.tasks
        if task.id in answered.tasks
    }
    form = {"system": system.pk, "phase": f"{benchmark.pk}/main"}
    upload = SimpleUploadedFile("answers.zip", zip_of(files))
    answer = client_of(user).post(UPLOADS, form | {"file": upload})
    assert answer.status_code == 201, answer.json()
    return system


def taken_home(benchmark: Benchmark) -> dict[tuple[str, str, str], dict[str, str]]:
    """What organisers take home of every score, by system, task and metric."""
    target = io.BytesIO()
    write_archive(benchmark, target, timezone.now())
    with zipfile.ZipFile(target) as archive:
        name = f"{archive.namelist()[0].partition('/')[0]}/scores.csv"
        rows = csv.DictReader(io.StringIO(archive.read(name).decode("utf-8")))
        return {(row["system"], row["task"], row["metric"]): row for row in rows if row["stratum"] == ""}


def assert_numbers(
    case: str,
    task: TaskSpec,
    one: Answered,
    exported: Mapping[tuple[str, str, str], Document],
    cells: Document,
) -> int:
    """What organisers take home has all digits of the official scorers, the board those it shows; returns how many."""
    names, compared = IN_THE_CASES | dict(WORLDS[case].names), 0
    for use in task.metrics:
        name, told = names.get(use.name, use.name), exported[one.name, task.id, use.name]
        if name not in one.tasks[task.id]:
            continue
        official = one.tasks[task.id][name]
        compared += 1
        if official is None:  # scipy correlates nothing with a constant, which counts 0 here
            assert told["undefined"] or float(told["value"]) == 0, use.name
        else:
            assert not told["undefined"], use.name
            assert float(told["value"]) == pytest.approx(official, rel=1e-9, abs=1e-9), use.name
            shown = cells[task.id if use is task.metrics[0] else use.name]["value"]
            assert shown == pytest.approx(official, abs=6e-4, rel=1e-3), use.name
    return compared


def assert_sure(row: Document, cell: Document, systems: int) -> None:
    """The score lies in its interval, and the rank in the ranks that the system may have."""
    if cell["ci_low"] is not None:
        assert cell["ci_low"] <= cell["value"] <= cell["ci_high"]
    if systems > 1 and cell["ci_low"] is not None:
        assert 1 <= row["rank_low"] <= row["rank"] <= row["rank_high"] <= systems


@pytest.mark.usefixtures("gold_keys")
@pytest.mark.parametrize("case", WORLDS)
def test_what_is_handed_in_over_http_is_published_as_the_official_scorers_have_it(
    case: str, sync: Callable[[str], Benchmark]
):
    benchmark = sync(definition(case))
    answered = systems_of(case)
    golds = {task: one.tasks[task]["gold"] for one in answered for task in one.tasks}
    for stored in benchmark.tasks.all():
        gold = CASES / case / golds[stored.slug]
        load_gold(task=stored, data=gold.read_bytes(), file_name=gold.name, now=NOW)

    systems = {one.name: handed_in(benchmark, case, one) for one in answered}
    run_batch(timezone.now() + WEEK)
    enter_in_ledger()

    compared, exported = 0, taken_home(benchmark)
    for task in benchmark.spec.tasks:
        shown = board(f"/benchmarks/{benchmark.pk}/tasks/{task.id}.json")
        rows = {row["system"]: row for row in shown["rows"] if row["kind"] == "system"}
        for one in answered:
            if task.id in one.tasks:
                compared += assert_numbers(case, task, one, exported, rows[one.name]["cells"])
                assert_sure(rows[one.name], rows[one.name]["cells"][task.id], len(rows))
    assert compared >= len(answered)

    pair = [str(system.pk) for system in systems.values()][:2]
    page = text_of(browser_of(None).get(f"/benchmarks/{benchmark.pk}/compare/", {"system": pair}))
    assert all(one.name in page for one in answered[:2])
    entered = LedgerEntry.objects.filter(release__benchmark=benchmark)
    assert {entry.task.slug for entry in entered} == {task.id for task in benchmark.spec.tasks}
    assert all(0 < entry.spent_bits <= entry.label_bits for entry in entered)
