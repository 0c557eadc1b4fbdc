"""Where uploaded files are kept: on disk, and really on disk before anyone is told so."""

import os
from pathlib import Path
from typing import IO, Any

from django.core.files.storage import FileSystemStorage


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
