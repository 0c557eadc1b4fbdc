"""I6: the log is whole, and the audit log is what entered it."""

import datetime as dt
from collections.abc import Iterator

from leaderboard.publication.log_comparison import LogComparison
from operations.violation import Invariant, Violation

DO = (
    "Compare with a backup and with the checkpoints that others keep (docs/log.md), and find out who wrote to the "
    "database."
)


class AuditChain(Invariant):
    """Whether the tree of the log is what was signed, and no line of the audit log was changed or removed."""

    key = "I6"
    title = "the log begins with what was signed, and the audit log is what entered it"

    def violations(self, now: dt.datetime, *, thoroughly: bool) -> Iterator[Violation]:
        for difference in LogComparison().differences():
            where, _, what = difference.partition(": ")
            yield Violation(where, what, DO)
