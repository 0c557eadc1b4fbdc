"""Measured numbers beside their goals: what a script reports, and the table of all of them."""

import json
import os
import platform
import re
import subprocess
from dataclasses import asdict, dataclass
from pathlib import Path

FILE = "HELDOUT_FIGURES"
"""The environment variable that names the file to which scripts add their figures, a line of JSON each."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """One number. `goal` is the most that is wanted, or with `at_least` the least; None where the number only informs.

    `ratio` is what the usual way takes in multiples of ours, in the same run, and `peer` names that way.
    """

    name: str
    value: float
    unit: str
    goal: float | None = None
    at_least: bool = False
    ratio: float | None = None
    peer: str = ""

    @property
    def is_missed(self) -> bool:
        if self.goal is None:
            return False
        return self.value < self.goal if self.at_least else self.value > self.goal

    @property
    def cells(self) -> tuple[str, ...]:
        wanted = "" if self.goal is None else f"{'≥' if self.at_least else '≤'} {_number(self.goal)}"
        ratio = "" if self.ratio is None else f"{_number(self.ratio)} times as long: {self.peer}"
        return (
            self.name,
            f"{_number(self.value)} {self.unit}",
            wanted,
            "missed" if self.is_missed else "",
            ratio,
        )


def report(*figures: Measurement) -> None:
    """Add figures to the table, where one is being made."""
    if path := os.environ.get(FILE):
        with Path(path).open("a", encoding="utf-8") as file:
            file.writelines(f"{json.dumps(asdict(figure))}\n" for figure in figures)


def read_figures(path: Path) -> list[Measurement]:
    """What scripts have reported to that file, in their order."""
    return [Measurement(**json.loads(line)) for line in path.read_text("utf-8").splitlines()]


def table(figures: list[Measurement]) -> str:
    """The figures as a table in Markdown."""
    heads = ("Figure", "Measured", "Goal", "", "The usual way takes")
    lines = [heads, ("---",) * len(heads), *(figure.cells for figure in figures)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def hardware() -> str:
    """On what was measured: processor, cores, versions and the commit."""
    named = re.search(r"model name\s*: (.+)", Path("/proc/cpuinfo").read_text())
    processor = " ".join(named[1].split()) if named else platform.processor()
    commit = subprocess.run(  # our own command
        ["git", "rev-parse", "--short", "HEAD"],  # noqa: S607  # git where the path has it; without it: unknown
        capture_output=True,
        text=True,
        check=False,
    ).stdout.strip()
    return f"{processor}, {os.cpu_count()} cores, Python {platform.python_version()}, commit {commit or 'unknown'}"


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
