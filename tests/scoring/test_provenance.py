import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from scoring.code_version import code_commit

pytestmark = pytest.mark.postgres


@pytest.fixture(autouse=True)
def _asked_anew() -> Iterator[None]:
    code_commit.cache_clear()
    yield
    code_commit.cache_clear()


def git(folder: Path, *words: str) -> str:
    person = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    done = subprocess.run(["git", "-C", str(folder), *person, *words], capture_output=True, check=True)
    return done.stdout.decode().strip()


@pytest.fixture
def checkout(tmp_path: Path, settings: Any) -> Path:
    settings.CODE_COMMIT, settings.BASE_DIR = "", tmp_path
    git(tmp_path, "init", "--quiet")
    (tmp_path / "code.py").write_text("1\n")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "-m", "One")
    return tmp_path


def test_what_the_environment_says_comes_first(checkout: Path, settings: Any) -> None:
    settings.CODE_COMMIT = "v1.2.3"
    assert code_commit() == "v1.2.3"


def test_a_checkout_knows_its_commit(checkout: Path) -> None:
    assert code_commit() == git(checkout, "rev-parse", "HEAD")


def test_changed_files_are_told(checkout: Path) -> None:
    (checkout / "code.py").write_text("2\n")
    assert code_commit() == git(checkout, "rev-parse", "HEAD") + "-dirty"


def test_a_folder_inside_somebody_elses_checkout_is_unknown(checkout: Path, settings: Any) -> None:
    settings.BASE_DIR = checkout / "inside"
    settings.BASE_DIR.mkdir()
    assert code_commit() == "unknown"
