"""From candidates and a system's predictions to the files of the next round, on the command line."""

import csv
import io
import json
from itertools import product

import pytest
from django.core.management import CommandError, call_command

from benchmarks.spec.loader import load_definition
from scoring.file_refusal import FileRefused
from scoring.item_sets.next_round import open_round
from scoring.management.commands.evaluate import DEFINITIONS
from tests.conftest import TOY_DEFINITION

LABELS = ("positive", "negative", "neutral")
SPLITS = 'splits: [{id: test, title: Test}, {id: dev, title: Dev, file: "data/{task}/dev.csv"}]'
DEFINITION = TOY_DEFINITION.replace("labels: [bad, good]", f"labels: [{', '.join(LABELS)}], {SPLITS}")
PARTS = ["dev.jsonl", "test.jsonl", "train.jsonl"]


def candidate(name, label, *, others=1, prompt=""):
    """An item on which all but `others` of five workers agree; the others name another category."""
    workers = [f"w{number}" for number in range(5)]
    another = "neutral" if label == "mixed" else "mixed"
    chosen = {label: workers[others:], another: workers[:others]}
    item = {"text_id": name, "sentence": f'It is "{name}", they say.', "label_distribution": chosen}
    return item | ({"prompt": prompt} if prompt else {"has_prompt": True})


CELLS = [(f"c{number:02}", *cell) for number, cell in enumerate([*product(LABELS, LABELS)] * 2)]
"""Id, gold label and prediction: two of each, enough for nine items of dev and nine of test."""
TRAIN = [("t1", "mixed"), ("t2", "neutral"), ("t3", "positive")]


@pytest.fixture(autouse=True)
def toy(sync, gold_keys):
    return sync(DEFINITION)


@pytest.fixture
def folder(tmp_path):
    """Candidates for a round of 9 and 9, further items, and a system's predictions."""
    items = [candidate(name, label) for name, label, _ in CELLS]
    items += [candidate(name, label, others=2) for name, label in TRAIN]
    items.append(candidate("x1", "negative", others=5) | {"label_distribution": disagreement()})
    write_items(tmp_path, items)
    predictions = {name: predicted for name, _, predicted in CELLS} | {name: "neutral" for name, _ in TRAIN}
    write_predictions(tmp_path, predictions | {"x1": "neutral"})
    return tmp_path


def disagreement():
    return {"positive": ["w1", "w2"], "negative": ["w3", "w4"], "neutral": [], "mixed": ["w5"]}


def write_items(folder, items):
    text = "".join(json.dumps(item) + "\n" for item in items)
    (folder / "candidates.jsonl").write_text(text, encoding="utf-8")


def write_predictions(folder, predictions):
    rows = "".join(f"{name},{label}\n" for name, label in predictions.items())
    (folder / "system.csv").write_text(f"ID,Label\n{rows}", encoding="utf-8")


def draw(folder, out="round", *, dev=9, test=9, seed=1, task="mood"):
    output = io.StringIO()
    call_command(
        "draw_round",
        "toy",
        task,
        responses=folder / "candidates.jsonl",
        system=folder / "system.csv",
        dev=dev,
        test=test,
        seed=seed,
        out=folder / out,
        stdout=output,
    )
    return output.getvalue()


