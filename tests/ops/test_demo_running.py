"""What can be done beside a running demo."""

import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from tests.ops.demos import ROOT, Demo, plain_environment
from tests.ports import free_port

pytestmark = [
    pytest.mark.faults,
    pytest.mark.skipif(sys.platform != "linux", reason="processes are looked up in /proc, which is Linux's"),
]


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    running = Demo(tmp_path_factory.mktemp("demo") / "data", free_port())
    try:
        running.wait_until_ready()
        yield running
    finally:
        running.end_for_sure()


def test_demo_gives_the_private_key_to_the_worker_alone(demo):
    assert "HELDOUT_GOLD_PRIVATE_KEY_FILE" in demo.environment_of("\0worker")
    assert "HELDOUT_GOLD_PRIVATE_KEY_FILE" not in demo.environment_of("/granian")
    assert "HELDOUT_GOLD_PRIVATE_KEY_FILE" not in demo.environment_of("\0beat")


def test_second_demo_on_the_same_folder_says_so(demo):
    second = Demo(demo.data, free_port())

    second.wait_until_gone()

    assert second.process.returncode == 1
    assert "Another demo is running" in second.said()


def test_demo_batch_is_closed_by_hand_while_it_runs(demo):
    done = subprocess.run(
        [sys.executable, "manage.py", "run_due", "--close", "raft/main"],
        cwd=ROOT,
        env=plain_environment() | {"HELDOUT_DATA": str(demo.data)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    deadline = time.monotonic() + 60
    while demo.get("/benchmarks/raft/releases/8.json")[0] != 200:
        assert time.monotonic() < deadline, done.stdout
        time.sleep(0.2)
    cited = demo.get("/benchmarks/raft/releases/8.bib")[1]
    assert f"http://localhost:{demo.port}/benchmarks/raft/releases/8/" in cited
    assert "localhost:8000" not in cited
