"""A pytest plugin: say what failed when it fails, so that a run which is cut off has still told it."""

import pytest

LINES = 60  # of the end of a failure's text; pytest prints the whole when the run is over


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):  # the workers report to the process that reads the terminal
        config.pluginmanager.register(Failures(config))


class Failures:
    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        terminal = self._config.pluginmanager.get_plugin("terminalreporter")
        if report.failed and terminal is not None:
            last = report.longreprtext.splitlines()[-LINES:]
            terminal.write_line("")
            terminal.write_line("\n".join([f"== {report.nodeid} failed ({report.when})", *last]))
