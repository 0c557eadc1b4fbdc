"""`make demo`'s program starts real processes and leaves none behind, however it ends."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ops.demos import ROOT, Demo
from tests.ports import free_port

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="processes are looked up in /proc, which is Linux's"),
]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder that is filled by the first demo of the module."""
    return tmp_path_factory.mktemp("demo") / "data"


@pytest.fixture
def demo(data: Path) -> Iterator[Demo]:
    running = Demo(data, free_port())
    try:
        running.wait_until_ready()
        yield running
    finally:
        running.end_for_sure()


@pytest.mark.faults
def test_demo_shows_its_board_and_ctrl_c_leaves_no_process(demo):
    home, board = demo.get("/"), demo.get("/benchmarks/raft/")

    assert home[0] == board[0] == 200
    assert "Goldcrest" in board[1]
    assert "synthetic" in board[1].lower()
    demo.process.send_signal(signal.SIGINT)
    demo.wait_until_gone()
    assert demo.process.returncode == 0
    assert "Nothing is left running" in demo.said()


@pytest.mark.faults
def test_demo_killed_outright_leaves_no_process(demo):
    demo.process.kill()

    demo.wait_until_gone()


@pytest.mark.faults
def test_demo_stops_and_names_the_process_that_died(demo):
    os.kill(demo.running("\0beat"), signal.SIGKILL)

    demo.wait_until_gone()
    assert demo.process.returncode == 1
    assert "“beat” ended by itself" in demo.said()


def test_demo_on_a_taken_port_says_so(tmp_path):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = int(other.getsockname()[1])
        running = Demo(tmp_path / "data", port)
        running.wait_until_gone()

    assert running.process.returncode == 1
    assert f"Port {port} cannot be used" in running.said()


def test_demo_refuses_a_port_that_is_none(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "demo"],
        cwd=ROOT,
        env=os.environ | {"PORT": "http", "HELDOUT_DATA": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 2
    assert "PORT=http is no port" in done.stderr


def test_demo_tells_how_it_is_started_and_starts_nothing(tmp_path):
    data = tmp_path / "data"
    done = subprocess.run(
        [sys.executable, "-m", "demo", "--help", "--data", str(data)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert done.returncode == 0
    assert "--port" in done.stdout
    assert not data.exists()
