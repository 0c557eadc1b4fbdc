"""Items without a gold label are asked for and not scored; which these are stays sealed."""

from collections.abc import Callable

import pytest

from benchmarks.models import Benchmark, Split, Task
from benchmarks.spec.document import DefinitionError, parse_yaml
from benchmarks.spec.loader import build_spec
from catalogue.problems import ProblemCode
from leaderboard.ledger.accounts import keep_ledger
from leaderboard.models import LedgerEntry, Page
from scoring.file_refusal import FileRefused
from scoring.gold.alignment import opened_version
from scoring.gold.deliveries import check_deliveries, hand_in
from scoring.gold.opening import labels_of, open_gold
from scoring.gold.versions import GoldRefused, load_gold
from scoring.models import GoldVersion, ScoringRun, SealedDelivery
from scoring.reproduction.evaluation import evaluate_file
from submissions.exceptions import UploadRefused
from submissions.intake import read_gold_file
from submissions.intake.sealing import KeyPair
from submissions.intake.tables.sealed_gold import seal_gold
from tests.conftest import NOW, TOY_DEFINITION, TOY_GOLD
from tests.weeks import CUT_OFF, run_batch, upload

UNSCORED = TOY_DEFINITION.replace(
    "test_size: 6,",
    "test_size: 6, gold_file: {path: mood.csv, id_column: ID, label_column: Label, empty_labels: unscored},",
)
GOLD = b"ID,Label\nm1,good\nm2,good\nm3,\nm4,bad\nm5,good\nm6,\n"
SCORED = ("m1", "m2", "m4", "m5")
ONE_OF_FOUR_WRONG = "good good good bad bad good"  # and both that are not scored


@pytest.fixture
def toy_with_unscored(sync: Callable[[str], Benchmark], gold_keys: KeyPair) -> Benchmark:
    """The toy benchmark, in which two of six moods have no label."""
    benchmark = sync(UNSCORED)
    load(benchmark.tasks.get(slug="mood"), GOLD)
    load(benchmark.tasks.get(slug="colour"), TOY_GOLD["colour"])
    return benchmark


def load(task: Task, data: bytes) -> GoldVersion:
    return load_gold(task=task, data=data, file_name="gold.csv", now=NOW).version


def mood_run() -> ScoringRun:
    return ScoringRun.objects.filter(split__task__slug="mood").latest("pk")


def values_of(run: ScoringRun) -> dict[str, float | None]:
    return {score.metric: score.value for score in run.scores.all()}


def test_all_items_are_asked_for_and_those_with_labels_are_sealed(toy_with_unscored):
    split = Split.objects.get(task__slug="mood")
    version = GoldVersion.objects.get(split=split)

    assert split.item_count == 6
    assert version.item_count == 4
    assert sorted(opened_version(version.pk)[1].ids) == sorted(SCORED)


def test_whoever_loads_labels_is_told_how_many_items_are_not_scored(sync, gold_keys):
    mood = sync(UNSCORED).tasks.get(slug="mood")
    loaded = load_gold(task=mood, data=GOLD, file_name="gold.csv", now=NOW)

    assert loaded.items_in_words == "4 items with labels, and 2 that are not scored"


def test_a_system_is_scored_on_the_items_with_labels_alone(toy_with_unscored, system, phase):
    upload(system, phase, mood=ONE_OF_FOUR_WRONG)
    run_batch(CUT_OFF)

    assert mood_run().item_count == 4
    assert values_of(mood_run())["accuracy"] == 0.75


def test_a_file_scored_by_hand_gets_the_same_numbers(toy_with_unscored, system, phase):
    upload(system, phase, mood=ONE_OF_FOUR_WRONG)
    run_batch(CUT_OFF)
    rows = [f"m{at},{label}" for at, label in enumerate(ONE_OF_FOUR_WRONG.split(), start=1)]
    told = evaluate_file(
        toy_with_unscored.spec,
        toy_with_unscored.spec.task("mood"),
        gold=("mood.csv", GOLD),
        predictions=("predictions.csv", "\n".join(["ID,Label", *rows, ""]).encode()),
    )

    cells = told.document["tasks"]["mood"]["test"]
    assert {name: cells[name]["value"] for name in ("f1_macro", "accuracy")} == values_of(mood_run())


def test_an_answer_without_an_unscored_item_is_refused(toy_with_unscored, system, phase):
    """Who is not told which items are scored has to answer all."""
    with pytest.raises(UploadRefused) as refused:
        upload(system, phase, mood="good good bad bad good")

    assert [problem.code for problem in refused.value.result.problems] == [ProblemCode.MISSING_IDS]


def test_the_task_page_says_how_many_are_scored_and_not_which(toy_with_unscored, system, phase):
    upload(system, phase)
    run_batch(CUT_OFF)
    page = bytes(Page.objects.get(pk="/benchmarks/toy/tasks/mood/").body).decode()

    assert "<dd>6<small>4 of them" in page
    assert "one row for each of the 6 test items" in " ".join(page.split())
    assert "of them" not in bytes(Page.objects.get(pk="/benchmarks/toy/tasks/colour/").body).decode()


def test_labels_taken_away_later_are_scored_no_more(toy_with_unscored, system, phase):
    """The ids stay, so that a correction may take labels away or bring them."""
    upload(system, phase, mood=ONE_OF_FOUR_WRONG)
    run_batch(CUT_OFF)
    load(
        toy_with_unscored.tasks.get(slug="mood"), GOLD.replace(b"m5,good", b"m5,").replace(b"m6,", b"m6,bad")
    )
    run_batch(CUT_OFF.replace(day=30))

    assert mood_run().item_count == 4
    assert values_of(mood_run())["accuracy"] == 0.75
    assert mood_run().gold_version.number == 2


