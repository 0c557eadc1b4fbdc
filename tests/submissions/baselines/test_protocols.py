"""Baselines of a benchmark with seeds, an attack set, rows that share a file, and every kind of answer."""

import io
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from benchmarks.models import Benchmark
from benchmarks.services import set_split_ids
from scoring.gold.versions import load_gold
from submissions.models import Predictions, Submission
from tests.conftest import NOW
from tests.people import appoint

DEFINITION = """
id: moods
title: Moods
summary: Every kind of answer.
url: https://example.org/moods
citation: Nobody, 2026.
bundle: {files: any}
seeds: 2
attacks: [{id: spelling, title: Spelling, correct_share: 0.5}]
baselines: [majority, random, svm_unigrams, adaboost]
task_defaults: {summary: "How?", instructions: Say how., licence: CC0, citation: "Nobody, 2026"}
tasks:
  - id: stance
    code: S
    title: Stance
    labels: [against, for]
    file: {path: stance.csv, id_column: id, label_column: label}
    metrics: [{name: f1_macro, title: F1}]
    splits:
      - {id: test, title: Test}
      - {id: spelling, title: Spelling, attack: spelling}
  - id: joy
    code: J
    title: Joy
    output: {kind: number, low: 0, high: 1}
    file:
      path: joy_pred.txt
      dialect: tsv
      columns: [ID, Tweet, Affect, Score]
      id_column: ID
      label_column: Score
      fixed: {Affect: joy}
    metrics: [{name: pearson, title: r}]
    splits:
      - {id: test, title: Test}
      - {id: equity, title: Equity, ids_with: mystery}
  - id: emotions
    code: E
    title: Emotions
    output: {kind: label_subset}
    labels: [anger, joy]
    file: {path: e_pred.txt, dialect: tsv, columns: [ID, Tweet, anger, joy], id_column: ID}
    metrics: [{name: jaccard, title: Jaccard}]
  - id: rumour
    code: R
    title: Rumour
    output: {kind: label_with_confidence}
    labels: ["true", "false"]
    file: {path: answer.json, dialect: json, label_column: subtaskb}
    metrics: [{name: rmse, title: RMSE}]
averages: []
phases:
  - id: main
    title: Main
    cut_off: {weekday: monday, time: "00:00", timezone: UTC}
    quota: {per_cut_off: 1}
    counting: latest
"""
GOLD = {
    "stance": "id,label\ns1,for\ns2,against\n",
    "joy": "ID\tTweet\tAffect\tScore\nj1\t-\tjoy\t0.5\nj2\t-\tjoy\t0.25\nmystery1\t-\tjoy\t0\n",
    "emotions": "ID\tTweet\tanger\tjoy\ne1\t-\t0\t1\ne2\t-\t1\t0\n",
    "rumour": '{"subtaskb": {"r1": "true", "r2": "false"}}',
}
TRAIN = {
    "stance.train.csv": "id,text,label\nt1,yes sure,for\nt2,no never,against\nt3,yes,for\nt4,no,against\nt5,yes,for\n",
    "joy.train.txt": "ID\tTweet\tAffect\tScore\na\tyay\tjoy\t.9\nb\tmeh\tjoy\t.1\nc\tyay\tjoy\t.8\nd\tmeh\tjoy\t.2\n",
    "emotions/train.txt": "ID\tTweet\tanger\tjoy\na\tyay\t0\t1\nb\tgrr\t1\t0\nc\tyay\t0\t1\n",
    "rumour.json": '{"subtaskb": {"a": "false", "b": "false", "c": "true", "d": "false"}}',
}
TEST = {
    "stance.test.csv": "id,text\ns1,yes\ns2,no\n",
    "stance.spelling.csv": "id,text\ns1,no\ns2,yes\n",
    "joy.test.txt": "ID\tTweet\tAffect\tScore\nj1\tyay\tjoy\tNONE\nj2\tmeh\tjoy\tNONE\nmystery1\tyay\tjoy\tNONE\n",
    "emotions/test.txt": "ID\tTweet\tanger\tjoy\ne1\tyay\tNONE\tNONE\ne2\tgrr\tNONE\tNONE\n",
}


