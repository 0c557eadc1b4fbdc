"""Plays a rehearsal that was asked for on a page, in a scratch folder, and keeps what came out for whoever asked."""

import io
import json
import logging
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from accounts.server.clock import database_now
from demo.rehearsal.apart import play_apart
from demo.rehearsal.limits import SECONDS
from demo.server.folder import DemoFolder
from leaderboard.models import Rehearsal
from leaderboard.rehearsals.orders import end_rehearsal
from leaderboard.rehearsals.zipped_folder import write_folder
from scoring.gold.box_opening import open_sealed_file
from submissions.intake.bundles.report import BundleRefused
from submissions.intake.sealing import VaultError

logger = logging.getLogger(__name__)

LARGEST_SITE = 64 << 20
BROKEN_OFF = (
    f"It was broken off: it took longer than {SECONDS} s, or more memory than a rehearsal gets, or met a fault of the "
    "server, which its log names. `manage.py rehearse` plays the same folder without these limits."
)


def play_ordered(order: Rehearsal) -> None:
    """Play it and keep the outcome, whatever happens; the folder with its labels is gone afterwards."""
    with TemporaryDirectory(prefix="rehearsal-") as scratch:
        try:
            outcome, pages = _play(order, Path(scratch))
        except BundleRefused as refused:
            outcome, pages = {"refused": [str(note) for note in refused.notes]}, b""
        except VaultError as error:
            outcome, pages = (
                {"failed": f"The folder could not be opened: {error}. Please upload it again."},
                b"",
            )
        except Exception:
            logger.exception("the rehearsal of %s could not be played", order.person_id)
            outcome, pages = {"failed": BROKEN_OFF}, b""
    end_rehearsal(order, outcome, pages, database_now())


def _play(order: Rehearsal, scratch: Path) -> tuple[dict[str, Any], bytes]:
    folder, report, site = (scratch / name for name in ("event", "report.json", "site"))
    folder.mkdir()
    data = open_sealed_file(bytes(order.sealed), order.commitment)
    write_folder(data, order.file_name, order.definition, folder)
    options = ("--limited", "--report", str(report), "--site", str(site))
    ended = play_apart(folder, DemoFolder(scratch / "data"), options, is_quiet=True)
    if not report.is_file():
        logger.error("a rehearsal was broken off with status %s: %s", ended.returncode, ended.stderr[-4000:])
        return {"failed": BROKEN_OFF}, b""
    outcome: dict[str, Any] = json.loads(report.read_text("utf-8"))
    pages = _zipped(site, report)
    return outcome | ({"has_pages": True} if pages else {}), pages


def _zipped(site: Path, report: Path) -> bytes:
    """The pages with what came out beside them; nothing where they are too many to be kept."""
    if not site.is_dir():
        return b""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(one for one in site.rglob("*") if one.is_file()):
            archive.write(file, f"rehearsal/{file.relative_to(site)}")
        archive.write(report, "rehearsal/outcome.json")
    return buffer.getvalue() if buffer.tell() <= LARGEST_SITE else b""