def test_other_ids_are_refused_once_there_are_predictions(toy_with_unscored, system, phase):
    upload(system, phase)
    for other in (GOLD.replace(b"m6,\n", b""), GOLD + b"m7,\n"):
        with pytest.raises(GoldRefused, match="ids are fixed"):
            load(toy_with_unscored.tasks.get(slug="mood"), other)


def test_the_ledger_counts_the_labels_that_there_are(toy_with_unscored, system, phase):
    upload(system, phase)
    run_batch(CUT_OFF)
    keep_ledger()
    entry = LedgerEntry.objects.get(task__slug="mood")

    assert entry.label_bits == 4


def test_opened_labels_are_those_of_scored_items(toy_with_unscored):
    version = GoldVersion.objects.get(split__task__slug="mood")

    assert sorted(labels_of(open_gold(version=version, now=NOW))) == sorted(SCORED)


def test_a_box_sealed_elsewhere_may_hold_fewer_labels_than_there_are_ids(sync, gold_keys, keypair):
    task = sync(UNSCORED).tasks.get(slug="mood")
    read = read_gold_file(GOLD, file_name="mood.csv", task=task.spec)
    assert read.content is not None
    sealed = seal_gold(
        read.content, benchmark="toy", task=task.spec, split="test", public_key=keypair.public, clues=()
    )
    hand_in(task=task, data=sealed.to_bytes(), now=NOW)
    (delivery,) = check_deliveries(NOW)

    assert delivery.status == SealedDelivery.Status.TAKEN
    assert Split.objects.get(task=task).item_count == 6
    assert GoldVersion.objects.get().item_count == 4


def test_such_a_box_is_refused_where_the_definition_does_not_say_so(sync, gold_keys, keypair):
    task = sync(UNSCORED).tasks.get(slug="mood")
    read = read_gold_file(GOLD, file_name="mood.csv", task=task.spec)
    assert read.content is not None
    sealed = seal_gold(
        read.content, benchmark="toy", task=task.spec, split="test", public_key=keypair.public, clues=()
    )
    plain = sync(TOY_DEFINITION).tasks.get(slug="mood")
    hand_in(task=plain, data=sealed.to_bytes(), now=NOW)
    (delivery,) = check_deliveries(NOW)

    assert delivery.fault == SealedDelivery.Fault.OTHER_IDS


@pytest.mark.parametrize(
    ("rows", "line"),
    [
        pytest.param(b"m1,good\nm2,bad\nm1,\n", 4, id="first with a label, then without"),
        pytest.param(b"m1,\nm2,bad\nm1,good\n", 4, id="first without a label, then with one"),
        pytest.param(b"m1,\nm2,bad\nm1,\n", 4, id="twice without"),
        pytest.param(b"m1,good\nm2, \n", 3, id="a blank is no empty label"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(sync, gold_keys, rows, line):
    task = sync(UNSCORED).tasks.get(slug="mood")

    with pytest.raises(GoldRefused, match=f"line {line}"):
        load(task, b"ID,Label\n" + rows)


def test_the_task_page_counts_the_items_where_the_definition_does_not(sync, gold_keys, system):
    toy = sync(UNSCORED.replace("test_size: 6, ", ""))
    load(toy.tasks.get(slug="mood"), GOLD)
    load(toy.tasks.get(slug="colour"), TOY_GOLD["colour"])
    upload(system, toy.phases.get())
    run_batch(CUT_OFF)
    page = " ".join(bytes(Page.objects.get(pk="/benchmarks/toy/tasks/mood/").body).decode().split())

    assert "<dd>6<small>4 of them" in page
    assert "one row for each of the 6 test items" in page


def test_a_file_without_any_label_is_refused(sync, gold_keys):
    with pytest.raises(GoldRefused):
        load(sync(UNSCORED).tasks.get(slug="mood"), b"ID,Label\nm1,\nm2,\n")


def test_elsewhere_an_empty_label_is_a_mistake(sync, gold_keys):
    with pytest.raises(FileRefused, match="line 4"):
        load(sync(TOY_DEFINITION).tasks.get(slug="mood"), GOLD)


@pytest.mark.parametrize("rule", ["protected", "open"])
def test_a_rule_that_keeps_items_back_is_refused(rule):
    """Its thresholds and budgets go by the items that are asked for, and its page by those that are scored."""
    phase = f"counting: best\n    one_per_team: true\n    lasts_days: 28\n    disclosure: {rule}"
    definition = UNSCORED.replace("counting: latest", phase)
    assert definition != UNSCORED

    with pytest.raises(DefinitionError, match="and here some are not scored"):
        build_spec(parse_yaml(definition, "toy.yaml"), "toy.yaml")


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("empty_labels: unscored", "empty_labels: skipped", "expected one of unscored"),
        (
            "empty_labels: unscored",
            'also_written: {"": bad}, empty_labels: unscored',
            "an empty cell is an answer already",
        ),
        ('summary: "Good or bad?",', 'summary: "Good or bad?", pairs: _,', "both items of a pair are scored"),
        (
            "label_column: Label, empty_labels",
            "label_column: Label, dialect: json, empty_labels",
            "means nothing in a file of the dialect",
        ),
    ],
)
def test_what_cannot_be_said_is_refused(old, new, told):
    with pytest.raises(DefinitionError, match=told):
        build_spec(parse_yaml(UNSCORED.replace(old, new), "toy.yaml"), "toy.yaml")
