"""Heldout as `deploy/install` puts it into a scratch folder, with servers of its own around it, and its units run.

What runs them is `Supervisor`: it starts a process again that has ended, with all that it left behind ended first, as
systemd does. Users, secrets, environment and commands are those of the units (`deploy/units.py`). What only the kernel
and systemd can do (read-only folders, limits of memory) is not there.
"""

import os
import signal
import subprocess
import sysconfig
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from deploy.units import ServiceUnit
from tests.faults.rabbit import Rabbit
from tests.ops.demos import ROOT, plain_environment
from tests.ports import free_port

PYTHON = Path("/usr/bin/python3.11")
"""Debian's, as an installation uses it: other users than root cannot reach one in root's home."""
UNPRIVILEGED = 65534
PATIENCE = 300.0
LONG = 600.0
"""Seconds to wait for what happens by itself, and for a program to end: many times what it takes on a quiet machine."""
OURS = ("heldout-*.service", "nginx-*.service")


class Cluster:
    """A PostgreSQL as Debian sets it up: passwords over TCP, its superuser by its socket."""

    def __init__(self, programs: Path, folder: Path) -> None:
        folder.mkdir()
        os.chown(folder, UNPRIVILEGED, UNPRIVILEGED)
        self.programs, self.folder, self.port = programs, folder, free_port()
        self._data = folder / "data"
        self._run(
            "initdb",
            "-U",
            "postgres",
            "-E",
            "UTF8",
            "--no-sync",
            "--auth-local=trust",
            "--auth-host=scram-sha-256",
        )
        with (self._data / "postgresql.conf").open("a") as settings:
            settings.write(f"port = {self.port}\nunix_socket_directories = '{folder}'\nfsync = off\n")
        self._run("pg_ctl", "-l", str(folder / "log"), "-w", "start")

    @property
    def superuser(self) -> str:
        """The command that speaks to it as its superuser."""
        return " ".join([str(self.programs / "psql"), *self.superuser_options, "--dbname", "postgres"])

    @property
    def superuser_options(self) -> list[str]:
        return ["--host", str(self.folder), "--port", str(self.port), "--username", "postgres"]

    def ask(self, query: str, database: str = "heldout") -> str:
        command = [
            *self.superuser.split(),
            "--dbname",
            database,
            "--tuples-only",
            "--no-align",
            "--command",
            query,
        ]
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()

    def stop(self) -> None:
        self._run("pg_ctl", "-m", "immediate", "-w", "stop")

    def _run(self, program: str, *arguments: str) -> None:
        # No pipes: the server that pg_ctl leaves running would hold them open.
        with (self.folder / "output").open("ab") as output:
            subprocess.run(
                [self.programs / program, "-D", self._data, *arguments],
                user=UNPRIVILEGED,
                group=UNPRIVILEGED,
                extra_groups=[],
                cwd="/",
                stdout=output,
                stderr=output,
                check=True,
            )


class Installation:
    """A scratch folder with the code as in /opt/heldout, and the Python environment that the tests run in."""

    def __init__(self, folder: Path, cluster: Cluster, rabbit: Rabbit, rabbitmqctl: Path) -> None:
        self.root, self.cluster, self.rabbit = folder, cluster, rabbit
        self.code = folder / "opt/heldout"
        (folder / "etc").mkdir()
        self.code.mkdir(parents=True)
        for path in ROOT.iterdir():
            if path.name not in (".venv", "var", "build"):
                (self.code / path.name).symlink_to(path)
        self._make_venv()
        self.ports = [free_port() for _ in range(4)]
        (folder / "mail").mkdir()
        (folder / "mail").chmod(0o777)
        self._smtp = folder / "smtp"
        self._smtp.write_text(f"filemail:///{folder / 'mail'}\n")
        self._environment = plain_environment() | rabbit.environment
        self._environment |= {"PSQL": cluster.superuser, "RABBITMQCTL": str(rabbitmqctl)}

    def use(self, cluster: Cluster) -> None:
        """Have the installer make roles in another PostgreSQL from now on."""
        self.cluster = cluster
        self._environment["PSQL"] = cluster.superuser

    def _make_venv(self) -> None:
        """Debian's Python, and what is installed where the tests run: there is no network for `--require-hashes`."""
        venv = self.code / ".venv"
        subprocess.run([PYTHON, "-m", "venv", "--without-pip", venv], check=True)
        (venv / "lib/python3.11/site-packages/tests.pth").write_text(sysconfig.get_paths()["purelib"])
        stamp = subprocess.run(
            ["sha256sum"], input=(ROOT / "requirements.txt").read_bytes(), stdout=subprocess.PIPE, check=True
        )
        (venv / ".requirements").write_bytes(stamp.stdout)

    def is_reachable(self) -> bool:
        """Whether another user than root can run the code."""
        command = [str(self.code / ".venv/bin/python"), "-c", "import django, manage"]
        return not subprocess.run(
            command, cwd=self.code, user=UNPRIVILEGED, group=UNPRIVILEGED, extra_groups=[], check=False
        ).returncode

    def install(self, *options: str) -> None:
        """Run `deploy/install`, the first time with all that it asks for."""
        subprocess.run(
            [self.code / "deploy/install", *options], env=self._environment, check=True, timeout=LONG
        )

    @property
    def first_options(self) -> list[str]:
        return [
            *("--host", "localhost", "--mail-from", "heldout@localhost", "--smtp-file", str(self._smtp)),
            *("--database", f"127.0.0.1:{self.cluster.port}", "--broker", f"127.0.0.1:{self.rabbit.port}"),
            *("--ports", ",".join(map(str, self.ports))),
        ]

    def manage(self, process: str, *command: str) -> str:
        """What `deploy/manage` says."""
        process = f"web@{self.ports[2]}" if process == "web" else process
        done = subprocess.run(
            [self.code / "deploy/manage", process, *command],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=LONG,
        )
        assert done.returncode == 0, done.stdout
        return done.stdout

    def enabled(self) -> list[ServiceUnit]:
        """The services that would start when the machine does."""
        folder = self.root / "etc/systemd/system"
        names = sorted({path.name for pattern in OURS for path in folder.glob(f"*.target.wants/{pattern}")})
        return [ServiceUnit.read(name, self.root) for name in names]

    def files(self) -> dict[str, tuple[bytes, int, int]]:
        """Contents, modes and owners of all that was installed."""
        found = [
            path
            for name in ("etc", "var/lib/heldout")
            for path in (self.root / name).rglob("*")
            if path.is_file()
        ]
        return {str(path): (path.read_bytes(), path.stat().st_mode, path.stat().st_uid) for path in found}


