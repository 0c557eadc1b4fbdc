"""What every measurement needs: the processor's seconds, medians of ways that take turns, and the number asked for."""

import resource
import sys
import time
from collections.abc import Callable, Mapping
from statistics import median


def number_asked_for(default: int) -> int:
    """The first argument of the command line."""
    return int(sys.argv[1]) if len(sys.argv) > 1 else default


def cpu_seconds(work: Callable[[], object]) -> float:
    """What the work takes of the processor, so that it means something on a busy machine too; processes included."""
    started = time.process_time() + _of_children()
    work()
    return time.process_time() + _of_children() - started


def _of_children() -> float:
    """The processor's seconds of processes that have ended and were waited for."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def memory() -> float:
    """The most megabytes that this process has held at once."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def by_turns(
    ways: Mapping[str, Callable[[], object]], rounds: int, least_seconds: float = 0.0
) -> dict[str, float]:
    """The median seconds of each way, which take turns so that ratios hold though the machine's speed drifts.

    In its turn a way is run again and again for `least_seconds`, as a worker scores a batch.
    """
    spent: dict[str, list[float]] = {way: [] for way in ways}
    for _ in range(rounds):
        for way, run in ways.items():
            started, count = time.perf_counter(), 0
            while not count or time.perf_counter() - started < least_seconds:
                run()
                count += 1
            spent[way].append((time.perf_counter() - started) / count)
    return {way: median(seconds) for way, seconds in spent.items()}
