"""Where uploaded files are kept: on disk, and really on disk before anyone is told so."""

from __future__ import annotations

import os
from pathlib import Path

from django.core.files.base import File
from django.core.files.storage import FileSystemStorage


class DurableFileSystemStorage(FileSystemStorage):
    """FileSystemStorage that has the file and its folder's entry reach the disk before it returns."""

    def _save(self, name: str, content: File[bytes]) -> str:
        saved = super()._save(name, content)
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
