"""Loading responses: gold labels are inferred and sealed, and what stays readable is counted."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from benchmarks.models import Benchmark, Task
from scoring.file_refusal import FileRefused
from scoring.gold.responses import LoadedResponses, load_responses
from scoring.gold.versions import load_gold
from scoring.models import GoldVersion, ResponseSet
from submissions.intake.sealing import (
    GoldDamagedError,
    KeyPair,
    KeyWrongError,
    generate_keypair,
    open_file,
    open_sealed,
)
from submissions.models import System
from submissions.services import PredictionUpload, submit_predictions
from tests.conftest import NOW
from tests.dump import database_dump
from tests.responses import DEFINITION, labelled, responses_of

ROUND = responses_of(
    ("i1", "ppppo"), ("i2", "nnnpp"), ("i3", "ooooo"), ("i4", "mmmpo"), ("i5", "ppnno"), ("i6", "pppnm")
)
DEFINITIONS = Path(__file__).parents[2] / "benchmarks" / "definitions"


@pytest.fixture
def task(sync: Any, gold_keys: KeyPair) -> Task:
    benchmark: Benchmark = sync(DEFINITION)
    return benchmark.tasks.get(slug="round1")


@pytest.fixture
def dynasent(sync: Any, gold_keys: KeyPair) -> Benchmark:
    found: Benchmark = sync((DEFINITIONS / "dynasent.yaml").read_text("utf-8"))
    return found


def load(task: Task, data: bytes = ROUND, split: str = "test", **more: Any) -> LoadedResponses:
    return load_responses(task=task, split_slug=split, data=data, file_name="round.jsonl", now=NOW, **more)


def gold_of(version: GoldVersion, key: KeyPair) -> dict[str, str]:
    gold = open_sealed(bytes(version.sealed.ciphertext), key.private, version.commitment)
    return {item: gold.labels[code] for item, code in zip(gold.ids, gold.codes, strict=True)}


def test_gold_is_what_three_of_five_say_where_that_is_a_label(task, keypair):
    loaded = load(task)
    assert gold_of(GoldVersion.objects.get(), keypair) == {
        "i1": "positive",
        "i2": "negative",
        "i3": "neutral",
        "i6": "positive",
    }
    assert loaded.responses.item_count - loaded.responses.human["items"] == 2
    assert loaded.responses.gold_version == GoldVersion.objects.get()


def test_what_is_kept_readable_is_counted_over_all_items(task):
    report = load(task).responses.report
    assert report == {
        "items": 6,
        "classes": {"positive": 2, "negative": 1, "neutral": 1, "mixed": 1, "no majority": 1},
        "responses": {"positive": 12, "negative": 6, "neutral": 8, "mixed": 4},
        "largest": {"5": 1, "4": 1, "3": 3, "2": 1},
        "kappa": pytest.approx(1 / 4),
        "workers": [
            {"worker": f"w{number}", "responses": 6, "compared": 5, "agreed": agreed}
            for number, agreed in enumerate([5, 5, 5, 2, 1], start=1)
        ],
        "never_disagreeing": 0.6,
        "beyond_rule": [],
        "to_collect_again": [],
    }


def test_counts_keep_their_order(task):
    load(task)
    report = ResponseSet.objects.get().report
    assert list(report["classes"]) == ["positive", "negative", "neutral", "mixed", "no majority"]


@pytest.mark.parametrize(
    ("name", "split", "file"),
    [
        ("round1", "test", "dynasent-v1.1-round01-yelp-test"),
        ("round2", "dev", "dynasent-v1.1-round02-dynabench-dev"),
        ("round2", "test", "dynasent-v1.1-round02-dynabench-test"),
    ],
)
def test_the_real_rounds_have_the_published_agreement_and_estimate(dynasent, cases: Path, name, split, file):
    folder = cases / "dynasent_v1_1"
    expected = json.loads((folder / "expected.json").read_text("utf-8"))[f"{name}_{split}"]
    data = (folder / "gold" / f"{file}.jsonl").read_bytes()

    loaded = load(dynasent.tasks.get(slug=name), data, split)

    found = loaded.responses
    assert loaded.responses.item_count == loaded.responses.human["items"]
    assert loaded.warnings == ()
    assert found.report["kappa"] == pytest.approx(expected["fleiss_kappa_4cats"], abs=1e-9)
    estimate = expected["human_estimate_random_state_1"]
    for label, scores in {**found.human["labels"], "Macro avg": found.human["macro"]}.items():
        for measure, value in (("precision", "precision"), ("recall", "recall"), ("f1", "F1")):
            assert scores[measure] == pytest.approx(estimate[label][value], abs=1e-9)
    assert found.report["classes"] | {"mixed": 0, "no majority": 0} == found.report["classes"]


def test_the_gold_of_a_real_round_is_that_which_its_file_states(dynasent, cases: Path, keypair):
    path = cases / "dynasent_v1_1" / "gold" / "dynasent-v1.1-round02-dynabench-test.jsonl"
    loaded = load(dynasent.tasks.get(slug="round2"), path.read_bytes())
    stated = {
        one["text_id"]: one["gold_label"] for one in map(json.loads, path.read_text("utf-8").splitlines())
    }
    assert gold_of(loaded.responses.gold_version, keypair) == stated


def test_the_file_can_be_opened_with_the_private_key_alone(task, keypair):
    found = load(task).responses
    sealed = bytes(ResponseSet.objects.get().sealed)
    assert open_file(sealed, keypair.private, found.commitment) == ROUND
    with pytest.raises(KeyWrongError):
        open_file(sealed, generate_keypair().private, found.commitment)
    with pytest.raises(GoldDamagedError):
        open_file(sealed, keypair.private, "0" * 64)


def test_the_length_of_the_sealed_file_does_not_follow_its_content(task):
    first, second = load(task).responses, load(task, ROUND.replace(b"Something.", b"Some.")).responses
    assert len(first.sealed) == len(second.sealed)


def test_a_dump_of_the_database_says_nothing_of_an_item_but_its_id(task):
    sentence, worker = b"kanarienvogel", b"w5"
    load(task, responses_of(*[(f"i{number}", "ppppo") for number in range(9)], text=sentence.decode()))
    dump = database_dump()
    assert sentence not in dump
    assert worker in dump  # its counts stand there, so the dump is one


def test_two_files_with_the_same_counts_cannot_be_told_apart(task):
    """Which item has which label: all readable columns are the same, whichever way round."""
    one, other = (
        load(task, responses_of(*items)).responses
        for items in (
            [("i1", "ppppp"), ("i2", "nnnnn"), ("i3", "ooooo")],
            [("i1", "nnnnn"), ("i2", "ooooo"), ("i3", "ppppp")],
        )
    )
    for name in ("item_count", "response_count", "report", "human", "file_name", "key_fingerprint"):
        assert getattr(one, name) == getattr(other, name)


def test_a_faulty_file_is_refused_with_its_line_and_changes_nothing(task):
    with pytest.raises(FileRefused) as refused:
        load(task, ROUND.replace(b'["w4"]', b'["w1"]'))
    assert "round.jsonl, line 4, column label_distribution: The worker “w1” answers this item twice." in str(
        refused.value
    )
    assert not ResponseSet.objects.exists()
    assert not GoldVersion.objects.exists()


def test_a_file_without_a_majority_on_a_label_is_refused(task):
    with pytest.raises(FileRefused, match="No item has at least 3 responses for one of the labels"):
        load(task, responses_of(("i1", "mmmpp"), ("i2", "ppnno")))


def test_a_task_whose_answers_are_no_labels_is_refused(task):
    with pytest.raises(FileRefused, match="one label of a set"):
        load(task.benchmark.tasks.get(slug="size"))


def test_an_unknown_split_is_refused_with_those_there_are(task):
    with pytest.raises(FileRefused, match="These have: test, dev"):
        load(task, split="train")


def test_without_a_key_nothing_is_loaded(task, settings):
    settings.GOLD_PUBLIC_KEY = ""
    with pytest.raises(FileRefused, match="HELDOUT_GOLD_PUBLIC_KEY"):
        load(task)


def test_stated_gold_that_differs_is_told_by_its_id(task):
    data = ROUND.replace(b'"text_id": "i3"', b'"gold_label": "mixed", "text_id": "i3"')
    (warning,) = [one for one in load(task, data).warnings if "another gold label" in one]
    assert warning == "1 item states another gold label than the responses give, which count here: i3."


def test_a_second_file_is_the_next_version_and_current(task):
    load(task)
    second = load(task).responses
    assert (second.number, second.gold_version.number) == (2, 2)
    assert list(ResponseSet.objects.current()) == [second]


def test_gold_labels_from_elsewhere_end_the_estimate(task):
    load(task)
    load_gold(task=task, data=labelled([("i1", "positive")]), file_name="g.csv", now=NOW)
    assert not ResponseSet.objects.current().exists()


def test_once_predictions_are_there_other_ids_are_refused_and_nothing_changes(task, system: System):
    load(task)
    phase = task.benchmark.phases.get()
    answers = labelled([(item, "positive") for item in ("i1", "i2", "i3", "i6")])
    submit_predictions(
        PredictionUpload(
            system=system,
            phase=phase,
            user=system.team.members.get(),
            data=answers,
            file_name="round1_test.csv",
            task="round1",
            received_at=NOW,
        )
    )
    with pytest.raises(FileRefused, match="its ids are fixed"):
        load(task, responses_of(("i1", "ppppp")))
    assert ResponseSet.objects.count() == 1


# On the command line


def test_the_command_says_what_was_loaded(task, tmp_path, capsys):
    path = tmp_path / "round.jsonl"
    path.write_bytes(ROUND)
    call_command("load_responses", "toy", "round1", "dev", str(path))
    told = capsys.readouterr().out
    assert "dev responses 1: gold labels of 4 items of 6 were inferred and sealed" in told
    assert "Fleiss kappa 0.250" in told


def test_the_command_tells_the_line_of_a_fault(task, tmp_path):
    path = tmp_path / "round.jsonl"
    path.write_bytes(ROUND + b"[]\n")
    with pytest.raises(CommandError, match=r"round.jsonl, line 7"):
        call_command("load_responses", "toy", "round1", "test", str(path))


def test_the_command_tells_of_a_file_that_is_not_there(task, tmp_path):
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("load_responses", "toy", "round1", "test", str(tmp_path / "none.jsonl"))
