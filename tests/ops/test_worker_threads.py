"""In how many threads a worker multiplies matrices: others of its kind are at work beside it."""

import os
import subprocess
import sys

import pytest

from tests.ops.demos import ROOT, plain_environment

PROGRAM = """
import sys
sys.argv[0] = "{called}"
import config.celery, numpy, os
matrix = numpy.ones((1000, 1000))
matrix @ matrix
print(len(os.listdir("/proc/self/task")))
"""


def threads(called: str, folder: str) -> int:
    """How many threads a process that is called so has after a product of matrices."""
    environment = plain_environment() | {"HELDOUT_MODE": "test", "HELDOUT_DATA": folder}
    environment.pop("OPENBLAS_NUM_THREADS", None)
    command = [sys.executable, "-c", PROGRAM.format(called=called)]
    said = subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True)
    return int(said.stdout)


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="on one core there is one thread in any case")
def test_a_worker_multiplies_in_one_thread(tmp_path):
    assert threads("celery", str(tmp_path)) == 1
    assert threads("python", str(tmp_path)) > 1  # as it would be otherwise
