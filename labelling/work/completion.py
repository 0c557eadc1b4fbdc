"""Codes that a worker takes back to an outside platform, and that organisers check."""

import base64
import re

from accounts.server.keyed_hashes import is_one_of, keyed_hashes
from labelling.models import Campaign, Worker

_CODE = re.compile(r"(\d{1,6})-([DS])-([A-Z2-7]{10})")
_ENDS = {"D": "done", "S": "screened out"}


def completion_code(worker: Worker) -> str:
    """The code that says that a worker of this number is done, or was screened out: `17-D-4MBR5QZ2LA`."""
    end = "S" if worker.stage == Worker.Stage.SCREENED_OUT else "D"
    return f"{worker.number}-{end}-{_signatures(worker.campaign, worker.number, end)[0]}"


def check_code(campaign: Campaign, code: str) -> tuple[Worker, str] | None:
    """The worker that a code was given to, and how their part ended; None for any other text."""
    parts = _CODE.fullmatch(code.strip().upper())
    if parts is None:
        return None
    number, end, signature = int(parts[1]), parts[2], parts[3]
    if not is_one_of(signature, _signatures(campaign, number, end)):
        return None
    worker = campaign.workers.filter(number=number).first()
    return (worker, _ENDS[end]) if worker else None


def _signatures(campaign: Campaign, number: int, end: str) -> list[str]:
    """That of new codes first, then those from before the server's secret was changed."""
    digests = keyed_hashes("labelling.completion", f"{campaign.pk}/{number}/{end}")
    return [base64.b32encode(digest).decode()[:10] for digest in digests]
