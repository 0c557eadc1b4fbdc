"""`manage.py evaluate` on small files: what it prints, when it exits with 1, and that it asks no database."""

import gzip
import io
import json
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

HEADER = "ID\tTweet\tAffect Dimension\tIntensity Score\n"
GOLD = {
    emotion: HEADER + "".join(f"t{place}\t-\t{emotion}\t{value}\n" for place, value in enumerate(values))
    for emotion, values in {
        "anger": (0.1, 0.5, 0.9), "fear": (0.2, 0.4, 0.8), "joy": (0.9, 0.1, 0.3), "sadness": (0.5, 0.6, 0.1),
    }.items()
}  # fmt: skip


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """Gold labels of the four English emotions, and perfect predictions."""
    gold, predictions = tmp_path / "gold", tmp_path / "predictions"
    gold.mkdir()
    predictions.mkdir()
    for emotion, text in GOLD.items():
        (gold / f"2018-EI-reg-En-{emotion}-gold.txt").write_text(text)
        (predictions / f"EI-reg_en_{emotion}_pred.txt").write_text(text)
    return gold, predictions


def run(*arguments: object, status: int = 0) -> tuple[str, str]:
    """What the command writes to its two outputs; it must end with that status."""
    out, err = io.StringIO(), io.StringIO()
    expected = pytest.raises(SystemExit) if status else nullcontext()
    with expected as exit_:
        call_command("evaluate", *map(str, arguments), stdout=out, stderr=err)
    assert exit_ is None or exit_.value.code == status
    return out.getvalue(), err.getvalue()


def as_json(*arguments: object, status: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(*arguments, "--json", status=status)[0])
    return found


def test_a_folder_is_scored_with_its_averages(folders):
    gold, predictions = folders
    found = as_json("ait2018", "--gold", gold, "--predictions", predictions)
    assert found["benchmark"] == "ait2018"
    anger = found["tasks"]["EI-reg-en-anger"]["test"]["pearson"]
    assert (anger["value"], anger["undefined"], anger["ci_high"]) == (1.0, None, 1.0)
    assert -1 <= anger["ci_low"] < 1
    assert found["aggregates"]["EI-reg-en"]["value"] == 1.0
    assert found["aggregates"]["EI-reg-es"]["undefined"] == "missing_task"


def test_a_value_that_does_not_exist_is_null_with_its_reason(folders):
    gold, predictions = folders
    file = gold / "2018-EI-reg-En-joy-gold.txt"
    file.write_text(file.read_text().replace("0.9", "0.4"))
    (predictions / "EI-reg_en_joy_pred.txt").write_text(file.read_text())
    found = as_json("ait2018", "EI-reg-en-joy", "--gold", gold, "--predictions", predictions)
    cell = found["tasks"]["EI-reg-en-joy"]["test"]["pearson_gold_ge_0.5"]
    assert cell == {"value": None, "undefined": "too_few_items"}


def test_a_bottom_line_with_a_missing_emotion_has_no_value(folders):
    gold, predictions = folders
    (predictions / "EI-reg_en_joy_pred.txt").unlink()
    found = as_json("ait2018", "--gold", gold, "--predictions", predictions)
    assert found["aggregates"]["EI-reg-en"]["undefined"] == "missing_task"
    assert "EI-reg-en-joy" not in found["tasks"]


def test_a_refused_file_ends_with_status_1_and_its_problems(folders):
    gold, predictions = folders
    (predictions / "EI-reg_en_joy_pred.txt").write_text(GOLD["joy"].replace("0.1", "nan"))
    found = as_json("ait2018", "--gold", gold, "--predictions", predictions, status=1)
    assert set(found) == {"problems", "more"}
    (problem,) = found["problems"]
    assert set(problem) == {"file", "line", "column", "code", "found", "expected", "message"}
    assert (problem["file"], problem["line"], problem["code"]) == (
        "EI-reg_en_joy_pred.txt",
        3,
        "number_not_finite",
    )


