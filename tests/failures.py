"""A pytest plugin: say what failed when it fails, and what was running when the run was stopped.

Both so that a run which is cut off has still told where. With `TESTS_UNTIL` no test begins after that time, in seconds
since 1970: those that are left are skipped, and told as such.
"""

import os
import time
from pathlib import Path

import pytest

UNTIL = float(os.environ.get("TESTS_UNTIL", "inf"))
LINES = 60  # of the end of a failure's text; pytest prints the whole when the run is over


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # the workers report to the process that reads the terminal
        config.pluginmanager.register(Failures(config))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    if time.time() > UNTIL:
        # Counted as not run at the end: CI ends after 90 minutes, and what it had no time for must not fail.
        pytest.skip("no time was left for it in this run")


def still_running(report: Path) -> Path:
    """Where the tests stand that were running when the run of this report was stopped."""
    return report.with_suffix(".running")


class Failures:
    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._begun: dict[str, float] = {}

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._begun[nodeid] = time.monotonic()

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        self._begun.pop(nodeid, None)

    def pytest_keyboard_interrupt(self) -> None:
        """Tests that hang, beside the report: it holds only those that are over."""
        now = time.monotonic()
        running = [f"{test}, for {now - begun:.0f} s" for test, begun in self._begun.items()]
        if report := self._config.getoption("xmlpath"):
            still_running(Path(report)).write_text("\n".join(running), "utf-8")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        terminal = self._config.pluginmanager.get_plugin("terminalreporter")
        if report.failed and terminal is not None:
            last = report.longreprtext.splitlines()[-LINES:]
            terminal.write_line("")
            terminal.write_line("\n".join([f"== {report.nodeid} failed ({report.when})", *last]))
