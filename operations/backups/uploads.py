"""Uploaded files, copied out of the storage and back into it."""

import os
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from django.core.files import File
from django.core.files.storage import default_storage

from operations.backups.checksums import digest_of
from operations.stored_files import kept_files

FOLDER = "uploads"
_PIECE = 1 << 20


def copy_out(folder: Path, earlier: Path | None, received: Mapping[str, str]) -> dict[str, str]:
    """Copy every stored file into a new folder; returns their digests by name.

    Files are never changed: one that an earlier backup has with the digest of what was received is linked.
    """
    digests = {}
    folder.mkdir()
    for name in kept_files():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        before = earlier / FOLDER / name if earlier else None
        if before and before.is_file() and digest_of(before) == received.get(name):
            os.link(before, target)
            digests[name] = received[name]
        elif (digest := _copy(name, target)) is not None:
            digests[name] = digest
    return digests


def _copy(name: str, target: Path) -> str | None:
    """The digest of what was copied; None where a sweep has removed it meanwhile."""
    digest = sha256()
    try:
        with default_storage.open(name, "rb") as source, target.open("xb") as file:
            for piece in source.chunks(_PIECE):
                file.write(piece)
                digest.update(piece)
            file.flush()
            os.fsync(file.fileno())
    except FileNotFoundError:
        target.unlink(missing_ok=True)
        return None
    return digest.hexdigest()


def copy_in(folder: Path) -> int:
    """Put every file of a backup into the storage, which is empty; returns how many."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    for path in paths:
        name = str(path.relative_to(folder))
        with path.open("rb") as file:
            stored = default_storage.save(name, File(file))
        if stored != name:
            raise FileExistsError(f"{name} was there already; it was stored as {stored}.")
    return len(paths)
