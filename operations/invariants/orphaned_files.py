"""I12: no file is left that belongs to nobody."""

import datetime as dt
from collections.abc import Iterator

from operations import stored_files
from operations.violation import Invariant, Violation


class OrphanedFiles(Invariant):
    """Whether each stored file that is older than a day belongs to a row."""

    key = "I12"
    title = "no file older than a day is without a row"

    def violations(self, now: dt.datetime, *, thoroughly: bool) -> Iterator[Violation]:
        for name in stored_files.orphaned_files(now):
            yield Violation(name, "no row names this file.", "`manage.py scrub` removes it.")
