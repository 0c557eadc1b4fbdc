"""Codes that a worker takes back to an outside platform, and that organisers check."""

import base64
import hmac
import re

from django.utils.crypto import salted_hmac

from labelling.models import Campaign, Worker

_CODE = re.compile(r"(\d{1,6})-([DS])-([A-Z2-7]{10})")
_ENDS = {"D": "done", "S": "screened out"}


def completion_code(worker: Worker) -> str:
    """The code that says that a worker of this number is done, or was screened out: `17-D-4MBR5QZ2LA`."""
    end = "S" if worker.stage == Worker.Stage.SCREENED_OUT else "D"
    return f"{worker.number}-{end}-{_signature(worker.campaign, worker.number, end)}"


def check_code(campaign: Campaign, code: str) -> tuple[Worker, str] | None:
    """The worker that a code was given to, and how their part ended; None for any other text."""
    parts = _CODE.fullmatch(code.strip().upper())
    if parts is None:
        return None
    number, end, signature = int(parts[1]), parts[2], parts[3]
    if not hmac.compare_digest(signature, _signature(campaign, number, end)):
        return None
    worker = campaign.workers.filter(number=number).first()
    return (worker, _ENDS[end]) if worker else None


def _signature(campaign: Campaign, number: int, end: str) -> str:
    digest = salted_hmac("labelling.completion", f"{campaign.pk}/{number}/{end}", algorithm="sha256").digest()
    return base64.b32encode(digest).decode()[:10]