def test_a_refused_file_is_explained_in_words_without_json(folders):
    gold, predictions = folders
    (predictions / "EI-reg_en_joy_pred.txt").write_text(GOLD["joy"].replace("0.1", "nan"))
    _, err = run("ait2018", "--gold", gold, "--predictions", predictions, status=1)
    assert err.startswith(
        "EI-reg_en_joy_pred.txt, line 3, column Intensity Score: “nan” is not a finite number"
    )


def test_a_refused_gold_file_ends_with_status_1(folders):
    gold, predictions = folders
    (gold / "2018-EI-reg-En-joy-gold.txt").write_text(GOLD["joy"] + "t0\t-\tjoy\t0.5\n")
    (problem,) = as_json("ait2018", "--gold", gold, "--predictions", predictions, status=1)["problems"]
    assert (problem["code"], problem["line"]) == ("duplicate_id", 5)


def test_a_score_that_items_can_move_comes_with_its_interval(folders):
    gold, predictions = folders
    (predictions / "EI-reg_en_joy_pred.txt").write_text(GOLD["joy"].replace("0.1", "0.6"))

    found = as_json("ait2018", "--gold", gold, "--predictions", predictions)
    out, _ = run("ait2018", "--gold", gold, "--predictions", predictions)

    cell = found["tasks"]["EI-reg-en-joy"]["test"]["pearson"]
    assert cell["ci_low"] < cell["value"] < cell["ci_high"]
    assert f"[{cell['ci_low']:.4f}, {cell['ci_high']:.4f}]" in out


def test_words_are_printed_without_json(folders):
    gold, predictions = folders
    out, err = run("ait2018", "--gold", gold, "--predictions", predictions)
    assert "1.0000000000" in out
    assert "undefined (missing_task)" in out
    assert "there are no gold labels" in err


def test_single_files_go_with_a_task(folders):
    gold, predictions = folders
    files = (
        "--gold", gold / "2018-EI-reg-En-joy-gold.txt",
        "--predictions", predictions / "EI-reg_en_joy_pred.txt",
    )  # fmt: skip
    assert as_json("ait2018", "EI-reg-en-joy", *files)["aggregates"] == {}
    with pytest.raises(CommandError, match="name the task"):
        run("ait2018", *files)


def test_a_file_with_rows_of_the_equity_corpus_is_scored_without_them(folders):
    gold, predictions = folders
    extra = "2018-En-mystery-00001\t-\tjoy\t0.0\n"
    (gold / "2018-EI-reg-En-joy-gold.txt").write_text(GOLD["joy"] + extra)
    (predictions / "EI-reg_en_joy_pred.txt").write_text(GOLD["joy"] + extra.replace("0.0", "0.77"))
    found = as_json("ait2018", "EI-reg-en-joy", "--gold", gold, "--predictions", predictions)
    assert found["tasks"]["EI-reg-en-joy"]["test"]["pearson"]["value"] == 1.0


def test_pairs_are_counted_where_they_are_asked_for(tmp_path):
    gold, found = tmp_path / "gold.csv", tmp_path / "found.csv"
    gold.write_text("id,label\n1_a,PRO\n1_b,CON\n2_a,PRO\n2_b,CON\n3_a,PRO\n3_b,CON\n")
    found.write_text("id,label\n1_a,PRO\n1_b,CON\n2_a,PRO\n2_b,PRO\n3_a,CON\n3_b,PRO\n")
    files = ("stance", "ibmcs", "--gold", gold, "--predictions", found)
    assert "pairs_both" not in as_json(*files)["tasks"]["ibmcs"]["test"]
    values = as_json(*files, "--pairs")["tasks"]["ibmcs"]["test"]
    assert [values[name]["value"] for name in ("pairs_both", "pairs_broken", "pairs_none")] == [1, 1, 1]
    assert values["pairs_broken_share"]["value"] == pytest.approx(1 / 3)


