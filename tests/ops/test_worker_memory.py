"""What a worker does with memory that it has freed: the system need not clear it anew for the next array."""

import subprocess
import sys

from tests.ops.demos import ROOT, plain_environment

PROGRAM = """
import resource
import numpy
from config.celery import keep_freed_memory

def cleared():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(20):
        [numpy.ones(2**20) for _ in range(8)]
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

cleared()
plain = cleared()
keep_freed_memory()
cleared()
print(plain, cleared())
"""


def test_a_worker_uses_freed_arrays_again(tmp_path):
    environment = plain_environment() | {"HELDOUT_MODE": "test", "HELDOUT_DATA": str(tmp_path)}
    said = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=ROOT, env=environment, check=True, capture_output=True, text=True
    )
    plain, kept = map(int, said.stdout.split())
    assert kept < plain / 10
