"""`make test`, and the longer suites beside it; says at the end what was not run.

`make test` is what everybody runs: every test but those that a longer suite takes, on SQLite, and what depends on the
database (files marked `postgres`) once more on PostgreSQL. Tests that wait for processes run in a worker of their own.
Files that take a processor for long are marked `thorough`; run those that are about what you change.

The longer suites, one marker each, are run by `.ci/run` after it:

thorough    every page for every role, whole protocols, definitions and boards of the five benchmarks, and four times as
            many examples of what hypothesis draws
faults      processes killed in loops, brokers lost, demos stopped in every way; what is marked `at_length` in full
redteam     two worlds with other gold labels, crawled by everybody and compared
walks       whole protocols in a browser, every page under axe-core, the story of the demo, exports through LaTeX
published   agreement with official scorers once more on the published files of ../shared/cases
events      whole shared tasks drawn by lot, each compared with what its rules say
postgres    what `make test` leaves out on PostgreSQL: the other quick tests, and long ones of files marked so

Several are one run, which prepares its databases once: python -m tests.everything thorough walks
Arguments are handed on to pytest: python -m tests.everything test -k quota
"""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import takewhile
from pathlib import Path

from tests.failures import still_running
from tests.postgres import prepared_postgres

TESTS = Path(__file__).parent
APART = ("faults", "redteam", "walks", "published", "events")
ON_ANY_DATABASE = " and ".join(f"not {marker}" for marker in APART)
QUICK = f"not thorough and {ON_ANY_DATABASE}"
WAITING = ("tests/browser", "tests/faults", "tests/ops")
"""Their tests wait for processes of their own most of the time."""
PYTEST = [
    *(sys.executable, "-m", "pytest", "-q", "-p", "tests.failures"),
    *("--dist", "loadfile", "--no-loadscope-reorder"),  # in the order of tests/conftest.py
]
MEMORY = Path("/dev/shm")  # noqa: S108  # a folder of our own is made in it
ENOUGH_MEMORY = 4 * 2**30  # bytes; several times what a round writes
NOTHING_COLLECTED = 5
PATIENCE = 40 * 60  # seconds for one round; several times what it takes
TO_SAY_WHERE = 60  # seconds, once it is over
NAMED = 20  # tests that failed


@dataclass(frozen=True)
class Round:
    """One run of pytest: which tests by their markers, in which files (all if none are named), in how many workers."""

    name: str
    markers: str
    files: tuple[str, ...] = ()
    workers: int = 2
    environment: tuple[tuple[str, str], ...] = ()
    patience: int = PATIENCE

    def and_also(self, other: "Round") -> "Round":
        """Both in one run."""
        return Round(
            f"{self.name}, {other.name}",
            f"({self.markers}) or ({other.markers})",
            tuple(dict.fromkeys([*self.files, *other.files])) if self.files and other.files else (),
            max(self.workers, other.workers),
            self.environment + other.environment,
            self.patience + other.patience,
        )


AT_LENGTH = (("AT_LENGTH", "1"),)  # for tests/at_length.py


def files_with(*signs: str) -> tuple[str, ...]:
    """The test files in which one of these stands: to read all others takes longer than some suites."""
    paths = sorted(TESTS.rglob("test_*.py"))
    return tuple(str(path) for path in paths if any(sign in path.read_text("utf-8") for sign in signs))


def files_marked(marker: str) -> tuple[str, ...]:
    """The test files that name a marker."""
    return files_with(f"mark.{marker}")


SUITES: dict[str, tuple[Round, ...]] = {
    "test": (
        Round("SQLite", QUICK, tuple(f"--ignore={path}" for path in WAITING)),
        Round("SQLite, tests that wait", QUICK, WAITING, workers=1),
    ),
    "thorough": (
        Round(
            "thorough",
            f"(thorough or hypothesis) and {ON_ANY_DATABASE}",
            files_with("mark.thorough", "@given"),
            environment=AT_LENGTH,
        ),
    ),
    "faults": (Round("faults", "faults or at_length", WAITING, environment=AT_LENGTH),),
    **{marker: (Round(marker, marker, files_marked(marker)),) for marker in ("redteam", "walks", "events")},
    "published": (Round("published", "published"),),
    "postgres": (),
}
"""Rounds of a suite that run at the same time, on SQLite."""


def on_postgres(suite: str) -> Round | None:
    """What a suite runs on PostgreSQL afterwards."""
    if suite == "test":
        return Round("PostgreSQL", f"postgres and {QUICK}", files_marked("postgres"))
    left_out = f"({QUICK} and not postgres) or (thorough and postgres and {ON_ANY_DATABASE})"
    return Round("PostgreSQL", left_out) if suite == "postgres" else None


