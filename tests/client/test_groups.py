"""Seeds, tracks and splits at the command."""

import json
from pathlib import Path
from typing import Any

import pytest

from accounts.models import ApiToken
from submissions.models import Submission
from tests.client.conftest import Run
from tests.conftest import TOY_DEFINITION
from tests.groups import DEBATES, group_files, labels, load_debates

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def group(tmp_path: Path) -> Path:
    """A folder with a full group."""
    for name, content in group_files().items():
        file = tmp_path / "group" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    return tmp_path / "group"


@pytest.fixture
def ids(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The definition comes with the program, and the ids are text files."""
    (tmp_path / "definitions").mkdir()
    (tmp_path / "definitions" / "debates.yaml").write_text(DEBATES)
    equity = "splits: [{id: test, title: Test}, {id: equity, title: Equity, ids_with: mystery}]"
    (tmp_path / "definitions" / "toy.yaml").write_text(
        TOY_DEFINITION.replace("test_size: 6", f"test_size: 6, {equity}").replace("complete", "any")
    )
    monkeypatch.setattr("client.files.check_data.files", lambda _: tmp_path / "definitions")
    (tmp_path / "ids").mkdir()
    for task in ("claims", "posts"):
        (tmp_path / "ids" / f"{task}.txt").write_text("d0\nd1\nd2\nd3\n")
    (tmp_path / "ids" / "mood.txt").write_text("mystery-1\nm1\nmystery-2\nm2\n")
    return tmp_path / "ids"


@pytest.fixture
def debates(live_server: Any, sync: Any, gold_keys: Any, owner: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A server with the benchmark, known to the command."""
    _, token = ApiToken.objects.create(owner)
    monkeypatch.setenv("HELDOUT_URL", live_server.url)
    monkeypatch.setenv("HELDOUT_TOKEN", token)
    return load_debates(sync)


def rows(output: str) -> list[list[str]]:
    return [line.split() for line in output.splitlines()]


def submit(run: Run, path: Path, *more: str) -> Any:
    return run("submit", path, "--phase", "debates/main", "--system", "Larch", *more)


def test_check_says_what_every_split_has(run, group, ids):
    result = run("check", group, "--benchmark", "debates", "--ids", ids)
    assert result.exit_code == 0, result.output
    assert "2 tasks, 48 labels" in result.stdout
    assert ["claims", "spelling", "3", "12"] in rows(result.stdout)


def test_check_tells_seeds_as_json(run, group, ids):
    told = json.loads(run("check", group, "--benchmark", "debates", "--ids", ids, "--json").stdout)
    assert (told["tasks"], told["seeds"]) == (["claims", "posts"], [1, 2, 3])


def test_check_finds_a_ragged_group(run, group, ids):
    (group / "seed2/claims.csv").unlink()
    result = run("check", group, "--benchmark", "debates", "--ids", ids)
    assert result.exit_code == 1
    assert "seed2/claims.csv: seed2 has no claims.csv, but seed1, seed3 have it." in result.stderr


def test_check_of_a_single_file_of_a_split(run, group, ids):
    file = group / "seed1/claims.csv"
    result = run("check", file, "--benchmark", "debates", "--ids", ids, "--split", "spelling")
    assert ["claims", "spelling", "1", "4"] in rows(result.stdout)


def test_ids_of_a_shared_file_go_to_the_split_that_claims_them(run, ids, tmp_path):
    rows_ = "".join(f"{item},good\n" for item in ("m1", "m2", "mystery-1", "mystery-2"))
    (tmp_path / "mood.csv").write_text(f"ID,Label\n{rows_}")
    result = run("check", tmp_path / "mood.csv", "--benchmark", "toy", "--ids", ids)
    assert result.exit_code == 0, result.output
    assert [row[:2] for row in rows(result.stdout)[2:]] == [["mood", "test"], ["mood", "equity"]]


def test_group_is_submitted_on_its_track(run, debates, group, system):
    result = submit(run, group, "--track", "tenth")
    assert result.exit_code == 0, result.output
    assert "48 labels, track tenth." in result.stdout
    submission = Submission.objects.get()
    assert (submission.track, submission.predictions.count()) == ("tenth", 12)


def test_unknown_track_is_told_with_the_list(run, debates, group, system):
    result = submit(run, group, "--track", "half")
    assert (result.exit_code, "Its tracks are full, tenth." in result.stderr) == (2, True)


def test_single_file_of_a_split_is_submitted(run, debates, tmp_path, system):
    (tmp_path / "claims.csv").write_bytes(labels())
    assert submit(run, tmp_path / "claims.csv", "--split", "spelling").exit_code == 0
    assert Submission.objects.get().predictions.get().split.slug == "spelling"


def test_ids_of_a_split_with_the_test_items_are_not_fetched_twice(run, debates, home):
    assert "claims, spelling: 4 ids" in run("ids", "--benchmark", "debates").stdout
    assert [file.name for file in home.rglob("ids-*.json")] == ["ids-claims.json"]


def test_check_after_ids_needs_no_server(run, debates, group, monkeypatch):
    run("ids", "--benchmark", "debates")
    monkeypatch.setattr("client.server.Server._call", None)
    result = run("check", group, "--benchmark", "debates")
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize("content", ["{", "[]", '{"claims": 7}'])
def test_damaged_list_of_splits_is_fetched_anew(run, debates, group, home, content):
    run("check", group, "--benchmark", "debates")
    (stored,) = home.rglob("splits.json")
    stored.write_text(content)
    assert run("check", group, "--benchmark", "debates").exit_code == 0
