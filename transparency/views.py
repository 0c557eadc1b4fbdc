"""The log for everybody: checkpoint, entries, proofs and keys. What is signed is shown, and nothing before."""

import json
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe

from transparency.core.merkle import consistency_proof, inclusion_proof
from transparency.keys import verifiers
from transparency.models import LogEntry
from transparency.services import newest_checkpoint
from transparency.tree import leaves

MOST_ENTRIES = 500
_FOR_EVER = "public, max-age=31536000, immutable"
_FOR_NOW = "public, max-age=5"


@require_safe
def checkpoint(request: HttpRequest) -> HttpResponse:
    """The newest checkpoint, as a signed note."""
    newest = newest_checkpoint()
    if newest is None:
        return _refused(
            HTTPStatus.NOT_FOUND, "nothing_signed", "Nothing has been signed yet. Please try later."
        )
    return _public(HttpResponse(newest.note, content_type="text/plain; charset=utf-8"), _FOR_NOW)


@require_safe
def entries(request: HttpRequest) -> HttpResponse:
    """Signed entries by index, `from` (0) to `to`, which is not among them; at most MOST_ENTRIES."""
    size = _signed_size()
    try:
        start = _number(request, "from", 0)
        end = min(_number(request, "to", start + MOST_ENTRIES), start + MOST_ENTRIES)
    except ValueError as error:
        return _refused(HTTPStatus.BAD_REQUEST, "bad_range", str(error))
    payloads = LogEntry.objects.filter(index__gte=start, index__lt=min(end, size)).order_by("index")
    found = list(payloads.values_list("payload", flat=True))
    # Each is canonical JSON already, and its bytes are what is hashed.
    body = f'{{"from":{start},"size":{size},"entries":[{",".join(found)}]}}'
    response = HttpResponse(body, content_type="application/json")
    return _public(response, _FOR_EVER if "to" in request.GET and len(found) == end - start else _FOR_NOW)


@require_safe
def proof(request: HttpRequest) -> HttpResponse:
    """That entry `index` is in the log of `size`, or that the log of size `from` is the beginning of that of `size`."""
    try:
        signed = _signed_size()
        size = _number(request, "size", signed, at_most=signed)
        held = leaves()[:size]
        if "from" in request.GET:
            old_size = _number(request, "from", 0)
            said: dict[str, Any] = {"from": old_size, "proof": consistency_proof(old_size, held)}
        else:
            index = _number(request, "index", 0)
            said = {"index": index, "proof": inclusion_proof(index, held), "leaf_hash": held[index].hex()}
    except ValueError as error:
        return _refused(HTTPStatus.BAD_REQUEST, "no_proof", str(error))
    said["proof"] = [node.hex() for node in said["proof"]]
    return _public(JsonResponse({"size": size, **said}), _FOR_EVER if "size" in request.GET else _FOR_NOW)


@require_safe
def keys(request: HttpRequest) -> HttpResponse:
    """The keys that checkpoints and receipts are checked with, by what they sign."""
    return _public(HttpResponse(json.dumps(verifiers()), content_type="application/json"), _FOR_NOW)


def _signed_size() -> int:
    newest = newest_checkpoint()
    return newest.size if newest else 0


def _number(request: HttpRequest, name: str, default: int, *, at_most: int = 10**15) -> int:
    """A whole number of the query. ValueError where it is none, or too large."""
    text = request.GET.get(name, str(default))
    if not (text.isascii() and text.isdigit() and len(text) < 18):
        raise ValueError(f"`{name}` must be a whole number from 0 on.")
    if int(text) > at_most:
        raise ValueError(f"`{name}` is {text}, and the log has {at_most} signed entries.")
    return int(text)


def _refused(status: HTTPStatus, code: str, detail: str) -> HttpResponse:
    return JsonResponse({"code": code, "detail": detail}, status=status)


def _public(response: HttpResponse, kept: str) -> HttpResponse:
    """For every site to read, and for every cache to keep."""
    response["Cache-Control"] = kept
    response["Access-Control-Allow-Origin"] = "*"
    return response
