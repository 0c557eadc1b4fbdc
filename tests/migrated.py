"""A SQLite file with all tables and nothing in them, made once and copied: to make one takes half a minute.

It is kept under `build/` by the digest of all that decides what is in it.
"""

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import closing
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parents[1]
KEPT = ROOT / "build" / "migrated"
DECIDES = (
    "*/migrations/*.py",
    "requirements.txt",
    "accounts/management/commands/migrate.py",
    "config/settings.py",
)


def migrate() -> None:
    """Give the database of these settings its tables; an empty SQLite file gets them as a copy."""
    from django.core.management import call_command
    from django.db import connection

    if connection.vendor == "sqlite" and not Path(connection.settings_dict["NAME"]).exists():
        copy_tables(Path(connection.settings_dict["NAME"]))
    call_command("migrate", verbosity=0)


def copy_tables(to: Path) -> None:
    """Copy the file with all tables, which is made where there is none for this code yet."""
    KEPT.mkdir(parents=True, exist_ok=True)
    kept = KEPT / f"{_digest()}.sqlite3"
    with (KEPT / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.exists():
            _make(kept)
    shutil.copyfile(kept, to)


def _digest() -> str:
    files = sorted({path for pattern in DECIDES for path in ROOT.glob(pattern)})
    told = sha256()
    for path in files:
        told.update(f"{path.relative_to(ROOT)}\0".encode() + sha256(path.read_bytes()).digest())
    return told.hexdigest()[:16]


def _make(kept: Path) -> None:
    import sqlite3

    with tempfile.TemporaryDirectory() as data:
        plain = {key: value for key, value in os.environ.items() if not key.startswith("HELDOUT_")}
        ours = {"HELDOUT_MODE": "test", "HELDOUT_DATA": data, "DJANGO_SETTINGS_MODULE": "config.settings"}
        command = [sys.executable, "manage.py", "migrate", "--noinput", "--verbosity", "0"]
        subprocess.run(command, env=plain | ours, cwd=ROOT, check=True)
        part = kept.with_suffix(".part")
        part.unlink(missing_ok=True)
        with (
            closing(sqlite3.connect(Path(data, "heldout.sqlite3"))) as made,
            closing(sqlite3.connect(part)) as copy,
        ):
            made.backup(copy)
        for older in KEPT.glob("*.sqlite3"):
            older.unlink()
        part.rename(kept)
