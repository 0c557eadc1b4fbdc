"""How many bytes releases take in which nothing is new but one submission, week after week.

Run: python -m perf.boards.unchanged [systems] [releases]
"""

import os
import sys
from statistics import median

from perf.batch import load_gold, submit
from perf.boards.releases import release
from perf.figures import Measurement, report
from perf.server import scratch_server
from perf.timing import number_asked_for

MOST_MEGABYTES = 0.3


def main(systems: int, releases: int) -> None:
    """Print what each release after the first takes, and whether it grows."""
    os.sched_setaffinity(0, {0})
    with scratch_server():
        load_gold()
        submit(systems)
        release()
        later = []
        for number in range(1, releases):
            submit(1, first=systems + number)
            later.append(release())
            print(f"  {later[-1].line}")
    half = len(later) // 2
    report(
        Measurement(
            f"bytes of a release of {systems} with nothing new",
            median(spent.database_bytes for spent in later) / 1e6,
            "MB",
            MOST_MEGABYTES,
        ),
        Measurement(
            f"time of the later half of {releases} releases, of the earlier half's",
            100
            * sum(spent.seconds for spent in later[-half:])
            / sum(spent.seconds for spent in later[:half]),
            "%",
        ),
    )


if __name__ == "__main__":
    main(number_asked_for(100), int(sys.argv[2]) if len(sys.argv) > 2 else 13)
