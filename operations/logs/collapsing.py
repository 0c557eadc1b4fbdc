"""A fault that is told again and again is written once an hour, with how often it was left out."""

import logging
import threading
import time
from collections.abc import Callable
from traceback import extract_tb

HOUR = 3600.0
MOST_KINDS = 1000


class OncePerHour(logging.Filter):
    """Lets the first record of a kind through, and the next one an hour later with `repeated`, the count in between.

    Of a kind are warnings and errors of one logger with the same words (before values stand in them) and the same
    exception at the same place. Everything below a warning passes.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._lock = threading.Lock()
        self._told: dict[tuple[object, ...], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.WARNING:
            return True
        kind, now = kind_of(record), self._clock()
        with self._lock:
            told_at, left_out = self._told.get(kind, (-HOUR, 0))
            if now - told_at < HOUR:
                self._told[kind] = (told_at, left_out + 1)
                return False
            if len(self._told) >= MOST_KINDS:
                self._told = {one: seen for one, seen in self._told.items() if now - seen[0] < HOUR}
            self._told[kind] = (now, 0)
        if left_out:
            record.repeated = left_out
        return True


def kind_of(record: logging.LogRecord) -> tuple[object, ...]:
    """What makes two records tell of the same fault."""
    error = record.exc_info[1] if record.exc_info else None
    place = extract_tb(error.__traceback__)[-1:] if error is not None else []
    where = [(frame.filename, frame.lineno) for frame in place]
    return record.name, record.levelno, str(record.msg), type(error).__name__, *where
