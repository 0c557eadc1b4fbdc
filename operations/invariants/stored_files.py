"""I1: what was accepted has its file."""

import datetime as dt
from collections.abc import Iterator
from hashlib import sha256

from django.core.files.storage import default_storage

from operations.violation import Invariant, Violation
from submissions.models import Submission
from submissions.uploads.storage import StorageAway

DO = (
    "Put the file back from a backup under the name that the row has. If there is none, ask the team for the file; its "
    "SHA-256 stands in the row, and the predictions read from it are kept."
)


def fault_of(submission: Submission, *, thoroughly: bool) -> str:
    """What is wrong with the stored file of a submission, in words; empty where nothing is, or it was removed.

    Raises
    ------
    StorageAway
    """
    name = submission.stored_file.name or ""
    found = _fault(submission, name, thoroughly=thoroughly)
    if found and Submission.objects.filter(pk=submission.pk, file_removed_at__isnull=False).exists():
        return ""  # meanwhile
    return found


def _fault(submission: Submission, name: str, *, thoroughly: bool) -> str:
    if not name:
        return "the row names no file."
    try:
        size = default_storage.size(name)
        if size != submission.file_size:
            return f"{name} has {size} bytes; {submission.file_size} were received."
        if thoroughly and (digest := digest_of(name)) != submission.file_sha256:
            return (
                f"{name} has the SHA-256 {digest[:12]}…; it was {submission.file_sha256[:12]}… when received."
            )
    except FileNotFoundError:
        return f"{name} is not there."
    except StorageAway:
        raise
    except OSError as error:
        return f"{name} cannot be read: {error.strerror}."
    return ""


def digest_of(name: str) -> str:
    """The SHA-256 of a stored file, in hexadecimal. OSError where it cannot be read."""
    digest = sha256()
    with default_storage.open(name, "rb") as file:
        for chunk in file.chunks(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()


class StoredFiles(Invariant):
    """Whether files are there in their size; thoroughly also whether their digests are those of what was received."""

    key = "I1"
    title = "each accepted submission has its file, byte for byte"

    def violations(self, now: dt.datetime, *, thoroughly: bool) -> Iterator[Violation]:
        kept = Submission.objects.filter(file_removed_at=None).order_by("received_at", "pk")
        try:
            for submission in kept.only("stored_file", "file_size", "file_sha256").iterator():
                if fault := fault_of(submission, thoroughly=thoroughly):
                    yield Violation(f"submission {submission.pk}", fault, DO)
        except StorageAway as away:
            yield Violation(
                "uploads", f"they could not be looked at: {away}", "See that it runs; it is checked again."
            )
