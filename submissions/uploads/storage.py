"""Uploaded files: on disk, and really on disk before anyone is told so; and given back to those who sent them."""

import os
from pathlib import Path
from typing import IO, Any

from django.core.files.storage import FileSystemStorage
from django.http import FileResponse

from submissions.models import Submission


class DurableFileSystemStorage(FileSystemStorage):
    """FileSystemStorage that has the file and its folder's entry reach the disk before it returns."""

    def save(self, name: str | None, content: IO[Any], max_length: int | None = None) -> str:
        saved = super().save(name, content, max_length)
        path = Path(self.path(saved))
        for place in (path, path.parent):
            _sync(place)
        return saved


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def as_attachment(submission: Submission) -> FileResponse:
    """The uploaded file, byte for byte, to be saved and not shown."""
    return FileResponse(
        submission.stored_file.open("rb"),
        as_attachment=True,
        filename=submission.file_name,
        content_type="application/octet-stream",
        headers={
            "X-Content-Type-Options": "nosniff",
            "Cache-Control": "no-store, private",
            "Content-Security-Policy": "sandbox",
        },
    )