def test_an_item_without_partner_leaves_the_pairs_undefined(tmp_path):
    gold = tmp_path / "gold.csv"
    gold.write_text("id,label\n1_a,PRO\n1_b,CON\n2_a,PRO\n")
    values = as_json("stance", "ibmcs", "--gold", gold, "--predictions", gold, "--pairs")["tasks"]["ibmcs"][
        "test"
    ]
    assert values["pairs_broken"] == {"value": None, "undefined": "unpaired_item"}


def test_a_split_may_be_named(tmp_path):
    gold = tmp_path / "gold.csv"
    gold.write_text("id,label\n1,PRO\n2,CON\n")
    found = as_json("stance", "ibmcs", "--gold", gold, "--predictions", gold, "--split", "negation")
    assert list(found["tasks"]["ibmcs"]) == ["negation"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("tweets",), "There is no benchmark tweets. Known benchmarks: ait2018"),
        (("raft", "banking"), "There is no task raft/banking. Known tasks: ade_corpus_v2"),
    ],
)
def test_unknown_names_are_answered_with_the_known_ones(folders, arguments, message):
    gold, predictions = folders
    with pytest.raises(CommandError, match=message):
        run(*arguments, "--gold", gold, "--predictions", predictions)


def test_a_folder_without_gold_is_named(folders, tmp_path):
    with pytest.raises(CommandError, match="holds no gold file"):
        run("raft", "--gold", folders[0], "--predictions", folders[1])


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(CommandError, match=r"none\.csv cannot be read"):
        run("stance", "ibmcs", "--gold", tmp_path / "none.csv", "--predictions", tmp_path / "none.csv")


def test_nothing_needs_to_be_set_up(folders, tmp_path):
    gold, predictions = folders
    arguments = ["ait2018", "--gold", str(gold), "--predictions", str(predictions), "--json"]
    done = subprocess.run(
        [sys.executable, "manage.py", "evaluate", *arguments],
        cwd=Path(__file__).resolve().parents[2],
        env={"PATH": "/usr/bin:/bin", "HELDOUT_DATA": str(tmp_path / "nothing")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout)["aggregates"]["EI-reg-en"]["value"] == 1.0
    assert not (tmp_path / "nothing").exists()


OWN = """
id: own
title: Own
summary: s
url: https://example.org/own
citation: c
bundle: {files: any}
tasks:
  - id: irony
    code: I
    title: Irony
    summary: s
    instructions: i
    licence: l
    citation: c
    labels: ["0", "1"]
    file: {path: irony.txt, dialect: one_a_line}
    metrics: [{name: accuracy, title: Accuracy}]
phases:
  - {id: main, title: Main, release: {when: at-close}, lasts_days: 7, quota: {per_cut_off: 5}, counting: latest}
"""


def test_files_are_scored_by_a_definition_of_ones_own(tmp_path):
    definition, gold, answers = (tmp_path / name for name in ("own.yaml", "gold.txt.gz", "irony.txt"))
    definition.write_text(OWN, encoding="utf-8")
    gold.write_bytes(gzip.compress(b"0\n1\n1\n0\n"))
    answers.write_text("0\n1\n0\n0\n", encoding="utf-8")
    found = as_json(definition, "irony", "--gold", gold, "--predictions", answers)
    assert found["tasks"]["irony"]["test"]["accuracy"]["value"] == 0.75
    answers.write_text("0\n1\n0\n", encoding="utf-8")
    (problem,) = as_json(definition, "irony", "--gold", gold, "--predictions", answers, status=1)["problems"]
    assert (problem["code"], problem["line"]) == ("missing_ids", 4)


def test_what_is_no_definition_is_refused_in_words(tmp_path):
    with pytest.raises(CommandError, match="cannot be read: No such file"):
        run(tmp_path / "own.yaml", "--gold", tmp_path, "--predictions", tmp_path)
    (tmp_path / "own.yaml").write_text("id: own\n", encoding="utf-8")
    with pytest.raises(CommandError, match=r"no definition:\nown.yaml: tasks: is missing"):
        run(tmp_path / "own.yaml", "--gold", tmp_path, "--predictions", tmp_path)
