"""`heldout fix`: slips of writing are mended on one's own machine, and the difference is shown."""

import json

import pytest

from tests.client.conftest import MOOD


@pytest.fixture
def upper(predictions):
    file = predictions / "data/mood/predictions.csv"
    file.write_bytes(MOOD.replace(b"bad", b"BAD").replace(b"good", b"GOOD"))
    return predictions


def test_repaired_file_is_written_and_passes_the_check(run, upper, ids, tmp_path):
    folder = tmp_path / "mended"
    result = run("fix", upper, "--benchmark", "toy", "--ids", ids, "--folder", folder)
    assert result.exit_code == 0, result.output
    assert "- m1,GOOD" in result.stdout
    assert "+ m1,good" in result.stdout
    (repaired,) = folder.iterdir()
    assert run("check", repaired, "--benchmark", "toy", "--ids", ids).exit_code == 0
    again = run("fix", upper, "--benchmark", "toy", "--ids", ids, "--folder", folder)
    assert again.exit_code == 2
    assert "is there already" in again.stderr


def test_what_has_no_one_repair_is_left_alone(run, predictions, ids, tmp_path):
    (predictions / "data/mood/predictions.csv").write_bytes(MOOD.replace(b"m3,bad", b"m3,worse"))
    result = run("fix", predictions, "--benchmark", "toy", "--ids", ids, "--folder", tmp_path / "mended")
    assert result.exit_code == 1
    assert not (tmp_path / "mended").exists()


def test_check_tells_many_problems_by_their_cause(run, predictions, ids):
    rows = "".join(f"x{number},good\n" for number in range(100))
    (predictions / "data/mood/predictions.csv").write_text(f"ID,Label\n{rows}")
    told = run("check", predictions, "--benchmark", "toy", "--ids", ids)
    assert "for 2 reasons: 101 problems" in told.stderr
    assert "Ids that do not belong to the split: 100 times, in 1 file" in told.stderr
    document = json.loads(run("check", predictions, "--benchmark", "toy", "--ids", ids, "--json").stdout)
    assert [(cause["code"], cause["count"]) for cause in document["causes"]] == [
        ("unknown_id", 100),
        ("missing_ids", 1),
    ]
