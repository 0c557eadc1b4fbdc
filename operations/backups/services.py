"""Make a backup, and put one back."""

import datetime as dt
import os
import re
import secrets
import shutil
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from django.db import connections

from accounts.server.clock import database_now
from operations.backups import databases, uploads
from operations.backups.checksums import verify, write_checksums
from operations.backups.databases import Database, database
from operations.backups.erasures import NAME as ERASURES
from operations.backups.erasures import erase_again, note_erasures
from operations.backups.manifest import Manifest, database_version, row_counts
from operations.backups.refusal import BackupRefused, RestoreBrokeOff
from operations.schema import known_migrations
from operations.stored_files import kept_files
from submissions.models import Submission
from submissions.uploads.storage import StorageAway, upload_storage

NAMED = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{6}Z")
"""What the folder of a backup is called."""
PARTIAL = ".partial"
KILLED_AFTER = 86_400.0  # seconds; no backup takes as long
POSTGRES_MAJOR = 10_000  # of a `server_version_num` such as 170002
_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Restored:
    """What was put back, and what whoever did it should know, a sentence each."""

    manifest: Manifest
    files: int
    remarks: tuple[str, ...]


def backup(*, into: Path, keep: int = 0) -> Path:
    """Write a backup into a new folder of `into`, named by its instant; returns it.

    The database comes first: files are durable before their rows, so each row that was dumped finds its file. It has
    another name until it is whole. With `keep`, whole backups but for that many of the newest are removed then.

    Raises
    ------
    BackupRefused
        If it cannot be written, or `keep` is less than 0, by which the newest would go.
    """
    if keep < 0:
        raise BackupRefused(f"{keep} backups cannot be kept. Expected a number from 1, or 0 to keep all.")
    began = database_now()
    name = _name(began)
    # Of its own: who begins in the same second must not take it for what it has to remove.
    folder = into / f"{name}-{secrets.token_hex(4)}{PARTIAL}"
    try:
        into.mkdir(mode=0o700, parents=True, exist_ok=True)
        _clear(into)
        folder.mkdir(mode=0o700)
        _fill(folder, newest_of(into))
        note_erasures(into)
        os.sync()
        while (into / name).exists():  # another began in the same second
            began += dt.timedelta(seconds=1)
            name = _name(began)
        folder.rename(into / name)
    except StorageAway as away:
        raise BackupRefused(f"The uploads cannot be read: {away}") from None
    except OSError as error:
        raise BackupRefused(f"{error.filename or folder} cannot be written: {error.strerror}.") from None
    finally:
        shutil.rmtree(folder, ignore_errors=True)  # once it is whole it has another name
    for old in whole_backups(into)[:-keep] if keep else []:
        shutil.rmtree(old)
    return into / name


def _name(began: dt.datetime) -> str:
    return f"{began:%Y-%m-%dT%H%M%SZ}"


def _fill(folder: Path, earlier: Path | None) -> None:
    database().dump(folder / databases.FOLDER)
    received = dict(Submission.objects.exclude(stored_file="").values_list("stored_file", "file_sha256"))
    digests = uploads.copy_out(folder / uploads.FOLDER, earlier, received)
    replace(Manifest.of_today(), files=len(digests)).write(folder)
    write_checksums(folder, {f"{uploads.FOLDER}/{name}": digest for name, digest in digests.items()})


def _clear(into: Path) -> None:
    """Remove what a killed process has left."""
    for left in into.glob(f"*{PARTIAL}"):
        if time.time() - left.stat().st_mtime > KILLED_AFTER:
            shutil.rmtree(left, ignore_errors=True)


def whole_backups(folder: Path) -> list[Path]:
    """The backups in a folder, the oldest first."""
    return sorted(one for one in folder.iterdir() if NAMED.fullmatch(one.name))


def newest_of(folder: Path) -> Path | None:
    """The newest backup in a folder; None where there is none.

    What is named by an instant to come was made while the clock was ahead, and counts where there is no other.
    """
    whole = whole_backups(folder)
    latest = _name(database_now() + dt.timedelta(hours=1))
    return next(reversed([one for one in whole if one.name <= latest] or whole), None)


