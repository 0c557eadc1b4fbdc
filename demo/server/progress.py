"""How far the demo's data are, read from the log of the process that makes them. Without Django."""

import sys
from pathlib import Path

# The logger whose lines are shown to whoever starts the demo.
PROGRESS = "demo.server.progress"


class DemoProgress:
    """The lines of progress that come into a log file from now on."""

    def __init__(self, log_file: Path) -> None:
        self.log_file = log_file
        self._read = log_file.stat().st_size if log_file.exists() else 0

    def news(self) -> list[str]:
        """What has come since the last time; a line that is not whole yet comes with the next."""
        if not self.log_file.exists():
            return []
        with self.log_file.open("rb") as log:
            log.seek(self._read)
            whole, end, _ = log.read().rpartition(b"\n")
        self._read += len(whole) + len(end)
        return [
            said
            for line in whole.decode(errors="replace").splitlines()
            if (said := line.partition(f" {PROGRESS} ")[2])
        ]


def show(text: str) -> None:
    """A line of its own, or in a terminal in place of the one before; an empty one takes that away."""
    if sys.stdout.isatty():
        print(f"\r\x1b[K{text}", end="", flush=True)
    elif text:
        print(text, flush=True)
