"""Run the scripts that have goals, and print all their figures in one table; fails where a goal is missed.

Run: python -m perf [name ...]        all, or those scripts alone, such as reading.intake or boards.releases
"""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from perf.figures import FILE, hardware, read_figures, table

SCRIPTS = (
    ("batch",),
    ("boards.releases", "1000", "2"),
    ("boards.unchanged",),
    ("boards.paint",),
    ("reading.intake",),
    ("reading.refused",),
    ("reading.layouts",),
    ("requests.uploads",),
    ("requests.bulk",),
    ("pages",),
    ("statistics.rank_sets", "1000"),
    ("uncertainty",),
)
"""Modules of this package with their arguments."""


def main(wanted: list[str]) -> int:
    """How many goals were missed, and scripts that failed."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "figures")
        path.touch()
        failed = []
        for name, *arguments in SCRIPTS:
            if wanted and name not in wanted:
                continue
            print(f"== {name}", flush=True)
            command = [sys.executable, "-m", f"perf.{name}", *arguments]
            if subprocess.run(command, env=os.environ | {FILE: str(path)}, check=False).returncode:  # noqa: S603  # a script of this package
                failed.append(name)
        figures = read_figures(path)
    missed = [figure.name for figure in figures if figure.is_missed]
    print(f"\n{hardware()}\n\n{table(figures)}\n")
    for name in failed:
        print(f"{name} failed")
    print(f"{len(missed)} of {len(figures)} goals are missed." if missed else "Every goal is met.")
    return len(missed) + len(failed)


if __name__ == "__main__":
    sys.exit(1 if main(sys.argv[1:]) else 0)
