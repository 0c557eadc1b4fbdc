"""The distribution as a participant installs it: built, put into an empty environment, and used there."""

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.walks

ROOT = Path(__file__).resolve().parents[2]
UV = ROOT / ".venv" / "bin" / "uv"
OURS = (
    "benchmarks/definitions",
    "benchmarks/spec",
    "catalogue",
    "client",
    "heldout",
    "submissions/intake",
    "transparency/core",
)
SERVER = ("django", "rest_framework", "celery", "pandas", "scipy", "sklearn", "psycopg")
NOTEBOOK = """
import sys
import heldout

found = heldout.check({"50": "1", "51": "7"}, benchmark="raft", task="ade_corpus_v2", ids=sys.argv[1])
print(*((problem.line, problem.column, problem.code.value) for problem in found.problems))
for name in sys.argv[2:]:
    assert name not in sys.modules, name
"""


def uv(*words: object, cwd: Path) -> None:
    done = subprocess.run([UV, *map(str, words)], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("built")
    uv("build", "--quiet", "--out-dir", folder, ROOT, cwd=folder)
    return folder


def test_wheel_and_sdist_hold_what_a_participant_needs_and_nothing_of_the_server(built):
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        in_wheel = [name for name in archive.namelist() if ".dist-info/" not in name]
    assert {"heldout/__init__.py", "heldout/py.typed", "client/main.py"} <= set(in_wheel)
    assert [name for name in in_wheel if not name.startswith(OURS)] == []

    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        in_sdist = [
            name.partition("/")[2] for name in archive.getnames() if name.endswith((".py", ".html", ".sql"))
        ]
    assert [name for name in in_sdist if not name.startswith(OURS) and name != "setup.py"] == []
    assert wheel.stat().st_size < 1 << 20


def test_it_works_in_an_empty_environment(built, tmp_path):
    (wheel,) = built.glob("*.whl")
    home = tmp_path / "venv"
    uv("venv", "--quiet", "--python", sys.executable, home, cwd=tmp_path)
    uv("pip", "install", "--quiet", "--python", home / "bin" / "python", wheel, cwd=tmp_path)
    folder = tmp_path / "ids"
    folder.mkdir()
    (folder / "ade_corpus_v2.txt").write_text("50\n51\n")
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "COLUMNS": "200"}

    def run(*words: object) -> str:
        done = subprocess.run(
            list(map(str, words)), cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert "submit" in run(home / "bin" / "heldout", "--help")
    told = run(home / "bin" / "python", "-c", NOTEBOOK, folder, *SERVER)
    assert told == "(2, 'Label', 'unknown_label') (3, 'Label', 'unknown_label')\n"
    installed = run(UV, "pip", "list", "--python", home / "bin" / "python").casefold()
    assert not [
        name for name in ("django", "celery", "pandas", "scipy", "scikit-learn") if f"\n{name} " in installed
    ]