def items_of(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_every_item_with_a_majority_lands_in_one_file_with_its_gold_label(folder):
    draw(folder)
    parts = {name: items_of(folder / "round" / name) for name in PARTS}

    assert [len(parts[name]) for name in PARTS] == [9, 9, 3]
    gold = {item["text_id"]: item["gold_label"] for part in parts.values() for item in part}
    assert gold == {name: label for name, label, _ in CELLS} | dict(TRAIN)


def test_a_line_keeps_what_else_the_file_says_of_its_item(folder):
    items = items_of(folder / "candidates.jsonl")
    write_items(folder, [{**item, "has_prompt": True, "gold_label": "mixed"} for item in items])
    draw(folder)

    found = [item for name in PARTS for item in items_of(folder / "round" / name)]
    assert all(item["has_prompt"] for item in found)
    assert [item["gold_label"] for item in found if item["text_id"] == "c00"] == ["positive"]
    own = {item["text_id"]: item["label_distribution"] for item in items}
    assert all(item["label_distribution"] == own[item["text_id"]] for item in found)


@pytest.mark.parametrize("part", ["dev", "test"])
def test_the_texts_of_a_part_have_ids_and_sentences_and_nothing_else(folder, part):
    draw(folder)
    items = items_of(folder / "round" / f"{part}.jsonl")
    with (folder / "round" / f"{part}-texts.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))

    assert rows == [["id", "sentence"], *([item["text_id"], item["sentence"]] for item in items)]


def test_the_command_says_what_was_drawn_and_what_is_in_no_part(folder):
    told = draw(folder).splitlines()

    assert "dev: 9 items (positive 3, negative 3, neutral 3); the system is right on 1 of each" in told[1]
    assert "f1_macro 0.3333, accuracy 0.3333" in told[2]
    assert told[3].startswith("train: 3 items")
    assert told[4].startswith("In no part: 1 item without a majority, and 0 items with the prompt")


def test_the_report_counts_labels_agreement_and_predictions(folder):
    draw(folder)
    report = json.loads((folder / "round" / "report.json").read_text(encoding="utf-8"))

    assert report["candidates"]["categories"]["no majority"] == 1
    assert report["candidates"]["largest"] == {"4": 18, "3": 3, "2": 1}
    assert report["dev"]["predicted"] == {label: dict.fromkeys(LABELS, 1) for label in LABELS}
    # Of the ten pairs of answers for an item six agree; 12 of 45 answers are each label, 9 mixed.
    chance = 3 * (12 / 45) ** 2 + (9 / 45) ** 2
    assert report["dev"]["kappa"] == pytest.approx((0.6 - chance) / (1 - chance), abs=1e-12)
    assert report["test"]["scores"] == pytest.approx({"f1_macro": 1 / 3, "accuracy": 1 / 3}, abs=1e-12)
    assert report["seed"] == 1


def test_the_files_of_one_seed_are_the_same_whatever_the_order_of_the_lines(folder):
    draw(folder, "first")
    write_items(folder, items_of(folder / "candidates.jsonl")[::-1])
    draw(folder, "again")
    draw(folder, "other", seed=2)

    read = {
        name: [(folder / name / part).read_bytes() for part in PARTS] for name in ("first", "again", "other")
    }
    assert read["first"] == read["again"] != read["other"]


def test_an_item_that_shares_its_prompt_with_one_of_dev_or_test_is_in_no_file(folder):
    items = items_of(folder / "candidates.jsonl")
    alike = {"c00", "t2"}
    write_items(
        folder, [{**item, "prompt": "The soup."} if item["text_id"] in alike else item for item in items]
    )
    told = draw(folder)

    assert "and 1 item with the prompt of an item of dev or test" in told
    assert [item["text_id"] for item in items_of(folder / "round" / "train.jsonl")] == ["t1", "t3"]
    assert json.loads((folder / "round" / "report.json").read_text())["set_aside"] == ["t2"]


def test_an_item_without_a_prompt_is_for_training_and_its_line_stays_as_it_was(folder):
    items = items_of(folder / "candidates.jsonl")
    more = candidate("c00-too", CELLS[0][1]) | {"has_prompt": False}
    write_items(folder, [*items, more])
    with (folder / "system.csv").open("a", encoding="utf-8") as file:
        file.write(f"c00-too,{CELLS[0][2]}\n")
    draw(folder)

    train = {item["text_id"]: item for item in items_of(folder / "round" / "train.jsonl")}
    assert train["c00-too"] == more | {"gold_label": CELLS[0][1]}


def test_of_candidates_without_prompts_nothing_is_drawn(folder):
    items = items_of(folder / "candidates.jsonl")
    write_items(folder, [item | {"has_prompt": False} for item in items])
    with pytest.raises(CommandError) as told:
        draw(folder)

    lines = str(told.value).splitlines()
    assert lines[2] == (
        "positive: 0 items with a prompt that the system gets right, and 2 are needed: 2 short. "
        "2 more were written without a prompt."
    )
    assert lines[-1] == "Collect more of these."


def test_a_shortage_is_told_with_what_is_there_and_needed_and_writes_nothing(folder):
    with pytest.raises(CommandError) as told:
        draw(folder, dev=18)

    lines = str(told.value).splitlines()
    assert lines[0] == "No round was drawn."
    assert (
        lines[2] == "positive: 2 items with a prompt that the system gets right, and 3 are needed: 1 short."
    )
    assert (
        lines[3] == "positive: 4 items with a prompt that the system gets wrong, and 6 are needed: 2 short."
    )
    assert lines[-1].endswith("dev and test together can have 18 items.")
    assert not (folder / "round").exists()


def test_a_size_that_cannot_be_at_chance_is_refused_with_the_nearest(folder):
    with pytest.raises(CommandError, match=r"dev cannot have 10 items.*a multiple of 9\. Nearest: 9 and 18."):
        draw(folder, dev=10)


def test_a_negative_seed_is_refused(folder):
    with pytest.raises(CommandError, match=r"The seed is -1; it must be 0 or more."):
        draw(folder, seed=-1)


def test_nothing_is_overwritten(folder):
    draw(folder)
    before = (folder / "round" / "dev.jsonl").read_bytes()

    with pytest.raises(CommandError, match=r"is there already\. Nothing is overwritten"):
        draw(folder, seed=2)
    assert (folder / "round" / "dev.jsonl").read_bytes() == before


def test_an_empty_folder_may_be_there(folder):
    (folder / "round").mkdir()
    draw(folder)

    assert {path.name for path in (folder / "round").iterdir()} >= set(PARTS)


def test_faults_of_either_file_are_told_with_their_line(folder):
    text = (folder / "candidates.jsonl").read_text()
    (folder / "candidates.jsonl").write_text(text.replace('"c04"', '"c03"'))
    with pytest.raises(CommandError, match=r"candidates\.jsonl, line 5, column text_id"):
        draw(folder)

    (folder / "candidates.jsonl").write_text(text)
    rows = (folder / "system.csv").read_text()
    (folder / "system.csv").write_text(rows.replace("c02,neutral", "c02,Neutral"))
    with pytest.raises(CommandError, match=r"system\.csv, line 4, column Label"):
        draw(folder)


def test_a_system_that_left_out_an_item_is_told_which(folder):
    rows = (folder / "system.csv").read_text()
    (folder / "system.csv").write_text(rows.replace("c02,neutral\n", ""))

    with pytest.raises(CommandError, match="c02"):
        draw(folder)


def test_a_file_that_is_not_there_is_told(folder):
    (folder / "system.csv").unlink()

    with pytest.raises(CommandError, match=r"system\.csv cannot be read: No such file"):
        draw(folder)


def test_a_task_whose_answers_are_no_labels_has_no_rounds(folder):
    with pytest.raises(
        FileRefused, match="EI-reg-en-joy: rounds are drawn only where an answer is one label"
    ):
        opened(definition("ait2018").task("EI-reg-en-joy"), b"", b"")


def test_dev_and_test_can_be_loaded_as_a_split_with_its_texts(folder, toy):
    draw(folder)
    for part in ("dev", "test"):
        call_command(
            "load_responses", "toy", "mood", part, folder / "round" / f"{part}.jsonl", stdout=io.StringIO()
        )
        texts = folder / "round" / f"{part}-texts.csv"
        call_command("load_texts", "toy", "mood", texts, split=part, stdout=io.StringIO())

    splits = toy.tasks.get(slug="mood").splits.all()
    assert {split.slug: split.texts.item_count for split in splits} == {"dev": 9, "test": 9}


def definition(name):
    path = DEFINITIONS / f"{name}.yaml"
    return load_definition(path.read_text(encoding="utf-8"), path.name)


def opened(task, responses, predictions, **sizes):
    return open_round(
        task=task,
        responses=("candidates.jsonl", responses),
        predictions=("system.csv", predictions),
        size_dev=sizes.get("dev", 720),
        size_test=sizes.get("test", 720),
        seed=1,
    )


@pytest.mark.cases
def test_the_items_of_the_real_second_round_make_one_on_which_model_1_is_at_chance(cases):
    case = cases / "dynasent_v1_1"
    responses = [
        (case / "gold" / f"dynasent-v1.1-round02-dynabench-{part}.jsonl").read_bytes()
        for part in ("dev", "test")
    ]
    dev, test = (
        (case / "predictions" / f"round2_{part}.model_1.csv").read_bytes() for part in ("dev", "test")
    )
    drawn = opened(definition("dynasent").task("round2"), b"".join(responses), dev + test.partition(b"\n")[2])

    for part in ("dev", "test"):
        # The published parts need every one of the 1,440 items, and so must these.
        assert drawn.report[part]["items"] == 720
        assert drawn.report[part]["scores"] == pytest.approx(
            dict.fromkeys(drawn.report[part]["scores"], 1 / 3), abs=1e-12
        )
    assert drawn.files["train.jsonl"] == b""
    stated = {
        item["text_id"]: item["gold_label"] for item in map(json.loads, b"".join(responses).splitlines())
    }
    found = [
        json.loads(line) for part in ("dev", "test") for line in drawn.files[f"{part}.jsonl"].splitlines()
    ]
    assert {item["text_id"]: item["gold_label"] for item in found} == stated
