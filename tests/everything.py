"""`make test`: every test on SQLite, those that use the database again on PostgreSQL, and what was not run.

Arguments are handed on to pytest: python -m tests.everything -k quota
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tests.postgres import temporary_postgres

WITHOUT_DATABASE = (
    "tests/benchmarks/spec",
    "tests/client",
    "tests/leaderboard/board",
    "tests/ops",
    "tests/scoring/core",
    "tests/submissions/intake",
)
PYTEST = [sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "loadfile"]
NOTHING_COLLECTED = 5


def main(arguments: Sequence[str]) -> int:
    """Run both rounds; returns 0 where all that ran has passed."""
    with tempfile.TemporaryDirectory(prefix="heldout-report-") as folder:
        sqlite, postgres = Path(folder, "sqlite.xml"), Path(folder, "postgres.xml")
        print("== SQLite", flush=True)
        failed = _run([*arguments], sqlite, database_url="")
        print("== PostgreSQL", flush=True)
        ignored = [f"--ignore={path}" for path in WITHOUT_DATABASE]
        with temporary_postgres() as url:
            failed |= _run(["-m", "not browser", *ignored, *arguments], postgres, database_url=url)
        for name, report in (("SQLite", sqlite), ("PostgreSQL", postgres)):
            print(_summary(name, report))
    return int(failed)


def _run(arguments: Sequence[str], report: Path, *, database_url: str) -> bool:
    """Whether something failed. The database is that of `database_url`, by default SQLite."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("HELDOUT_")}
    if database_url:
        environment["HELDOUT_DATABASE_URL"] = database_url
    done = subprocess.run([*PYTEST, f"--junitxml={report}", *arguments], env=environment, check=False)
    return done.returncode not in (0, NOTHING_COLLECTED)


def _summary(name: str, report: Path) -> str:
    """How many tests passed, and of those that were not run, how many for which reason."""
    if not report.is_file():
        return f"{name}: pytest did not get as far as a report."
    cases = ET.parse(report).getroot().findall(".//testcase")  # noqa: S314  # our own pytest wrote it
    skipped = [found for case in cases if (found := case.find("skipped")) is not None]
    failed = [case for case in cases if case.find("failure") is not None or case.find("error") is not None]
    lines = [f"{name}: {len(cases) - len(skipped) - len(failed)} passed, {len(failed)} failed."]
    reasons = Counter(one.get("message", "for no stated reason") for one in skipped)
    lines += [f"  NOT RUN: {count} tests: {reason}" for reason, count in sorted(reasons.items())]
    return "\n".join(lines if reasons else [*lines, "  Nothing was left out."])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