def main(arguments: Sequence[str]) -> int:
    """Run the suites that are named first, by default `test`; returns 0 where all that ran has passed."""
    named = [*takewhile(SUITES.__contains__, arguments)]
    suites, more = named or ["test"], arguments[len(named) :]
    rounds = tuple(one for suite in suites for one in SUITES[suite])
    if len(suites) > 1:
        rounds = (reduce(Round.and_also, rounds),)
    afterwards = list(filter(None, map(on_postgres, suites)))
    with _working_folder() as folder, contextlib.ExitStack() as stack:
        # Its tables are made while the rounds before it wait for processes.
        tables_made = stack.enter_context(prepared_postgres()) if afterwards else None
        reports = {one.name: Path(folder, f"{number}.xml") for number, one in enumerate(rounds)}
        failed = _run_at_once(rounds, more, reports)
        for last in afterwards:
            reports[last.name] = Path(folder, "postgres.xml")
            environment = tuple(tables_made().items()) if tables_made else ()
            failed |= _run_at_once([last], more, reports, environment=environment)
        for name, report in reports.items():
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


def _run_at_once(
    rounds: Sequence[Round],
    more: Sequence[str],
    reports: dict[str, Path],
    environment: tuple[tuple[str, str], ...] = (),
) -> bool:
    """Whether something failed. The first round says all it has to say at once, others when they are over."""
    with contextlib.ExitStack() as stack:
        running = []
        for number, one in enumerate(rounds):
            said = reports[one.name].with_suffix(".txt") if number else None
            print(f"== {one.name}", flush=True)
            running.append(
                (one, said, stack.enter_context(_started(one, more, reports[one.name], said, environment)))
            )
        failed = [_is_failed(pytest, said, one.patience) for one, said, pytest in running]
    return any(failed)


@contextlib.contextmanager
def _started(
    one: Round, more: Sequence[str], report: Path, said: Path | None, environment: tuple[tuple[str, str], ...]
) -> Iterator[subprocess.Popen[bytes]]:
    """It runs; ended with its workers afterwards, because one that hangs must not hold up the next round."""
    plain = {key: value for key, value in os.environ.items() if not key.startswith("HELDOUT_")}
    plain["OPENBLAS_NUM_THREADS"] = "1"  # the workers take all cores
    # Many processes start, and each would compile everything.
    plain.pop("PYTHONDONTWRITEBYTECODE", None)
    selected = ["-m", one.markers, *one.files, *more]
    command = [*PYTEST, "-n", str(one.workers), f"--junitxml={report}", *selected]
    with contextlib.ExitStack() as stack:
        output = stack.enter_context(said.open("wb")) if said else None
        pytest = stack.enter_context(
            subprocess.Popen(
                command,
                env=plain | dict(one.environment) | dict(environment),
                stdout=output,
                stderr=output,
                start_new_session=True,
            )
        )
        try:
            yield pytest
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(pytest.pid, signal.SIGKILL)


def _is_failed(pytest: subprocess.Popen[bytes], said: Path | None, patience: int) -> bool:
    try:
        return pytest.wait(patience) not in (0, NOTHING_COLLECTED)
    except subprocess.TimeoutExpired:
        print(f"== stopped: this round was not over after {patience // 60} minutes", flush=True)
        pytest.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            pytest.wait(TO_SAY_WHERE)
        return True
    finally:
        if said:
            print(said.read_text("utf-8", errors="replace"), flush=True)


def _summary(name: str, report: Path) -> str:
    """How many tests passed, which did not, and of those that were not run, how many for which reason."""
    if not report.is_file():
        return f"{name}: pytest did not get as far as a report."
    cases = ET.parse(report).getroot().findall(".//testcase")  # noqa: S314  # our own pytest wrote it
    skipped = [found for case in cases if (found := case.find("skipped")) is not None]
    failed = [case for case in cases if case.find("failure") is not None or case.find("error") is not None]
    lines = [f"{name}: {len(cases) - len(skipped) - len(failed)} passed, {len(failed)} failed."]
    lines += [f"  FAILED: {case.get('classname')}.{case.get('name')}" for case in failed[:NAMED]]
    if (running := still_running(report)).is_file():
        lines += [f"  STOPPED WHILE RUNNING: {test}" for test in running.read_text("utf-8").splitlines()]
    reasons = Counter(one.get("message", "for no stated reason") for one in skipped)
    lines += [f"  NOT RUN: {count} tests: {reason}" for reason, count in sorted(reasons.items())]
    return "\n".join(lines if reasons or len(lines) > 1 else [*lines, "  Nothing was left out."])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
