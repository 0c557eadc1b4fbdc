"""Restore a backup into a scratch place and make the newest releases again: only then is it known to be one."""

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from environ import Env

from operations.backups import databases, uploads
from operations.backups.databases import Database, database
from operations.backups.refusal import BackupRefused
from operations.backups.services import restore


@dataclass(frozen=True, slots=True)
class Drilled:
    """How a drill went: seconds for restoring and for everything, and what was found wrong."""

    restore_seconds: float
    seconds: float
    output: str
    failures: tuple[str, ...]


def drill(*, folder: Path, database_url: str = "") -> Drilled:
    """Restore a backup beside the real server, check what holds, and reproduce the newest release of each benchmark.

    The scratch database and the scratch folder are removed afterwards, whatever came of it. A database that was named
    by `database_url` has to be empty, and is left as it is.

    Raises
    ------
    BackupRefused
        As `restore` does, or if there is no room.
    """
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="heldout-drill-", ignore_cleanup_errors=True) as name:
        scratch = Path(name)
        target = _target(database_url, scratch)
        try:
            manifest = restore(folder=folder, to=target)
            _link_uploads(folder, scratch)
            restored_after = time.monotonic() - began
            checks = (("check_invariants", "--thoroughly", "--as-of", manifest.made_at), ("reproduce",))
            done = {command[0]: _run(command, target, scratch) for command in checks}
        finally:
            if not database_url:
                target.remove()
    failures = tuple(command for command, (status, _) in done.items() if status)
    output = "".join(said for _, said in done.values())
    return Drilled(restored_after, time.monotonic() - began, output, failures)


def _target(database_url: str, scratch: Path) -> Database:
    if database_url:
        return database(Env.db_url_config(database_url))
    here = database()
    if isinstance(here, databases.SQLite):
        return databases.SQLite({**here.described, "NAME": str(scratch / "heldout.sqlite3")})
    return here.scratch()


def _link_uploads(folder: Path, scratch: Path) -> None:
    """Files are only read, so the scratch place has the backup's own."""
    source = (folder / uploads.FOLDER).resolve()
    if source.is_dir():
        (scratch / uploads.FOLDER).symlink_to(source)


def _run(command: tuple[str, ...], target: Database, scratch: Path) -> tuple[int, str]:
    """Exit status and output of a command of ours on the restored server."""
    known = {
        "HELDOUT_DATABASE_URL": target.url,
        "HELDOUT_DATA": str(scratch),
        "HELDOUT_UPLOADS_URL": "",  # files are read from the backup
        "HELDOUT_MODE": str(settings.MODE),
        "HELDOUT_SITE_URL": settings.SITE_URL,
        "HELDOUT_GOLD_PUBLIC_KEY": settings.GOLD_PUBLIC_KEY,
        "HELDOUT_GOLD_PRIVATE_KEY_FILE": settings.GOLD_PRIVATE_KEY_FILE,
        "HELDOUT_GOLD_KEY_RING": settings.GOLD_KEY_RING,
        "HELDOUT_LOG_PUBLIC_KEY": settings.LOG_PUBLIC_KEY,
        "HELDOUT_RECEIPT_PUBLIC_KEY": settings.RECEIPT_PUBLIC_KEY,
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    # The variables with which files of secrets are named would win over these.
    environment = {
        name: value for name, value in os.environ.items() if name.removesuffix("_FILE") not in known
    }
    program = [sys.executable, str(settings.BASE_DIR / "manage.py"), *command]
    done = subprocess.run(  # noqa: S603  # our own program, no shell
        program,
        env=environment | {name: value for name, value in known.items() if value},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode not in (0, 1):
        raise BackupRefused(
            f"`{' '.join(command)}` ended with status {done.returncode}:\n{done.stdout[-2000:]}"
        )
    return done.returncode, done.stdout
