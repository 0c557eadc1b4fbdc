"""Uploaded files: kept for good before anyone is told so, in a folder or a bucket; and given back to who sent them."""

import datetime as dt
import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path
from typing import IO, Any, Protocol, cast

from django.core.files import File
from django.core.files.storage import FileSystemStorage, storages
from django.http import FileResponse

from submissions.models import Submission

LEAST_FREE = 10**9  # bytes


class StorageAway(OSError):
    """What keeps uploads does not do what it is asked, and may do it later; the message says what it did."""

    def __init__(self, said: str) -> None:
        super().__init__(errno.EIO, said)

    def __str__(self) -> str:
        return str(self.strerror)


@dataclass(frozen=True, slots=True)
class KeptFile:
    """A file of a folder: its name without that of the folder, its size in bytes, and when it was put there."""

    name: str
    size: int
    modified_at: dt.datetime


class UploadStorage(Protocol):
    """What keeps files, as far as it is asked here. Whatever it is asked, it may raise StorageAway."""

    @property
    def place(self) -> str:
        """Where it is, in words."""

    @property
    def folder(self) -> Path | None:
        """The folder that it is on this machine; None where it is elsewhere, and machines share it."""

    def save(self, name: str, content: "File[Any]") -> str: ...

    def open(self, name: str, mode: str = "rb") -> "File[Any]": ...

    def delete(self, name: str) -> None: ...

    def entries(self, folder: str = "") -> Iterator[KeptFile]:
        """The files of a folder, but not those of folders in it, by name; none where there is no such folder."""

    def problem(self) -> str:
        """Why no upload could be stored now; empty where one could."""


def upload_storage() -> UploadStorage:
    """What keeps uploads here."""
    return cast(UploadStorage, storages["default"])


class DurableFileSystemStorage(FileSystemStorage):
    """FileSystemStorage that has the file and its folder's entry reach the disk before it returns."""

    @property
    def folder(self) -> Path:
        return Path(self.location)

    @property
    def place(self) -> str:
        return f"the folder of uploads ({self.folder})"

    def save(self, name: str | None, content: IO[Any], max_length: int | None = None) -> str:
        saved = super().save(name, content, max_length)
        path = Path(self.path(saved))
        for place in (path, path.parent):
            _sync(place)
        return saved

    def entries(self, folder: str = "") -> Iterator[KeptFile]:
        try:
            _, names = self.listdir(folder)
        except FileNotFoundError:
            return
        for name in sorted(names):
            try:
                found = (self.folder / folder / name).stat()
            except FileNotFoundError:
                continue
            yield KeptFile(name, found.st_size, dt.datetime.fromtimestamp(found.st_mtime, dt.UTC))

    def problem(self) -> str:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=self.folder) as file:
                file.write(b"1")
            free = shutil.disk_usage(self.folder).free
        except OSError as error:
            return f"{self.folder} cannot be written: {error.strerror}."
        if free < LEAST_FREE:
            return f"{free / 10**9:.2f} GB are free where uploads are kept; {LEAST_FREE / 10**9:.0f} GB is wanted."
        return ""


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def received_file(submission: Submission) -> File:  # type: ignore[type-arg]  # not generic at run time
    """The uploaded file, open to be read: the bytes that were received.

    Raises
    ------
    StorageAway
        Also where other bytes are kept than were received: a proxy in front of a store may answer with a page.
    """
    file = submission.stored_file.open("rb")
    if file_digest(file, "sha256").hexdigest() != submission.file_sha256:
        file.close()
        raise StorageAway(f"{upload_storage().place} gives other bytes as {file.name} than were received.")
    file.seek(0)
    return file


def as_attachment(file: File, name: str) -> FileResponse:  # type: ignore[type-arg]  # not generic at run time
    """The file, byte for byte, to be saved under that name and not shown."""
    return FileResponse(
        file,
        as_attachment=True,
        filename=name,
        content_type="application/octet-stream",
        headers={
            "X-Content-Type-Options": "nosniff",
            "Cache-Control": "no-store, private",
            "Content-Security-Policy": "sandbox",
        },
    )