@pytest.fixture
def moods(sync, gold_keys, owner) -> Benchmark:
    found: Benchmark = sync(DEFINITION)
    appoint(found, owner)
    for task in found.tasks.all():
        load_gold(task=task, data=GOLD[task.slug].encode(), file_name="gold", now=NOW)
    set_split_ids(task=found.tasks.get(slug="stance"), slug="spelling", ids=["s1", "s2"], tokens=None)
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "train"
    for name, text in (TRAIN | TEST).items():
        (found / name).parent.mkdir(parents=True, exist_ok=True)
        (found / name).write_text(text, encoding="utf-8")
    return found


def make(folder: Path, *arguments: str) -> tuple[str, str]:
    out, err = io.StringIO(), io.StringIO()
    call_command(
        "make_baselines", "moods", f"--train={folder}", "--user=owner@example.org", *arguments,
        stdout=out, stderr=err,
    )  # fmt: skip
    return out.getvalue(), err.getvalue()


def answers(system: str) -> dict[tuple[str, str, int], list[Any]]:
    """What a system answers, by task, split and seed."""
    rows = Predictions.objects.filter(submission__system__name=system).select_related("split__task")
    return {(row.split.task.slug, row.split.slug, row.seed): row.canonical().codes.tolist() for row in rows}


def test_majority_answers_every_split_with_every_seed(moods, folder):
    make(folder, "--only=majority")

    expected = {
        ("stance", "test"): [1, 1],
        ("stance", "spelling"): [1, 1],
        ("joy", "test"): [0.5, 0.5],
        ("joy", "equity"): [0.5],
        ("emotions", "test"): [0b10, 0b10],
        ("rumour", "test"): [(1, 0.75), (1, 0.75)],
    }
    assert answers("Majority") == {
        (*place, seed): found for place, found in expected.items() for seed in (1, 2)
    }


def test_every_seed_guesses_otherwise(moods, folder):
    make(folder, "--only=random")

    found = answers("Random")
    assert found["joy", "test", 1] != found["joy", "test", 2]


def test_a_learner_of_words_reads_the_texts_of_each_split(moods, folder):
    _, err = make(folder, "--only=svm_unigrams")

    found = answers("SVM unigrams")
    assert found["stance", "test", 1] == [1, 0]
    assert found["stance", "spelling", 1] == [0, 1]
    assert found["joy", "test", 1] == pytest.approx([0.85, 0.15], abs=0.2)
    assert found["joy", "equity", 1] == found["joy", "test", 1][:1]
    assert found["emotions", "test", 2] == [0b10, 0b01]
    assert err == "SVM unigrams: rumour asks for answers of a kind that SVM unigrams does not give.\n"


def test_trees_leave_numbers_out_and_say_so(moods, folder):
    _, err = make(folder, "--only=adaboost")

    assert {task for task, _, _ in answers("AdaBoost")} == {"stance", "emotions"}
    assert "AdaBoost: joy asks for answers of a kind that AdaBoost does not give." in err


def test_all_four_fit_in_a_quota_of_one(moods, folder):
    out, _ = make(folder)

    assert Submission.objects.count() == 4
    assert "AdaBoost: submission" in out


def test_a_task_without_a_training_file_is_left_out_where_that_is_asked_for(moods, folder):
    (folder / "rumour.json").unlink()
    with pytest.raises(CommandError, match="rumour has no training file"):
        make(folder, "--only=majority")

    _, err = make(folder, "--only=majority", "--partial")

    assert {task for task, _, _ in answers("Majority")} == {"stance", "joy", "emotions"}
    assert "Left out: rumour has no training file" in err


def test_a_folder_without_any_training_file_is_refused_whatever_may_be_left_out(moods, tmp_path):
    with pytest.raises(CommandError, match="rumour has no training file"):
        make(tmp_path, "--partial")
