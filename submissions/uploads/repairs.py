"""Repaired uploads, kept outside the database for an hour, for the person alone whose upload was refused."""

import io
import json
import logging
import os
import re
import secrets
import threading
import time
from contextlib import suppress
from pathlib import Path

from django.conf import settings
from django.http import FileResponse

from accounts.models import User
from submissions.intake.predictions.repair import KeptRepair, Repair

logger = logging.getLogger(__name__)

KEPT_SECONDS = 3600
MAX_FOLDER_BYTES = 512 * 1024 * 1024
_TOKEN = re.compile(r"[0-9a-f]{32}")


def keep(repair: Repair, user: User) -> KeptRepair | None:
    """Keep a repair for an hour, in place of the person's earlier one; None where there is no room for it."""
    try:
        return _written(repair, user)
    except OSError:
        logger.exception("A repaired upload could not be kept.")
        return None


def _written(repair: Repair, user: User) -> KeptRepair | None:
    folder = _folder()
    sweep()
    for earlier in folder.glob(f"{user.pk}-*"):
        earlier.unlink(missing_ok=True)
    if sum(_size(path) for path in folder.iterdir()) + len(repair.data) > MAX_FOLDER_BYTES:
        return None
    token = secrets.token_hex(16)
    handle = os.open(folder / f"{user.pk}-{token}", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(json.dumps({"name": repair.file_name}).encode() + b"\n" + repair.data)
    timer = threading.Timer(KEPT_SECONDS + 1, sweep)
    timer.daemon = True  # what a server that ends leaves behind is swept by the next request for a repair
    timer.start()
    return KeptRepair(token, repair)


def kept(token: str, user: User) -> tuple[str, bytes] | None:
    """The name and the bytes of a person's own repair; None for any other, and after an hour."""
    sweep()
    if not _TOKEN.fullmatch(token):
        return None
    try:
        head, _, data = (_folder() / f"{user.pk}-{token}").read_bytes().partition(b"\n")
    except FileNotFoundError:
        return None
    return json.loads(head)["name"], data


def sweep() -> None:
    """Remove what is older than an hour."""
    oldest = time.time() - KEPT_SECONDS
    for path in _folder().iterdir():
        with suppress(FileNotFoundError):
            if path.stat().st_mtime < oldest:
                path.unlink()


def _folder() -> Path:
    folder = Path(settings.REPAIRS_DIR)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def repaired_file(name: str, data: bytes) -> FileResponse:
    """The repaired file, to be saved and not shown."""
    stem, dot, ending = name.rpartition(".")
    is_zip = ending.casefold() == "zip"
    return FileResponse(
        io.BytesIO(data),
        as_attachment=True,
        filename=f"{stem}-repaired{dot}{ending}" if is_zip else name,
        content_type="application/octet-stream",
        headers={
            "X-Content-Type-Options": "nosniff",
            "Cache-Control": "no-store, private",
            "Content-Security-Policy": "sandbox",
        },
    )


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0
