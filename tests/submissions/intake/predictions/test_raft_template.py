"""RAFT's own full-size template, through the whole of intake."""

from json import loads
from pathlib import Path

import pytest

from submissions.intake import ItemIds, ProblemCode, SplitTarget, read_upload
from tests.submissions.intake.uploads import COMPLETE, task_spec, zipped

pytestmark = pytest.mark.cases


@pytest.fixture(scope="module")
def template(cases: Path) -> Path:
    return cases / "raft_submission_template"


@pytest.fixture(scope="module")
def files(template: Path) -> dict[str, bytes]:
    return {
        path.relative_to(template).as_posix(): path.read_bytes()
        for path in sorted(template.glob("data/*/predictions.csv"))
    }


@pytest.fixture(scope="module")
def targets(template: Path, files: dict[str, bytes]) -> list[SplitTarget]:
    found = []
    for name, content in files.items():
        labels = loads((template / name).with_name("task.json").read_bytes())["label_columns"]["Label"]
        ids = [line.split(",")[0] for line in content.decode().split("\r\n")[1:-1]]
        found.append(SplitTarget(task_spec(name.split("/")[1], tuple(labels)), "test", ItemIds(ids)))
    return found


def test_template_is_accepted_whole(files, targets):
    result = read_upload(zipped(files), file_name="raft.zip", benchmark=COMPLETE, targets=targets)
    assert result.ok
    assert (len(result.tasks_fine), result.labels_read) == (11, 28_715)


def test_template_written_otherwise_has_the_same_content(files, targets):
    rewritten = {
        name.removeprefix("data/"): b"\xef\xbb\xbf" + content.replace(b"\r\n", b"\n")
        for name, content in files.items()
    }
    digests = {
        read_upload(zipped(pack), file_name="raft.zip", benchmark=COMPLETE, targets=targets).content_sha256
        for pack in (files, rewritten)
    }
    assert len(digests) == 1


def test_template_with_one_space_for_an_underscore_names_the_line_and_the_label(files, targets):
    path = "data/banking_77/predictions.csv"
    lines = files[path].split(b"\r\n")
    lines[16] = b"65,card arrival"
    broken = {**files, path: b"\r\n".join(lines)}
    result = read_upload(zipped(broken), file_name="raft.zip", benchmark=COMPLETE, targets=targets)
    (problem,) = result.problems
    assert (problem.code, problem.line, problem.expected) == (ProblemCode.LABEL_SPACING, 17, "card_arrival")
    assert len(result.tasks_fine) == 10