def chosen(folder: Path) -> Path:
    """The backup that a folder is, or the newest one in it. BackupRefused where there is none."""
    if not folder.is_dir():
        raise BackupRefused(
            f"{folder} is no folder. Name the folder of a backup, or one that has backups in it."
        )
    if (folder / databases.FOLDER).exists():
        return folder
    newest = newest_of(folder)
    if newest is None:
        raise BackupRefused(f"There is no backup in {folder}. `manage.py backup {folder}` makes one.")
    return newest


def restore(*, folder: Path, to: Database | None = None) -> Manifest:
    """Fill an empty database with that of a backup, after every file of it was held against its checksum.

    Raises
    ------
    BackupRefused
        If the backup is not whole, comes from other migrations, another kind of database or a newer PostgreSQL, or the
        database is not empty. Nothing was written then.
    RestoreBrokeOff
        If it was begun and met something, such as a full disk.
    """
    verify(folder)
    manifest = Manifest.read(folder)
    target = to or database()
    _refuse_other_code(manifest)
    if target.vendor != manifest.database:
        raise BackupRefused(
            f"The backup is of {manifest.database}, and HELDOUT_DATABASE_URL names {target.vendor}. Name an empty "
            f"{manifest.database} database."
        )
    was, now = manifest.database_version // POSTGRES_MAJOR, database_version() // POSTGRES_MAJOR
    if manifest.database == "postgresql" and was > now:
        raise BackupRefused(
            f"The backup is of PostgreSQL {was}, and this server is {now}. Restore into PostgreSQL {was} or newer."
        )
    if not target.is_empty():
        raise BackupRefused(
            "The database has tables already, and a backup is restored into an empty one alone. Name a new database in "
            "HELDOUT_DATABASE_URL; do not run `migrate` before."
        )
    try:
        target.load(folder / databases.FOLDER)
    except BackupRefused as refused:
        raise RestoreBrokeOff(str(refused)) from None
    return manifest


def restore_all(*, folder: Path, erasures: Path | None) -> Restored:
    """Put database and uploaded files back where settings say; see `restore`. Afterwards rows are counted.

    Whoever is on the list of erasures, by default the one beside the backup, is erased again.

    Raises
    ------
    BackupRefused
    """
    place = upload_storage().place
    try:
        there = next(kept_files(), None)
    except StorageAway as away:
        raise BackupRefused(f"Uploads cannot be put back: {away}") from None
    if there:
        raise BackupRefused(
            f"T{place[1:]} is not empty: {there}. A backup is restored into an empty one alone. Name another in "
            "HELDOUT_DATA or HELDOUT_UPLOADS_URL, or move what is there away."
        )
    connections.close_all()
    manifest = restore(folder=folder)
    try:
        files = uploads.copy_in(folder / uploads.FOLDER)
    except OSError as error:
        raise RestoreBrokeOff(
            f"The database is restored, and not all uploads are: {error.strerror}."
        ) from None
    said = remarks(manifest, row_counts())
    return Restored(manifest, files, (*said, _erased(erasures or folder.resolve().parent / ERASURES)))


def _erased(path: Path) -> str:
    if not path.is_file():
        return f"There is no list of erasures at {path}: erase again who was erased since (`manage.py erase_person`)."
    return f"{erase_again(path)} people who were erased since are erased again."


def remarks(manifest: Manifest, counts: Mapping[str, int]) -> list[str]:
    """What is otherwise than the manifest says, and which keys are needed."""
    said = [
        f"{table} has {counts.get(table, 0)} rows; the manifest, written a moment after the dump, says {count}."
        for table, count in manifest.counts.items()
        if counts.get(table, 0) != count
    ][:_SHOWN]
    said += [
        f"{count:,} sealed rows need the private key {fingerprint}, which is in no backup: put it into the ring."
        for fingerprint, count in manifest.sealed_to.items()
    ]
    return said


def _refuse_other_code(manifest: Manifest) -> None:
    here, there = set(known_migrations()), set(manifest.migrations)
    if here == there:
        return
    lacking, more = sorted(there - here), sorted(here - there)
    parts = [
        f"{what}: {', '.join(names[:_SHOWN])}{' …' if len(names) > _SHOWN else ''}"
        for what, names in (("this code lacks", lacking), ("the backup lacks", more))
        if names
    ]
    raise BackupRefused(
        f"The backup was made with other migrations ({'; '.join(parts)}). Restore it with Heldout {manifest.version}, "
        f"commit {manifest.commit}, then upgrade."
    )
