"""An upgrade while uploads arrive: this version and a next one serve side by side, and tables change beneath both."""

import json
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import psycopg
import pytest

from submissions.intake.sealing import KeyPair
from tests.faults.test_machines import send
from tests.faults.web import Web
from tests.ops.demos import ROOT, plain_environment
from tests.postgres import temporary_postgres

pytestmark = pytest.mark.faults

SENDERS = 12
FILES = 5 * SENDERS  # the quota of each is five
BEFORE = "    stored_file = models.FileField("
HARMLESS = '    remark = models.CharField(max_length=20, db_default="")\n'
"""A column that code of before does not notice."""
HARMFUL = '    remark = models.CharField(max_length=20, default="")\n'
"""One whose default this version's inserts do not know: `tests/architecture/test_migrations.py` refuses it."""
LEFT_OUT = shutil.ignore_patterns(
    ".*", "__pycache__", "*.egg-info", "build", "var", "docs", "tests", "perf", "client"
)


class Version(Web):
    """A server with the code of that folder."""

    def __init__(self, code: Path, log: Path, environment: dict[str, str]) -> None:
        self.code = code
        super().__init__("config.wsgi:application", log, **environment)


@dataclass
class Site:
    """The tables in PostgreSQL, the servers before them, and who may send: token and system."""

    url: str
    folder: Path
    keypair: KeyPair
    senders: list[tuple[str, str]] = field(default_factory=list)
    webs: list[Web] = field(default_factory=list)

    @property
    def environment(self) -> dict[str, str]:
        given = {
            "HELDOUT_MODE": "test",
            "HELDOUT_DATA": str(self.folder / "data"),
            "HELDOUT_DATABASE_URL": self.url,
            "HELDOUT_GOLD_PUBLIC_KEY": self.keypair.public,
        }
        return plain_environment() | given

    def manage(self, code: Path, *command: str) -> str:
        """What a process of that version prints; it must succeed."""
        done = subprocess.run(
            [sys.executable, *command],
            cwd=code,
            env=self.environment | {"PYTHONPATH": str(code)},
            check=False,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def serve(self, code: Path) -> Web:
        log = self.folder / f"web{len(self.webs)}.log"
        given = self.environment | {"PYTHONPATH": str(code)}
        self.webs.append(Version(code, log, given))
        self.webs[-1].wait_until_ready()
        return self.webs[-1]

    def rows(self, query: str) -> list[tuple[object, ...]]:
        with psycopg.connect(self.url.replace("postgres://", "postgresql://")) as connection:
            return connection.execute(query).fetchall()


@pytest.fixture
def site(tmp_path: Path, keypair: KeyPair) -> Iterator[Site]:
    with temporary_postgres() as url:
        made = Site(url, tmp_path, keypair)
        told = json.loads(made.manage(ROOT, "-m", "tests.faults.scene", "senders", str(SENDERS)))
        made.senders = [(token, system) for token, system in told]
        try:
            yield made
        finally:
            for web in made.webs:
                web.kill()


def next_version(folder: Path, site: Site, column: str) -> Path:
    """A copy of the code whose submissions have one column more, with the migration that makes it."""
    shutil.copytree(ROOT, folder, ignore=LEFT_OUT)
    models = folder / "submissions" / "models.py"
    text = models.read_text()
    assert BEFORE in text
    models.write_text(text.replace(BEFORE, column + BEFORE, 1))
    site.manage(folder, "manage.py", "makemigrations", "submissions", "--name", "a_remark")
    return folder


class Uploads(threading.Thread):
    """Sends files one after the other, by turns to each of the servers that take part; no more than are allowed yet."""

    def __init__(self, site: Site, serving: list[Web]) -> None:
        super().__init__(daemon=True)
        self._site, self.serving = site, serving
        self._allowed = threading.Semaphore(0)
        self.told: list[tuple[Web, int]] = []

    def run(self) -> None:
        for number in range(FILES):
            self._allowed.acquire()
            web = self.serving[number % len(self.serving)]
            token, system = self._site.senders[number % SENDERS]
            status, _ = send(web, token, system, number)
            self.told.append((web, status))

    def allow(self, more: int) -> None:
        self._allowed.release(more)

    def wait_for(self, answers: int) -> None:
        """Until so many files have been answered in all."""
        while len(self.told) < answers and self.is_alive():
            self.join(0.05)


def test_versions_serve_side_by_side_and_nothing_is_lost(site, tmp_path):
    old = site.serve(ROOT)
    code = next_version(tmp_path / "next", site, HARMLESS)
    uploads = Uploads(site, [old])
    uploads.start()
    uploads.allow(24)
    uploads.wait_for(2)
    site.manage(code, "manage.py", "migrate", "--noinput", "--verbosity", "0")
    uploads.allow(12)
    new = site.serve(code)
    uploads.serving = [old, new]
    uploads.allow(24)
    uploads.wait_for(48)
    uploads.serving = [new]
    uploads.wait_for(50)
    site.webs.remove(old)
    old.stop_gracefully()
    uploads.join()

    assert {status for _, status in uploads.told} == {201}
    assert {web for web, _ in uploads.told} == {old, new}
    ((accepted,),) = site.rows("SELECT count(*) FROM submissions_submission WHERE status = 'accepted'")
    assert accepted == FILES
    assert len(list((tmp_path / "data" / "uploads").glob("*.zip"))) == FILES
    assert site.rows("SELECT DISTINCT remark FROM submissions_submission") == [("",)]


def test_a_column_that_this_version_trips_over_is_seen_to_break_it(site, tmp_path):
    old = site.serve(ROOT)
    code = next_version(tmp_path / "next", site, HARMFUL)
    site.manage(code, "manage.py", "migrate", "--noinput", "--verbosity", "0")

    token, system = site.senders[0]
    status, _ = send(old, token, system, 0)

    assert status == 500
