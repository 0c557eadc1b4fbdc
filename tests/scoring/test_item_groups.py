"""Groups of items that a column of the gold file names: from the file to the worst of them on a published board."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import f1_score

from benchmarks.models import Benchmark
from benchmarks.spec import BenchmarkSpec
from benchmarks.spec.document import DefinitionError, parse_yaml
from benchmarks.spec.loader import build_spec
from client.log.scores import scores_of
from leaderboard.publication.paired_test_schedule import make_next_tests
from scoring.file_refusal import FileRefused
from scoring.gold.alignment import opened_version
from scoring.gold.deliveries import check_deliveries, hand_in
from scoring.gold.versions import GoldRefused, Loaded, load_gold
from scoring.models import GoldVersion, PairedTest, ScoringRun, SealedDelivery
from scoring.reproduction.evaluation import evaluate_file
from scoring.reproduction.recomputation import recompute
from scoring.run_scoring import score_run
from scoring.uncertainty.stored_replicates import replicates_of
from submissions.intake.sealing import KeyPair, clusters_digest, open_with_salt
from submissions.intake.tables.gold import read_gold_file
from submissions.intake.tables.sealed_gold import seal_gold
from tests.conftest import NOW, TOY_DEFINITION, TOY_GOLD, person
from tests.feelings import team_of
from tests.pages import browser_of, text_of
from tests.weeks import ALL_RIGHT, CUT_OFF, WEEK, board, run_batch, upload
from transparency.models import LogEntry

WORST, GAP = "worst[f1_macro,Language]", "gap[f1_macro,Language]"
GROUPED = TOY_DEFINITION.replace(
    "test_size: 6,",
    "test_size: 6, gold_file: {path: mood.csv, id_column: ID, label_column: Label, columns: [ID, Language, Label], "
    f"group_columns: [Language]}}, metrics: [{{name: '{WORST}', title: Worst}}, {{name: '{GAP}', title: Gap}}, "
    "{name: f1_macro, title: F1}],",
)
CELLS = ["de", "en", "de", "en", "de", "en"]
LABELS = ["good", "good", "bad", "bad", "good", "bad"]
GOLD = "ID,Language,Label\n" + "".join(
    f"m{at},{cell},{label}\n" for at, (cell, label) in enumerate(zip(CELLS, LABELS, strict=True), 1)
)
WORSE_IN_ENGLISH = "good bad bad bad good bad"


def f1_by_language(answers: str) -> dict[str, float]:
    columns = (LABELS, answers.split())
    parts = {name: [at for at in range(6) if CELLS[at] == name] for name in ("de", "en")}
    return {
        name: f1_score(*([column[at] for at in items] for column in columns), average="macro")
        for name, items in parts.items()
    }


def load(benchmark: Benchmark, text: str = GOLD, task: str = "mood") -> Loaded:
    return load_gold(task=benchmark.tasks.get(slug=task), data=text.encode(), file_name="gold.csv", now=NOW)


@pytest.fixture
def grouped(sync: Callable[[str], Benchmark], gold_keys: KeyPair) -> Benchmark:
    """The toy benchmark with moods in two languages, ranked by the worse of them."""
    benchmark = sync(GROUPED)
    load(benchmark)
    load(benchmark, TOY_GOLD["colour"].decode(), "colour")
    return benchmark


@pytest.fixture
def spec() -> BenchmarkSpec:
    return build_spec(parse_yaml(GROUPED, "toy.yaml"), "toy.yaml")


def test_the_worst_group_ranks_a_board_with_interval_range_and_test(grouped, system):
    other = team_of(person("southerner"), "South", "Alder")[1]
    for one, mood in ((system, WORSE_IN_ENGLISH), (other, ALL_RIGHT)):
        upload(one, grouped.phases.get(), mood=mood)
    run_batch(CUT_OFF)

    published = board("/benchmarks/toy/tasks/mood.json")
    cells = {row["system"]: row["cells"] for row in published["rows"] if row["kind"] == "system"}
    of_groups = f1_by_language(WORSE_IN_ENGLISH)
    assert [row["system"] for row in published["rows"] if row["rank"]] == ["Alder", "Larch"]
    assert cells["Larch"]["mood"]["value"] == pytest.approx(min(of_groups.values()))
    gap = next(cell for key, cell in cells["Larch"].items() if GAP in key)
    assert gap["value"] == pytest.approx(max(of_groups.values()) - min(of_groups.values()))
    for cell in (cells["Larch"]["mood"], cells["Alder"]["mood"], gap):
        assert cell["ci_low"] <= cell["value"] <= cell["ci_high"]
        assert cell["ci_low"] < cell["ci_high"]
    runs = ScoringRun.objects.filter(split__task__slug="mood")
    assert all(WORST in of_run for of_run in replicates_of([run.pk for run in runs]).values())
    make_next_tests(CUT_OFF)
    assert PairedTest.objects.get(metric=WORST).exchange_p is not None
    assert not recompute([run.pk for run in runs]).differences
    page = browser_of(None).get("/benchmarks/toy/compare/", {"system": [str(system.pk), str(other.pk)]})
    assert "Worst" in text_of(page)
    assert GAP in browser_of(None).get("/benchmarks/toy/tasks/mood.csv").content.decode()


def test_weights_rank_a_board_with_interval_range_and_test(sync, system, gold_keys):
    weighted = "weighted[accuracy,Language]"
    benchmark = sync(GROUPED.replace(WORST, weighted).replace(f"{{name: '{GAP}', title: Gap}}, ", ""))
    costs = [1, 0.5, 3, 0, 2, 1]
    text = "ID,Language,Label\n" + "".join(
        f"m{at},{cost},{label}\n" for at, (cost, label) in enumerate(zip(costs, LABELS, strict=True), 1)
    )
    loaded = load(benchmark, text)
    load(benchmark, TOY_GOLD["colour"].decode(), "colour")
    other = team_of(person("southerner"), "South", "Alder")[1]
    for one, mood in ((system, WORSE_IN_ENGLISH), (other, ALL_RIGHT)):
        upload(one, benchmark.phases.get(), mood=mood)
    run_batch(CUT_OFF)

    cell = next(row for row in board("/benchmarks/toy/tasks/mood.json")["rows"] if row["system"] == "Larch")[
        "cells"
    ]["mood"]

    assert not any("group" in warning for warning in loaded.warnings)
    assert cell["value"] == pytest.approx(7 / 7.5, abs=1e-4)
    assert cell["ci_low"] < cell["value"] < cell["ci_high"]
    make_next_tests(CUT_OFF)
    assert PairedTest.objects.get(metric=weighted).exchange_p is not None
    assert not recompute([run.pk for run in ScoringRun.objects.filter(split__task__slug="mood")]).differences


def test_groups_are_sealed_with_the_labels_and_committed_to_in_the_log(grouped, keypair):
    version = GoldVersion.objects.get(split__task__slug="mood")
    salt, gold = open_with_salt(bytes(version.sealed.ciphertext), keypair.private, version.commitment)
    digests = {
        entry.facts["commitment"]: entry.facts["clusters"] for entry in LogEntry.objects.filter(kind="gold")
    }

    assert gold.groups["Language"].cells() == CELLS
    assert digests[version.commitment] == clusters_digest(salt, gold)
    moved = gold.groups["Language"].at(np.roll(np.arange(6), 1))
    assert clusters_digest(salt, replace(gold, groups={"Language": moved})) != digests[version.commitment]


def test_groups_follow_the_order_that_ids_have_once_there_are_predictions(grouped, system):
    upload(system, grouped.phases.get())
    header, *rows = GOLD.splitlines(keepends=True)

    version = load(grouped, header + "".join(reversed(rows))).version

    assert opened_version(version.pk)[1].groups["Language"].cells() == CELLS


def test_a_part_of_the_items_is_scored_by_the_groups_of_that_part(grouped, system):
    grouped.phases.update(disclosure="open", closes_at=CUT_OFF + WEEK, one_per_team=True)
    upload(system, grouped.phases.get(), mood=WORSE_IN_ENGLISH)
    run_batch(CUT_OFF)
    runs = ScoringRun.objects.select_related("split__task__benchmark", "submission__phase")

    compared = score_run(runs.get(split__task__slug="mood"))

    assert compared.items is not None
    said = [CELLS[place] for place in compared.items]
    assert compared.comparison.groups["Language"].cells() == said


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ((",en,", ",de,"), "The column Language, .*, tells 1 groups apart. Expected 2 to 2,000"),
        (("ID,Language", "ID,Lang"), r"gold\.csv, line 1: "),
    ],
)
def test_columns_that_tell_no_groups_apart_are_refused(grouped, change, told):
    with pytest.raises(GoldRefused, match=told):
        load(grouped, GOLD.replace(*change))


def test_small_groups_are_warned_of(grouped):
    (warning,) = load(grouped).warnings

    assert warning.startswith("By the column Language the smallest group has 3 items. With fewer than 50 ")


def test_a_metric_of_a_group_that_no_item_is_in_is_warned_of(sync, gold_keys):
    french, german = (f"in_group[f1_macro,Language,{name}]" for name in ("fr", "de"))
    asked = f"name: '{french}', title: French}}, {{name: '{german}', title: German"

    of_small_groups, warning = load(sync(GROUPED.replace(f"name: '{GAP}', title: Gap", asked))).warnings

    assert "fewer than 50" in of_small_groups
    assert warning.startswith(
        "French is of the group 'fr' of the column Language, and no item of this file is in it."
    )


def test_gold_labels_sealed_elsewhere_bring_their_groups_along(grouped, keypair, spec):
    task = grouped.tasks.get(slug="mood")
    versions = GoldVersion.objects.filter(split__task=task)
    files = read_gold_file(GOLD.encode(), file_name="gold.csv", task=spec.task("mood")).content
    assert files is not None
    of_all = files.gold
    for gold in (of_all, replace(of_all, groups={})):
        sealed = seal_gold(
            replace(files, gold=gold),
            benchmark="toy",
            task=spec.task("mood"),
            split="test",
            public_key=keypair.public,
            clues=(),
        )
        hand_in(task=task, data=sealed.to_bytes(), now=NOW)

    check_deliveries(NOW)

    assert [delivery.status for delivery in SealedDelivery.objects.order_by("pk")] == ["taken", "refused"]
    assert opened_version(versions.latest("pk").pk)[1].groups["Language"].cells() == CELLS


def test_files_beside_a_gold_file_are_scored_by_its_groups(spec):
    answers = "".join(f"m{at},{label}\n" for at, label in enumerate(WORSE_IN_ENGLISH.split(), 1))

    cells: dict[str, Any] = evaluate_file(
        spec,
        spec.task("mood"),
        gold=("mood.csv", GOLD.encode()),
        predictions=("predictions.csv", f"ID,Label\n{answers}".encode()),
    ).document["tasks"]["mood"]["test"]

    of_groups = f1_by_language(WORSE_IN_ENGLISH)
    assert cells[WORST]["value"] == pytest.approx(min(of_groups.values()), abs=1e-12)
    assert cells[WORST]["ci_low"] < cells[WORST]["ci_high"]


def test_files_beside_a_gold_file_that_cannot_be_loaded_are_not_scored(spec):
    with pytest.raises(
        FileRefused, match=r"The column Language, .*, tells 1 groups apart\. Expected 2 to 2,000"
    ):
        evaluate_file(
            spec,
            spec.task("mood"),
            gold=("mood.csv", GOLD.replace(",en,", ",de,").encode()),
            predictions=("predictions.csv", b"ID,Label\n"),
        )


def test_who_checks_public_labels_scores_groups_from_what_the_log_says_of_them(spec):
    gold, answers = (
        {f"m{at}": label for at, label in enumerate(labels, 1)}
        for labels in (LABELS, WORSE_IN_ENGLISH.split())
    )

    made = scores_of(spec.task("mood"), gold, answers, {"Language": CELLS})

    assert made[WORST] == pytest.approx(min(f1_by_language(WORSE_IN_ENGLISH).values()), abs=1e-12)


NAMED = "group_columns: [Language]"
BESIDE = "file: {path: m.csv, id_column: ID, label_column: Label, group_columns: [Label]}, "


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ((NAMED, "group_columns: [Lang]"), "has no column 'Lang'; did you mean 'Language'?"),
        ((NAMED, "group_columns: [Label]"), "'Label' holds the answers; name the column of groups"),
        ((NAMED, "group_columns: []"), f"There is no metric `{WORST}`"),
        ((NAMED, "group_columns: [Language, Language]"), "'Language' is used twice"),
        (("columns: [ID, Language, Label]", "dialect: json"), "means nothing in a file of the dialect"),
        (("test_size: 6, ", f"test_size: 6, {BESIDE}"), "means nothing beside a gold_file"),
    ],
)
def test_definitions_name_columns_that_there_are(change, told):
    assert change[0] in GROUPED
    with pytest.raises(DefinitionError) as refused:
        build_spec(parse_yaml(GROUPED.replace(*change), "toy.yaml"), "toy.yaml")

    assert told in str(refused.value)


def read_in_json_lines(lines: list[str]):
    text = GROUPED.replace("columns: [ID, Language, Label]", "dialect: json_lines").replace(
        "Language", "meta.Language"
    )
    task = build_spec(parse_yaml(text, "toy.yaml"), "toy.yaml").task("mood")
    return read_gold_file("\n".join(lines).encode(), file_name="gold.jsonl", task=task)


def test_groups_stand_in_json_lines_as_texts_numbers_or_nothing():
    found = ['"de"', "2020", "null", '""', '"de"', "2020"]
    lines = [
        f'{{"ID": "m{at}", "meta": {{"Language": {group}}}, "Label": "{label}"}}'
        for at, (group, label) in enumerate(zip(found, LABELS, strict=True), 1)
    ]

    gold = read_in_json_lines(lines).content.gold

    assert gold.groups["meta.Language"].cells() == ["de", "2020", "", "", "de", "2020"]


def test_a_line_without_its_group_is_refused_where_it_stands():
    read = read_in_json_lines(
        ['{"ID": "m1", "Label": "good"}', '{"ID": "m2", "meta": {"Language": ["de"]}, "Label": "bad"}']
    )

    assert [(problem.line, problem.column, problem.code) for problem in read.problems] == [
        (1, "meta.Language", "json_missing_key"),
        (2, "meta.Language", "json_wrong_type"),
    ]


def test_noise_cannot_protect_the_worst_group():
    protected = "counting: best\n    one_per_team: true\n    lasts_days: 28\n    disclosure: protected"
    text = GROUPED.replace("counting: latest", protected).replace("test_size: 6", "test_size: 6000")

    with pytest.raises(DefinitionError, match="Mood is ranked by Worst, which has no such bound"):
        build_spec(parse_yaml(text, "toy.yaml"), "toy.yaml")


def test_other_groups_are_another_task(spec):
    other = replace(spec.task("mood"), gold_file=replace(spec.task("mood").gold, group_columns=()))

    assert other.fingerprint() != spec.task("mood").fingerprint()
