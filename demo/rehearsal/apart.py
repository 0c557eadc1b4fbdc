"""Plays a rehearsal in a process of its own, which knows neither database nor keys of the server."""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import django
from django.conf import settings
from django.db import Error, connection

from demo.server.folder import DemoFolder

ADDRESS = "http://localhost:8000"
DATABASE = "heldout.sqlite3"
# All that a process of ours needs to find its programs and libraries; everything else stays behind.
PASSED_ON = ("PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "VIRTUAL_ENV", "PYTHONPATH", "LD_LIBRARY_PATH")


def play_apart(
    folder: Path, place: DemoFolder, options: Sequence[str], *, is_quiet: bool = False
) -> subprocess.CompletedProcess[str]:
    """Play `folder` with the command's own options in the data folder `place`; with `is_quiet` its output is kept.

    It begins with a copy of an empty database, where one of this version was made before: making it takes longer than
    most events.
    """
    place.prepare()
    place.keep_address(ADDRESS)
    template = _template()
    if template.is_file():
        shutil.copyfile(template, place.path / DATABASE)
    environment = {name: os.environ[name] for name in PASSED_ON if name in os.environ} | {
        "HELDOUT_MODE": "demo",
        "HELDOUT_DATA": str(place.path),
        "HELDOUT_GOLD_PRIVATE_KEY_FILE": str(place.private_key_file),
        "HELDOUT_LOG_KEY_FILE": str(place.log_key_file),
        # The libraries would take memory for a thread of each processor, which scoring has no use for.
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
    }
    manage = str(settings.BASE_DIR / "manage.py")
    command = [
        sys.executable,
        manage,
        "rehearse",
        str(folder),
        "--here",
        "--template",
        str(template),
        *options,
    ]
    return subprocess.run(command, env=environment, check=False, text=True, capture_output=is_quiet)  # noqa: S603  # our own program, no shell


def keep_template(template: Path) -> None:
    """Keep the database as it is now, which is empty and up to date, for rehearsals to come; best effort."""
    if template.is_file():
        return
    draft = template.with_suffix(f".{os.getpid()}")
    with suppress(OSError, Error):
        template.parent.mkdir(parents=True, exist_ok=True)
        with connection.cursor() as cursor:
            cursor.execute("VACUUM INTO %s", [str(draft)])
        for other in template.parent.glob(f"empty-*{template.suffix}"):
            other.unlink(missing_ok=True)
        draft.replace(template)


def _template() -> Path:
    """Where the empty database of this version is kept: under a digest of everything that makes one."""
    digest = sha256(django.__version__.encode())
    for path in sorted(settings.BASE_DIR.glob("*/migrations/*.py")):
        digest.update(path.read_bytes())
    return Path(settings.DATA_DIR / "rehearsals" / f"empty-{digest.hexdigest()[:16]}.sqlite3")
