"""`heldout check`: the server's own reading, on one's own machine."""

import io
import json
import zipfile

import pytest

from client.files.packing import MAX_FILES, pack
from submissions.intake import ItemIds
from tests.client.conftest import MOOD


def test_good_folder_says_what_would_be_accepted(run, predictions, ids):
    result = run("check", predictions, "--benchmark", "toy", "--ids", ids)
    assert result.exit_code == 0, result.output
    assert "2 tasks, 10 labels" in result.stdout


def test_bad_file_is_told_with_file_line_and_column(run, predictions, ids):
    (predictions / "data/mood/predictions.csv").write_bytes(MOOD.replace(b"m3,bad", b"m3,Bad"))
    result = run("check", predictions, "--benchmark", "toy", "--ids", ids)
    assert result.exit_code == 1
    assert "data/mood/predictions.csv:4:Label" in result.stderr
    assert "label_case" in result.stderr


def test_problems_come_as_json_too(run, predictions, ids):
    (predictions / "data/mood/predictions.csv").write_bytes(MOOD.replace(b"m3,bad", b"m3,Bad"))
    result = run("check", predictions, "--benchmark", "toy", "--ids", ids, "--json")
    told = json.loads(result.stdout)
    assert (result.exit_code, told["ok"], told["tasks"], told["more"]) == (1, False, ["colour"], 0)
    assert (told["problems"][0]["line"], told["problems"][0]["code"]) == (4, "label_case")


def test_zip_is_read_as_it_is(run, predictions, ids, tmp_path):
    (tmp_path / "larch.zip").write_bytes(pack(predictions))
    assert run("check", tmp_path / "larch.zip", "--benchmark", "toy", "--ids", ids).exit_code == 0


def test_inner_folder_is_read_as_well(run, predictions, ids):
    assert run("check", predictions / "data", "--benchmark", "toy", "--ids", ids).exit_code == 0


def test_single_file_needs_the_ids_of_its_task_alone(run, predictions, ids):
    (ids / "colour.txt").unlink()
    file = predictions / "data/mood/predictions.csv"
    assert run("check", file, "--benchmark", "toy", "--ids", ids, "--task", "mood").exit_code == 0
    assert run("check", predictions, "--benchmark", "toy", "--ids", ids).exit_code == 2


@pytest.mark.parametrize(
    "document",
    [
        {"mood": ["m1", "m2", "m3", "m4", "m5", "m6"], "colour": ["c1", "c2", "c3", "c4"]},
        {"task": "mood", "split": "test", "ids": ["m1", "m2", "m3", "m4", "m5", "m6"]},
    ],
)
def test_ids_may_be_json(document, run, predictions, shipped_toy, tmp_path):
    (tmp_path / "ids.json").write_text(json.dumps(document))
    file = predictions / "data/mood/predictions.csv"
    result = run("check", file, "--benchmark", "toy", "--ids", tmp_path / "ids.json", "--task", "mood")
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize(
    "content", ["", "[]", "7", '{"mood": 7}', '{"mood": [7]}', '{"mood": ["a", "a"]}', "\0"]
)
def test_ids_that_are_none_are_told(content, run, predictions, shipped_toy, tmp_path):
    (tmp_path / "ids.json").write_text(content)
    result = run("check", predictions, "--benchmark", "toy", "--ids", tmp_path / "ids.json")
    assert (result.exit_code, "ids.json" in result.stderr) == (2, True)


def test_ids_are_needed(run, predictions, shipped_toy):
    result = run("check", predictions, "--benchmark", "toy")
    assert result.exit_code == 2
    assert "--ids" in result.stderr
    assert "heldout login" in result.stderr


@pytest.mark.parametrize("benchmark", ["none", "../../etc", "", "a/b", "raft\n"])
def test_unknown_benchmark_is_told(benchmark, run, predictions, ids):
    result = run("check", predictions, "--benchmark", benchmark, "--ids", ids)
    assert (result.exit_code, result.stderr.startswith("Error: ")) == (2, True)


@pytest.mark.parametrize("name", ["nowhere", "nowhere.zip"])
def test_path_without_anything_is_told(name, run, ids, tmp_path):
    result = run("check", tmp_path / name, "--benchmark", "toy", "--ids", ids)
    assert (result.exit_code, result.stderr.startswith("Error: ")) == (2, True)


def test_definition_of_raft_comes_with_the_program(run, tmp_path):
    (tmp_path / "ids").mkdir()
    (tmp_path / "ids" / "terms_of_service.txt").write_text("50\n51\n")
    (tmp_path / "terms_of_service.csv").write_text(
        "ID,Label\n51,not potentially unfair\n50,potentially unfair\n"
    )
    result = run("check", tmp_path / "terms_of_service.csv", "--benchmark", "raft", "--ids", tmp_path / "ids")
    assert result.exit_code == 0, result.output


@pytest.mark.cases
def test_rafts_own_template_is_fine(run, cases, tmp_path):
    template = cases / "raft_submission_template"
    (tmp_path / "ids").mkdir()
    for file in template.glob("data/*/predictions.csv"):
        rows = file.read_text().splitlines()[1:]
        ids = ItemIds([row.split(",")[0] for row in rows])
        (tmp_path / "ids" / f"{file.parent.name}.txt").write_bytes(ids.to_bytes())
    result = run("check", template, "--benchmark", "raft", "--ids", tmp_path / "ids")
    assert result.exit_code == 0, result.output
    assert "11 tasks" in result.stdout


def test_same_folder_gives_the_same_zip(predictions):
    first = pack(predictions)
    for file in predictions.rglob("*.csv"):
        file.touch()
    assert pack(predictions) == first


def test_hidden_files_are_left_out(predictions):
    (predictions / ".git").mkdir()
    (predictions / ".git" / "config").write_text("x")
    (predictions / ".DS_Store").write_text("x")
    names = zipfile.ZipFile(io.BytesIO(pack(predictions))).namelist()
    assert names == ["data/colour/predictions.csv", "data/mood/predictions.csv"]


def test_folder_of_everything_is_not_read(run, ids, tmp_path):
    (tmp_path / "much").mkdir()
    for number in range(MAX_FILES + 1):
        (tmp_path / "much" / str(number)).touch()
    result = run("check", tmp_path / "much", "--benchmark", "toy", "--ids", ids)
    assert (result.exit_code, "predictions alone" in result.stderr) == (2, True)


def test_what_a_file_says_is_printed_and_not_obeyed(run, predictions, ids):
    (predictions / "data/mood/predictions.csv").write_bytes(
        MOOD.replace(b"m3,bad", b"m3,[red]x[/red]\x1b[2J")
    )
    result = run("check", predictions, "--benchmark", "toy", "--ids", ids)
    assert result.exit_code == 1
    assert "\x1b" not in result.stderr
