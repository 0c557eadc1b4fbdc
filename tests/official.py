"""Send the files of tests/cases as people do, over HTTP, and read what is published of them."""

import io
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.utils.text import slugify

from accounts.models import User
from benchmarks.models import Benchmark
from submissions.models import Submission, System
from tests.api.conftest import UPLOADS, client_of
from tests.conftest import person
from tests.feelings import team_of
from tests.pages import browser_of

Cells = Mapping[str, Mapping[str, float | None]]
"""Values by system and column."""


def official_numbers(folder: Path) -> dict[str, Any]:
    """What the official scorer said about the files of a case."""
    numbers: dict[str, Any] = json.loads((folder / "expected.json").read_text("utf-8"))
    return numbers


def load_gold_file(benchmark: str, task: str, path: Path, split: str = "test") -> None:
    """As the organiser does on the command line."""
    say = io.StringIO()
    call_command("load_gold", benchmark, task, str(path), split=split, stdout=say, stderr=say)


def new_system(name: str) -> System:
    """A system in a team of its own, because a phase may have one row per team, and a person one team."""
    return team_of(person(slugify(name)), name)[1]


def _member(system: System) -> User:
    """Who sends for the system."""
    user = system.team.members.order_by("pk").first()
    assert user is not None
    return user


def send(system: System, phase: str, data: bytes, name: str, **fields: str) -> Any:
    """An upload over the API, with a token."""
    form = {"phase": phase, "system": str(system.pk), "file": SimpleUploadedFile(name, data), **fields}
    return client_of(_member(system)).post(UPLOADS, form)


def accepted(system: System, phase: str, data: bytes, name: str, **fields: str) -> str:
    """The id of an upload that is taken over the API."""
    answer = send(system, phase, data, name, **fields)
    assert answer.status_code == 201, answer.content
    taken: str = answer.json()["id"]
    return taken


def accepted_in_browser(system: System, phase: str, data: bytes, name: str, **fields: str) -> str:
    """The id of an upload that is taken by the form."""
    answer = post_form(system, phase, data, name, **fields)
    assert answer.status_code == 302, answer.content.decode()
    return str(Submission.objects.get(system=system).pk)


def post_form(system: System, phase: str, data: bytes, name: str, **fields: str) -> Any:
    """What the browser's form sends."""
    form = {"phase": phase, "system": str(system.pk), "file": SimpleUploadedFile(name, data), **fields}
    return browser_of(_member(system)).post("/submit/", form)


def refusal(answer: Any) -> tuple[str, int | None, str | None]:
    """Code, line and column of the first problem that a refused upload is told."""
    assert answer.status_code == 422, answer.content
    problem = answer.json()["problems"][0]
    return problem["code"], problem["line"], problem["column"]


def close(phase: str) -> None:
    """Close, score and publish, as the organiser can by hand; as if all gold labels were public, so with all digits."""
    with patch("leaderboard.assembly.digits.tasks_with_public_gold", _all_tasks):
        call_command("run_due", "--close", phase, stdout=io.StringIO())


def _all_tasks(benchmark: Benchmark) -> frozenset[str]:
    return frozenset(task.id for task in benchmark.spec.tasks)


def published(path: str) -> Any:
    """A board's JSON, for anyone."""
    answer = Client().get(path)
    assert answer.status_code == 200, path
    return answer.json()


def row_of(board: Any, system: str) -> Any:
    """A system's row."""
    return next(row for row in board["rows"] if row["system"] == system)


def values_of(board: Any, system: str, columns: Iterable[str]) -> dict[str, float | None]:
    """What stands in some cells of a system's row."""
    cells = row_of(board, system)["cells"]
    return {column: cells[column]["value"] for column in columns}


def assert_cells(path: str, wanted: Cells) -> None:
    """The published cells equal these numbers to 1e-9."""
    board = published(path)
    for system, numbers in wanted.items():
        for column, value in values_of(board, system, numbers).items():
            assert value == pytest.approx(numbers[column], abs=1e-9), (path, system, column)
