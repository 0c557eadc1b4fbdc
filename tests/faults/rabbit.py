"""A private RabbitMQ node that touches nothing outside its folder."""

import os
import shutil
import signal
import socket
import subprocess
import time
from contextlib import suppress
from pathlib import Path

from tests.ports import free_port

PATIENCE = 60.0


def find_rabbitmq() -> Path | None:
    """RabbitMQ's own start script; Debian's wrapper around it always starts the machine's own node."""
    scripts = sorted(Path("/usr/lib/rabbitmq/lib").glob("rabbitmq_server-*/sbin/rabbitmq-server"))
    return scripts[-1] if scripts and shutil.which("epmd") else None


class Rabbit:
    """One node with its own port mapper, both children of this process."""

    def __init__(self, program: Path, folder: Path) -> None:
        folder.mkdir()
        self.folder = folder
        self.port, self._mapper_port = free_port(), free_port()
        self._program = program
        self.environment = {
            "PATH": os.environ["PATH"],
            "LANG": "C.UTF-8",
            "HOME": str(folder),
            "RABBITMQ_NODENAME": f"heldout{self.port}@localhost",
            "RABBITMQ_NODE_IP_ADDRESS": "127.0.0.1",
            "RABBITMQ_NODE_PORT": str(self.port),
            "RABBITMQ_DIST_PORT": str(free_port()),
            "RABBITMQ_SERVER_START_ARGS": "-kernel inet_dist_use_interface {127,0,0,1}",
            "RABBITMQ_MNESIA_BASE": str(folder / "mnesia"),
            "RABBITMQ_LOG_BASE": str(folder / "log"),
            "RABBITMQ_CONFIG_FILE": str(folder / "rabbitmq"),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(folder / "enabled_plugins"),
            "RABBITMQ_PID_FILE": str(folder / "pid"),
            "ERL_EPMD_PORT": str(self._mapper_port),
            "ERL_EPMD_ADDRESS": "127.0.0.1",
        }
        self._processes: list[subprocess.Popen[bytes]] = []

    @property
    def url(self) -> str:
        """Where Celery finds it."""
        return f"amqp://guest:guest@127.0.0.1:{self.port}//"

    def start(self) -> None:
        """Start the node and wait until it takes connections."""
        self._processes = [self._run("epmd", "-port", str(self._mapper_port)), self._run(str(self._program))]
        deadline = time.monotonic() + PATIENCE
        while not _answers(self.port):
            if time.monotonic() > deadline or self._processes[-1].poll() is not None:
                raise AssertionError(
                    f"RabbitMQ did not start:\n{(self.folder / 'output').read_text()[-3000:]}"
                )
            time.sleep(0.1)

    def _run(self, *command: str) -> subprocess.Popen[bytes]:
        with (self.folder / "output").open("ab") as output:
            return subprocess.Popen(
                command,
                cwd=self.folder,  # where it leaves what it writes as it dies
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    def stop(self) -> None:
        """Kill node and port mapper, as a power cut does."""
        for process in self._processes:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def pause(self) -> None:
        """Let it say nothing any more, though it is there."""
        os.killpg(self._processes[-1].pid, signal.SIGSTOP)

    def go_on(self) -> None:
        """Let it say what it has to say."""
        os.killpg(self._processes[-1].pid, signal.SIGCONT)

    def forget(self) -> None:
        """Lose every queue and message."""
        shutil.rmtree(self.folder / "mnesia", ignore_errors=True)


def _answers(port: int) -> bool:
    """Whether an AMQP server greets: it answers an unknown protocol with the one it speaks."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1) as connection:
            connection.sendall(b"HELLO\0\0\0")
            return connection.recv(4) == b"AMQP"
    except OSError:
        return False
