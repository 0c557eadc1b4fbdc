"""Files that are gone: what was withdrawn after a time of grace, and what organisers remove; digest and ranks stay."""

import datetime as dt
import logging

from django.core.files import File
from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import Q
from django.http import FileResponse

from benchmarks.log_entries import append_public
from benchmarks.services import mark_stale
from catalogue.disclosure import RULES
from submissions.exceptions import CannotChange, FileLost, FileRemoved
from submissions.models import PredictionCodes, Submission
from submissions.systems.status_texts import removal_in_words
from submissions.systems.status_transitions import ENDED, MOST_OF_A_REASON
from submissions.uploads.storage import as_attachment, received_file
from transparency.core.entries import EntryKind

logger = logging.getLogger(__name__)

GRACE = dt.timedelta(days=14)
WITHDRAWN = "withdrawn by its team"
# What these rules judge is judged against earlier answers, as long as a phase runs.
_JUDGING = [rule.key for rule in RULES if rule.keeps_back]


def as_download(submission: Submission) -> FileResponse:
    """The uploaded file, byte for byte, to be saved and not shown; raises as `sent_file` does."""
    return as_attachment(sent_file(submission), submission.file_name)


def sent_file(submission: Submission) -> File:  # type: ignore[type-arg]  # not generic at run time
    """The uploaded file, open to be read.

    Raises
    ------
    FileRemoved
        FileLost where nobody removed it, and it is not there all the same.
    """
    if gone := removal_in_words(submission):
        raise FileRemoved(gone)
    try:
        return received_file(submission)
    except FileNotFoundError:
        logger.error("the file of submission %s is not stored", submission.pk)  # noqa: TRY400  # nothing else to tell
        raise FileLost(
            f"The file that was sent, of SHA-256 {submission.file_sha256}, is not where this server keeps uploads. "
            "What was read from it and its scores are kept. Whoever runs the server may have it in a backup; please "
            "write to them."
        ) from None


@transaction.atomic
def remove_file(*, submission: Submission, reason: str, now: dt.datetime) -> None:
    """Have a file and the predictions read from it be gone for ever; when and why stands in its place.

    The bytes go with the next sweep (`awaiting_deletion`), so that none outlives a process that was killed.

    Raises
    ------
    CannotChange
        If it still counts, was removed before, or is needed to judge other answers until its phase is over.
    """
    gone = Submission.objects.select_for_update(of=("self",)).select_related("phase").get(pk=submission.pk)
    if gone.file_removed_at:
        raise CannotChange("This file was removed already; nothing was changed.")
    if gone.status not in ENDED:
        raise CannotChange("This submission still counts. Disqualify it first, then remove its file.")
    if gone.phase.disclosure in _JUDGING and not gone.phase.batches.filter(is_final=True).exists():
        raise CannotChange(
            "Until its phase has closed, other answers are judged against this one. Remove the file after that."
        )
    PredictionCodes.objects.filter(predictions__submission=gone).delete()
    reason = reason[:MOST_OF_A_REASON]
    Submission.objects.filter(pk=gone.pk).update(file_removed_at=now, file_removed_because=reason)
    mark_stale(gone.phase.benchmark_id)
    append_public(
        kind=EntryKind.FILE,
        benchmark=gone.phase.benchmark_id,
        facts={"submission": str(gone.pk), "sha256": gone.file_sha256, "reason": reason},
    )


def remove_withdrawn(now: dt.datetime) -> int:
    """Remove the files of what was withdrawn `GRACE` ago or longer; returns how many."""
    due = Submission.objects.filter(
        ~Q(phase__disclosure__in=_JUDGING) | Q(phase__batches__is_final=True),
        status=Submission.Status.WITHDRAWN,
        ended_at__lte=now - GRACE,
        file_removed_at=None,
    )
    removed = 0
    for submission in due.distinct():
        try:
            remove_file(submission=submission, reason=WITHDRAWN, now=now)
        except CannotChange:  # somebody was faster
            continue
        removed += 1
    return removed


def awaiting_deletion() -> list[Submission]:
    """Those whose files are removed and whose bytes are still stored."""
    return list(Submission.objects.filter(file_removed_at__isnull=False).exclude(stored_file=""))


def delete_bytes(submission: Submission) -> None:
    """Delete what is stored of a removed file, then forget where it was. Done again, it changes nothing."""
    default_storage.delete(str(submission.stored_file.name))
    Submission.objects.filter(pk=submission.pk).update(stored_file="")
    logger.info("deleted the removed file of submission %s", submission.pk)
