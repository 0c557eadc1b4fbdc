"""Every error of the API in one shape: `{"code", "detail"}`, and whatever else helps with it."""

import datetime as dt
import math
import sys
from collections.abc import Iterator, Sequence
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views import defaults
from rest_framework import exceptions
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView
from rest_framework.views import exception_handler as standard_handler

from accounts.server.clock import database_now
from breaking.exceptions import AlreadyContested, PairsRefused
from config.http.faults import fault_of
from submissions.exceptions import (
    QuotaUsedUp,
    SubmissionError,
    TermsNotAccepted,
    TooManyChecks,
    TooManyCodes,
    UploadRefused,
)
from submissions.intake import Cause, Problem, ProblemCode
from submissions.intake.predictions.repair import KeptRepair


def exception_handler(error: Exception, context: dict[str, Any]) -> Response | None:
    """The answer to an exception; None for an unforeseen one, which becomes a 500 without internals."""
    if isinstance(error, SubmissionError):
        return _submission_error(error)
    if isinstance(error, RequestDataTooBig):
        return _response(
            HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
            "request_too_large",
            "The form's fields are too long. Send the predictions in the field `file`.",
        )
    if isinstance(error, SuspiciousOperation):
        return _response(HTTPStatus.BAD_REQUEST, "malformed", "The request is malformed and was not read.")
    if isinstance(error, Http404):
        error = exceptions.NotFound("There is nothing here, or it is not yours.")
    elif isinstance(error, PermissionDenied):
        error = exceptions.PermissionDenied()
    response = standard_handler(error, context)
    if response is not None and isinstance(error, exceptions.APIException):
        response.data = _data(error)
    return response


def _submission_error(error: SubmissionError) -> Response:
    status = error.status
    if isinstance(error, UploadRefused):
        return _file_refused(
            error, error.result.problems, error.result.more, error.result.causes, error.repair
        )
    if isinstance(error, PairsRefused):
        return _file_refused(error, error.problems, error.more)
    if isinstance(error, AlreadyContested):
        return _response(status, error.code, str(error), contest=str(error.contest.pk))
    if isinstance(error, TermsNotAccepted):
        return _response(
            status,
            error.code,
            str(error),
            terms_version=error.terms.version,
            terms_url=f"{settings.SITE_URL}/api/v1/benchmarks/{error.terms.benchmark_id}/terms/",
        )
    if isinstance(error, QuotaUsedUp):
        at = error.next_slot_at
        instant = at and at.astimezone(dt.UTC).isoformat().replace("+00:00", "Z")
        response = _response(status, error.code, str(error), next_slot_at=instant)
        if at:
            response["Retry-After"] = _seconds_until(at)
        return response
    response = _response(status, error.code, str(error))
    if isinstance(error, TooManyChecks | TooManyCodes):
        response["Retry-After"] = _seconds_until(error.again_at)
    return response


def _file_refused(
    error: SubmissionError,
    problems: Sequence[Problem],
    more: int,
    causes: Sequence[Cause] = (),
    repair: KeptRepair | None = None,
) -> Response:
    if problems[0].code is ProblemCode.FILE_TOO_LARGE:
        return _response(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, problems[0].code.value, problems[0].message)
    return _response(
        error.status,
        error.code,
        str(error),
        problems=[problem.as_dict() for problem in problems],
        more=more,
        **({"causes": [cause.as_dict() for cause in causes]} if causes else {}),
        **({"repair_url": f"{settings.SITE_URL}/api/v1/repairs/{repair.token}/"} if repair else {}),
    )


def _seconds_until(instant: dt.datetime) -> str:
    return str(max(1, math.ceil((instant - database_now()).total_seconds())))


def _response(status: HTTPStatus, code: str, detail: str, **more: Any) -> Response:
    return Response({"code": code, "detail": detail, **more}, status=status)


def _data(error: exceptions.APIException) -> dict[str, Any]:
    if not isinstance(error, exceptions.ValidationError):
        return {"code": error.get_codes(), "detail": str(error.detail)}
    fields: dict[str, list[str]] = {}
    for field, sentence in _flat(error.detail):
        fields.setdefault(field, []).append(sentence)
    return {
        "code": "invalid",
        "detail": " ".join(f"{field}: {' '.join(sentences)}" for field, sentences in fields.items()),
        "fields": fields,
    }


def _flat(detail: Any, field: str = "") -> Iterator[tuple[str, str]]:
    """Pairs of field and sentence, however deep a list or a mapping they stand in."""
    if isinstance(detail, dict):
        for key, inner in detail.items():
            yield from _flat(inner, f"{field}.{key}" if field else str(key))
    elif isinstance(detail, list):
        for inner in detail:
            yield from _flat(inner, field)
    else:
        # A sentence may quote half a surrogate pair that was sent, which no answer can hold.
        yield field or "request", str(detail).encode(errors="replace").decode()


class NoSuchAddress(APIView):
    """Whatever the API has no address for."""

    permission_classes = [AllowAny]
    authentication_classes: list[Any] = []
    schema = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        hint = "" if request.path.endswith("/") else " Addresses end with a slash."
        raise exceptions.NotFound(f"The API has no such address.{hint} /api/v1/ lists all of them.")


class NothingOfYours(NoSuchAddress):
    """What the API has an address for, but not for whoever asks; without a word of whether it is there."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        raise Http404


def server_error(request: HttpRequest) -> HttpResponse:
    """What went wrong below the server, or a 500 that tells nothing of the inside: JSON for the API, else a page."""
    fault = fault_of(sys.exc_info()[1])
    if fault is not None:
        return fault.answer(request)
    if request.path.startswith("/api/"):
        return JsonResponse(
            {
                "code": "server_error",
                "detail": "The server met an unforeseen fault, and its operators were told. Please try again later.",
            },
            status=500,
        )
    return defaults.server_error(request)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """A 400 from below the views."""
    if request.path.startswith("/api/"):
        return JsonResponse(
            {"code": "malformed", "detail": "The request is malformed and was not read."}, status=400
        )
    return defaults.bad_request(request, exception)
