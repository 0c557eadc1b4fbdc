"""The signed checkpoint of the log from just before a release, which its page, its mails and the feed hand out."""

from collections.abc import Iterator
from typing import TypedDict

from leaderboard.reports.report import BoardPlace, ReleaseDraft, ReleaseReport, ReportPart, Slot
from transparency.services import newest_checkpoint


class LogHeadPayload(TypedDict):
    """How many entries the log had, its root in hexadecimal, and the signed note that says so."""

    size: int
    root: str
    note: str


class LogHeadReport(ReleaseReport[LogHeadPayload]):
    """Shown at the foot of a release's overall board: whoever keeps it notices a history that is rewritten."""

    key = "log_head"
    is_rounded = False

    def make(self, draft: ReleaseDraft) -> LogHeadPayload | None:
        checkpoint = newest_checkpoint()
        if checkpoint is None:
            return None
        return {"size": checkpoint.size, "root": checkpoint.root, "note": checkpoint.note}

    def parts(self, stored: LogHeadPayload, place: BoardPlace) -> Iterator[ReportPart]:
        if place.is_overall:
            yield ReportPart(Slot.FOOT, "public/reports/log_head.html", stored)


def head_in_words(stored: LogHeadPayload | None) -> str:
    """The checkpoint in a sentence, for the feed; empty where there was none."""
    if stored is None:
        return ""
    return f"The log of this site had {stored['size']} entries before it, with the root {stored['root']}."
