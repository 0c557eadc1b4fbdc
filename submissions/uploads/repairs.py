"""Repaired uploads, kept outside the database for an hour, for the person alone whose upload was refused."""

import datetime as dt
import io
import json
import logging
import re
import secrets
import threading
from typing import cast

from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.http import FileResponse
from django.utils import timezone

from accounts.models import User
from submissions.intake.predictions.repair import KeptRepair, Repair
from submissions.uploads.storage import DurableFileSystemStorage, UploadStorage

logger = logging.getLogger(__name__)

KEPT_SECONDS = 3600
MAX_FOLDER_BYTES = 512 * 1024 * 1024
_SWEEP_WAITS = threading.Lock()
"""Held while a thread of this process waits to sweep."""
_TOKEN = re.compile(r"[0-9a-f]{32}")


def keep(repair: Repair, user: User) -> KeptRepair | None:
    """Keep a repair for an hour, in place of the person's earlier one; None where there is no room for it."""
    try:
        return _written(repair, user)
    except OSError:
        logger.exception("A repaired upload could not be kept.")
        return None


def _written(repair: Repair, user: User) -> KeptRepair | None:
    store = _store()
    sweep()
    others = list(store.entries())
    for earlier in [one for one in others if one.name.startswith(f"{user.pk}-")]:
        store.delete(earlier.name)
        others.remove(earlier)
    if sum(one.size for one in others) + len(repair.data) > MAX_FOLDER_BYTES:
        return None
    token = secrets.token_hex(16)
    content = json.dumps({"name": repair.file_name}).encode() + b"\n" + repair.data
    store.save(f"{user.pk}-{token}", ContentFile(content))
    _sweep_in(KEPT_SECONDS)
    return KeptRepair(token, repair)


def kept(token: str, user: User) -> tuple[str, bytes] | None:
    """The name and the bytes of a person's own repair; None for any other, and after an hour."""
    sweep()
    if not _TOKEN.fullmatch(token):
        return None
    try:
        with _store().open(f"{user.pk}-{token}") as file:
            head, _, data = file.read().partition(b"\n")
    except FileNotFoundError:
        return None
    return json.loads(head)["name"], data


def sweep() -> float | None:
    """Remove what is older than an hour; returns for how many seconds the oldest of the rest stays, if there is any."""
    oldest = timezone.now() - dt.timedelta(seconds=KEPT_SECONDS)
    store = _store()
    left = []
    for one in store.entries():
        if one.modified_at < oldest:
            store.delete(one.name)
        else:
            left.append((one.modified_at - oldest).total_seconds())
    return min(left, default=None)


def _sweep_in(seconds: float) -> None:
    """Have a thread sweep then, and whenever more is due, until nothing is left; one that waits already sees to it."""
    if _SWEEP_WAITS.acquire(blocking=False):
        timer = threading.Timer(seconds + 1, _sweep_and_go_on)
        timer.daemon = True  # what a server that ends leaves behind is swept by the next request for a repair
        timer.start()


def _sweep_and_go_on() -> None:
    _SWEEP_WAITS.release()
    if (seconds := sweep()) is not None:
        _sweep_in(seconds)


def _store() -> UploadStorage:
    """Beside the uploads where machines share what keeps these; else a folder that this server alone may enter."""
    if "repairs" in settings.STORAGES:
        return cast(UploadStorage, storages["repairs"])
    return DurableFileSystemStorage(
        location=settings.REPAIRS_DIR, file_permissions_mode=0o600, directory_permissions_mode=0o700
    )


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