class Supervisor:
    """Runs units, and starts again what ends."""

    def __init__(self, units: list[ServiceUnit], root: Path) -> None:
        self._units = {unit.name: unit for unit in units}
        self._root = root
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._ended = threading.Event()
        self._watching = threading.Thread(target=self._watch)
        for name in self._units:
            self._start(name)
        self._watching.start()

    @property
    def names(self) -> list[str]:
        return list(self._units)

    def pid(self, name: str) -> int:
        return self._running[name].pid

    def log(self, name: str) -> str:
        return (self._root / f"{name}.log").read_text(errors="replace")[-3000:]

    def kill(self, name: str) -> None:
        """Kill the main process of a unit, as the kernel does when memory runs out."""
        self._running[name].kill()

    def stop(self) -> None:
        """End everything as systemd does: with a request first."""
        self._ended.set()
        self._watching.join()
        for process in self._running.values():
            process.terminate()
        for name, process in self._running.items():
            with suppress(subprocess.TimeoutExpired):
                process.wait(int(self._units[name].one("TimeoutStopSec", "60")))
            _end_group(process)

    def _start(self, name: str) -> None:
        unit, credentials = self._units[name], self._root / "run/credentials" / name
        with (self._root / f"{name}.log").open("ab") as log:
            for command in unit.commands("ExecStartPre", str(credentials)):
                assert unit.start(command, credentials, stdout=log, stderr=log).wait() == 0, self.log(name)
            (command,) = unit.commands(credentials=str(credentials))
            self._running[name] = unit.start(
                command, credentials, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )

    def _watch(self) -> None:
        while not self._ended.wait(0.1):
            for name, process in self._running.items():
                if process.poll() is not None and self._units[name].one("Restart") == "always":
                    _end_group(process)
                    time.sleep(float(self._units[name].one("RestartSec", "0.1")))
                    self._start(name)


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """What a unit leaves behind goes with it."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@contextmanager
def installed(postgres: Path, rabbitmq: Path) -> Iterator[Installation]:
    """An installation that was made by `deploy/install` in a folder of its own; nothing of it runs yet."""
    with ExitStack() as stack:
        folder = Path(
            stack.enter_context(TemporaryDirectory(prefix="heldout-hour-", ignore_cleanup_errors=True))
        )
        folder.chmod(0o711)
        cluster = Cluster(postgres, folder / "postgres")
        stack.callback(cluster.stop)
        rabbit = Rabbit(rabbitmq, folder / "rabbit")
        stack.callback(rabbit.stop)
        rabbit.start()
        (folder / "root").mkdir()
        installation = Installation(folder / "root", cluster, rabbit, rabbitmq.with_name("rabbitmqctl"))
        if not installation.is_reachable():
            pytest.skip("other users than root cannot read this checkout: the installation is NOT tried")
        installation.install(*installation.first_options)
        yield installation


def wait_until(is_so: Callable[[], bool], what: str, within: float = PATIENCE) -> None:
    """Wait for something that the processes do by themselves."""
    deadline = time.monotonic() + within
    while not is_so():
        assert time.monotonic() < deadline, f"not within {within:.0f} s: {what}"
        time.sleep(0.1)
