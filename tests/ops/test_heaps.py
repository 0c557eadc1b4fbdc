"""What processes keep of memory that they have let go of: those of the web little, workers what arrays were in."""

import platform
import subprocess
import sys

import pytest

from tests.ops.demos import ROOT, plain_environment

# Each of 16 threads fills its heap and lets all of it go but a little at the end: so requests do with what an answer is
# made of, and with what they leave for others.
PROGRAM = """
import os, threading
from config import settings
{begin}

def resident():
    told = open("/proc/self/statm").read().split()
    return int(told[1]) * os.sysconf("SC_PAGESIZE") / 1e6

kept, turn, ended = [], threading.Lock(), threading.Barrier(17)

def work():
    with turn:
        blocks = [b"x" * {size} for _ in range({count})]
        kept.append(bytes(1000))
        blocks.clear()
    ended.wait()

before = resident()
threads = [threading.Thread(target=work) for _ in range(16)]
for thread in threads:
    thread.start()
ended.wait()
print(resident() - before)
"""


def megabytes_kept(begin: str, size: int, count: int, folder: str) -> float:
    """What a process that begins so has more than before, after its threads had so many blocks of that size each."""
    environment = plain_environment() | {"HELDOUT_MODE": "test", "HELDOUT_DATA": folder}
    environment["DJANGO_SETTINGS_MODULE"] = "config.settings"
    command = [sys.executable, "-c", PROGRAM.format(begin=begin, size=size, count=count)]
    said = subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True)
    return float(said.stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc has a heap for each thread")
@pytest.mark.parametrize(("size", "count"), [(100_000, 60), (6_000_000, 4)])
def test_sixteen_threads_leave_little_behind_in_a_web_process(size, count, tmp_path):
    assert megabytes_kept("import config.wsgi", size, count, str(tmp_path)) < 20
    assert megabytes_kept("", size, count, str(tmp_path)) > 20  # as it would be otherwise


# The system clears each page that it gives out: how many, before and after a worker gets ready for its children.
AGAIN = """
import resource
import django, numpy
django.setup()
from config.celery import load_ahead

def cleared():
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(20):
        [numpy.ones(2**20) for _ in range(8)]
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before

cleared()
plain = cleared()
load_ahead()
cleared()
print(plain, cleared())
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="only glibc is told what to keep")
def test_a_worker_uses_freed_arrays_again(tmp_path):
    environment = plain_environment() | {"HELDOUT_MODE": "test", "HELDOUT_DATA": str(tmp_path)}
    environment["DJANGO_SETTINGS_MODULE"] = "config.settings"
    said = subprocess.run(
        [sys.executable, "-c", AGAIN], cwd=ROOT, env=environment, check=True, capture_output=True, text=True
    )
    plain, kept = map(int, said.stdout.split())
    assert kept < plain / 10
