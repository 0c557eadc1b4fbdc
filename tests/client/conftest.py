"""The command in this process, with folders of its own."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from accounts.models import ApiToken
from client.main import app
from tests.conftest import TOY_DEFINITION

MOOD = b"ID,Label\nm1,good\nm2,good\nm3,bad\nm4,bad\nm5,good\nm6,bad\n"
COLOUR = b"ID,Label\nc1,red\nc2,green\nc3,dark blue\nc4,red\n"

Run = Callable[..., Result]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that the command keeps things in."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("COLUMNS", "200")
    for name in ("HELDOUT_URL", "HELDOUT_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "config" / "heldout"


@pytest.fixture
def run() -> Run:
    """Run `heldout` with these words."""

    def _run(*words: Any, **more: Any) -> Result:
        return CliRunner().invoke(app, [str(word) for word in words], **more)

    return _run


@pytest.fixture
def predictions(tmp_path: Path) -> Path:
    """A folder that answers both tasks of the toy benchmark."""
    folder = tmp_path / "predictions"
    for task, content in (("mood", MOOD), ("colour", COLOUR)):
        file = folder / "data" / task / "predictions.csv"
        file.parent.mkdir(parents=True)
        file.write_bytes(content)
    return folder


@pytest.fixture
def server(live_server: Any, toy: Any, monkeypatch: pytest.MonkeyPatch) -> str:
    """A server with the toy benchmark, known to the command."""
    monkeypatch.setenv("HELDOUT_URL", live_server.url)
    return str(live_server.url)


@pytest.fixture
def shipped_toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The toy benchmark's definition comes with the program."""
    definitions = tmp_path / "definitions"
    definitions.mkdir()
    (definitions / "toy.yaml").write_text(TOY_DEFINITION)
    monkeypatch.setattr("client.files.check_data.files", lambda _: definitions)


@pytest.fixture
def ids(tmp_path: Path, shipped_toy: None) -> Path:
    """The ids as text files."""
    folder = tmp_path / "ids"
    folder.mkdir()
    (folder / "mood.txt").write_text("m1\nm2\nm3\nm4\nm5\nm6\n")
    (folder / "colour.txt").write_text("c1\r\nc2\r\nc3\r\nc4\r\n", newline="")
    return folder


@pytest.fixture
def signed_in(server, owner, monkeypatch):
    _, token = ApiToken.objects.create(owner)
    monkeypatch.setenv("HELDOUT_TOKEN", token)
    return token
