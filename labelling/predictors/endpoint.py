"""Ask a model that an organiser runs: one POST per text, signed, to a host that the operator allows."""

import hmac
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from http import HTTPStatus

from django.conf import settings

from accounts.server.outgoing import (
    AddressRefused,
    Limits,
    NotConnected,
    Reply,
    SendingFailed,
    post,
    read_address,
)
from labelling.predictors.prediction import NoPrediction, Prediction, read_prediction

CONNECT_SECONDS = 1.0
TOTAL_SECONDS = 3.0
MOST_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a model is asked. `secret` is what both sides know; empty where the model asks for none."""

    url: str
    secret: str = field(default="", repr=False)


def check_endpoint(url: str) -> None:
    """AddressRefused where the operator does not allow an address, in words for organisers."""
    host = read_address(url).host
    allowed = [name.lower() for name in settings.MODEL_HOSTS]
    if host not in allowed:
        listed = f"It allows {', '.join(allowed)}." if allowed else "It allows none so far."
        raise AddressRefused(
            f"The operator of this server does not allow models at {host}. {listed} "
            "Ask the operator to add the host to HELDOUT_MODEL_HOSTS."
        )


def ask_endpoint(endpoint: Endpoint, text_id: str, text: str, labels: Sequence[str], at: float) -> Prediction:
    """What the model says of a text, at most `TOTAL_SECONDS` later.

    Where no connection comes about, it is tried once more; what was sent is not sent again.

    Parameters
    ----------
    text_id
        Tells one text of a campaign from another, and nothing of who wrote it.
    at
        The present in seconds since 1970, which the signature covers.

    Raises
    ------
    NoPrediction
        If the host is not allowed, no answer comes in time, or it cannot be used.
    """
    body = json.dumps({"id": text_id, "text": text, "labels": list(labels)}, ensure_ascii=False).encode()
    try:
        check_endpoint(endpoint.url)
        reply = _sent(endpoint, body, _headers(endpoint.secret, body, int(at)))
    except SendingFailed as failed:
        raise NoPrediction(str(failed)) from None
    if reply.status != HTTPStatus.OK:
        raise NoPrediction(f"It answered with status {reply.status}; expected 200.")
    return read_prediction(reply.body, labels)


def signature(secret: str, at: int, body: bytes) -> str:
    """The HMAC-SHA256 of time, full stop and body under the secret, in hexadecimal."""
    return hmac.new(secret.encode(), f"{at}.".encode() + body, "sha256").hexdigest()


def _headers(secret: str, body: bytes, at: int) -> dict[str, str]:
    headers = {"Content-Type": "application/json", "Accept": "application/json", "X-Heldout-Time": str(at)}
    if secret:
        headers["Authorization"] = f"Bearer {secret}"
        headers["X-Heldout-Signature"] = f"sha256={signature(secret, at, body)}"
    return headers


def _sent(endpoint: Endpoint, body: bytes, headers: dict[str, str]) -> Reply:
    begun = time.monotonic()
    try:
        return post(endpoint.url, body, headers, Limits(CONNECT_SECONDS, TOTAL_SECONDS, MOST_BYTES))
    except NotConnected:
        left = TOTAL_SECONDS - (time.monotonic() - begun)
        return post(endpoint.url, body, headers, Limits(min(CONNECT_SECONDS, left), left, MOST_BYTES))
