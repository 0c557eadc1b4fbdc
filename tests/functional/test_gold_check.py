"""Anyone can check public gold labels against the commitment, with the commands that the documents give."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from benchmarks.models import Benchmark
from breaking.sets.phase_close import open_what_is_over
from leaderboard.publication.services import refresh_stale
from scoring.models import GoldVersion
from submissions.models import System
from tests.broken import WHO, answer, make_set, run
from tests.games import AFTERWARDS
from tests.pages import text_of

pytestmark = pytest.mark.django_db


UNHEX = "python3 -c 'import sys; sys.stdout.buffer.write(bytes.fromhex(sys.stdin.read()))'"
"""Stands in for `xxd -r -p` on a machine that has none."""


def documented() -> list[str]:
    """The commands that docs/operations.md gives, as they stand there."""
    text = (Path(settings.BASE_DIR) / "docs" / "operations.md").read_text("utf-8")
    section = text.partition("## Public gold labels\n")[2].partition("\n## ")[0]
    return re.findall(r"```sh\n(.*?)\n```", section, re.DOTALL)


@pytest.mark.parametrize("place", [0, 1], ids=["xxd", "python3"])
def test_the_documented_command_gives_the_published_commitment(
    games: Benchmark, system: System, tmp_path: Path, place: int
):
    make_set(games, "north", WHO, task="who")
    answer(system, games, {"who_north.csv": {"21_a": "The cook", "21_b": "The cook"}})
    commitment = GoldVersion.objects.get(split__slug="north").commitment
    refresh_stale()
    assert commitment in text_of(Client().get("/benchmarks/games/tasks/who/"))  # long before the close
    run(AFTERWARDS)
    open_what_is_over(AFTERWARDS)
    refresh_stale()
    page = text_of(Client().get("/benchmarks/games/tasks/who/"))
    row = page[page.index("/benchmarks/games/gold/who/north/1.csv") :]
    salt = re.findall(r"<code class=\"hash\">([0-9a-f]{64})</code>", row)[0]
    (tmp_path / "1.csv").write_bytes(Client().get("/benchmarks/games/gold/who/north/1.csv").content)
    command = documented()[place].replace("SALT", salt)
    if shutil.which("xxd") is None:
        command = f"xxd() {{ {UNHEX}; }}; {command}"
    printed = subprocess.run(  # noqa: S602  # the documented command is one for a shell
        command, shell=True, cwd=tmp_path, capture_output=True, text=True, check=True
    ).stdout
    assert printed.split()[0] == commitment


def test_the_newest_version_stands_under_the_name_of_the_set(games: Benchmark, system: System):
    make_set(games, "north", WHO, task="who")
    answer(system, games, {"who_north.csv": {"21_a": "The cook", "21_b": "The cook"}})
    run(AFTERWARDS)
    open_what_is_over(AFTERWARDS)
    refresh_stale()
    found = Client().get("/benchmarks/games/gold/who/north.csv")
    assert found.content == b"id,label\n21_a,The cook\n21_b,The old cook\n"
    assert found["Content-Type"].startswith("text/csv")
