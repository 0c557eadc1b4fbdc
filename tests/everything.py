"""`make test`: every test on SQLite, those that depend on the database again on PostgreSQL, and what was not run.

Arguments are handed on to pytest: python -m tests.everything -k quota
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.postgres import temporary_postgres

# PostgreSQL is tried with what writes, what asks, what runs beside itself, and with every address once
# (tests/functional/test_every_address.py). What is here runs on SQLite alone; a new file runs on both.
NO_DATABASE = (
    "tests/architecture",
    "tests/benchmarks/spec",
    "tests/leaderboard/board",
    "tests/ops",
    "tests/scoring/core",
    "tests/submissions/intake",
)
# They put together what the other tests try on both: demos, clients, baselines, numbers of official scorers (of which
# tests/functional/test_raft.py stays on both), crawls of the site, and tables of who may open what.
PUT_TOGETHER = (
    "tests/admin/test_roles.py",
    "tests/api/test_access.py",
    "tests/api/test_errors.py",
    "tests/client",
    "tests/functional/test_affect_cases.py",
    "tests/functional/test_anonymity.py",
    "tests/functional/test_bibi_case.py",
    "tests/functional/test_bibi_files.py",
    "tests/functional/test_dynasent_case.py",
    "tests/functional/test_dynasent_responses.py",
    "tests/functional/test_equity_corpus.py",
    "tests/functional/test_heads.py",
    "tests/functional/test_stance_cases.py",
    "tests/leaderboard/demo",
    "tests/scoring/test_evaluate.py",
    "tests/scoring/test_evaluate_cases.py",
    "tests/submissions/baselines",
    "tests/submissions/test_pages_access.py",
)
# They read what a release has published, which is the same bytes on both.
PUBLISHED = tuple(
    f"tests/leaderboard/test_{name}.py"
    for name in (
        "board_table",
        "breaking_boards",
        "chance_on_pages",
        "change_log",
        "eleventh_data_set",
        "equity_report",
        "external_sets",
        "figures",
        "home",
        "human_estimate",
        "item_counts",
        "item_pages",
        "printed",
        "protocol_boards",
        "provenance_page",
        "reading",
        "robustness_boards",
        "styleguide",
        "system_page",
        "takeaway",
    )
)
ONCE_IS_ENOUGH = (*NO_DATABASE, *PUT_TOGETHER, *PUBLISHED)
PYTEST = [
    *(sys.executable, "-m", "pytest", "-q", "-p", "tests.failures"),
    *("-n", "2", "--dist", "loadfile", "--no-loadscope-reorder"),  # in the order of tests/conftest.py
]
MEMORY = Path("/dev/shm")  # noqa: S108  # a folder of our own is made in it
ENOUGH_MEMORY = 4 * 2**30  # bytes; several times what a round writes
NOTHING_COLLECTED = 5
PATIENCE = 40 * 60  # seconds for one round; several times what it takes


def main(arguments: Sequence[str]) -> int:
    """Run both rounds; returns 0 where all that ran has passed."""
    with _working_folder() as folder:
        sqlite, postgres = Path(folder, "sqlite.xml"), Path(folder, "postgres.xml")
        print("== SQLite", flush=True)
        failed = _run([*arguments], sqlite, database_url="")
        print("== PostgreSQL", flush=True)
        ignored = [f"--ignore={path}" for path in ONCE_IS_ENOUGH]
        with temporary_postgres() as url:
            failed |= _run(["-m", "not browser", *ignored, *arguments], postgres, database_url=url)
        for name, report in (("SQLite", sqlite), ("PostgreSQL", postgres)):
            print(_summary(name, report))
    return int(failed)


@contextlib.contextmanager
def _working_folder() -> Iterator[str]:
    """A folder for all that tests write, in memory where there is room: some disks take minutes to delete it."""
    memory = MEMORY if _has_room(MEMORY) else None
    with tempfile.TemporaryDirectory(
        prefix="heldout-tests-", dir=memory, ignore_cleanup_errors=True
    ) as folder:
        if memory:
            os.chmod(folder, 0o711)  # noqa: S103  # the database server, another user, comes to its own folder in it
            tempfile.tempdir = os.environ["TMPDIR"] = folder
        yield folder


def _has_room(folder: Path) -> bool:
    if not folder.is_dir():
        return False
    about = os.statvfs(folder)
    return about.f_bavail * about.f_frsize >= ENOUGH_MEMORY and not about.f_flag & os.ST_NOEXEC


def _run(arguments: Sequence[str], report: Path, *, database_url: str) -> bool:
    """Whether something failed. The database is that of `database_url`, by default SQLite."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("HELDOUT_")}
    environment["OPENBLAS_NUM_THREADS"] = "1"  # the workers take all cores
    # Many processes start, and each would compile everything.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    if database_url:
        environment["HELDOUT_DATABASE_URL"] = database_url
    with subprocess.Popen(
        [*PYTEST, f"--junitxml={report}", *arguments], env=environment, start_new_session=True
    ) as pytest:
        try:
            return pytest.wait(PATIENCE) not in (0, NOTHING_COLLECTED)
        except subprocess.TimeoutExpired:
            print(f"== stopped: this round was not over after {PATIENCE // 60} minutes", flush=True)
            return True
        finally:
            _end(pytest)


def _end(pytest: subprocess.Popen[bytes]) -> None:
    """End its workers with it: one that hangs must not hold up the next round."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pytest.pid, signal.SIGKILL)


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
