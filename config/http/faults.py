"""Faults of what the server stands on, told in words: a database or a store that is away, a disk without room."""

import errno
from dataclasses import dataclass
from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import get_template

from accounts.server.database_faults import has_no_room, is_away
from submissions.uploads.storage import StorageAway

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EROFS)


@dataclass(frozen=True, slots=True)
class Fault:
    """What an answer says of a fault; `again` is after how many seconds it is worth another try.

    A connection may break while it commits, so no sentence says that nothing was taken.
    """

    status: HTTPStatus
    code: str
    sentence: str
    again: int

    def answer(self, request: HttpRequest) -> HttpResponse:
        """JSON for the API, a page that asks nothing of the database for everybody else."""
        if request.path.startswith("/api/"):
            told = {"code": self.code, "detail": self.sentence}
            response: HttpResponse = JsonResponse(told, status=self.status)
        else:
            text = get_template(f"{self.status.value}.html").render()
            response = HttpResponse(text, status=self.status)
        response["Retry-After"] = str(self.again)
        response["Cache-Control"] = "no-store"
        return response


DATABASE_AWAY = Fault(
    HTTPStatus.SERVICE_UNAVAILABLE,
    "unavailable",
    "The server's database does not take part at this moment. Please send the request again in a few seconds. "
    "The same file sent twice is one submission.",
    10,
)
STORAGE_AWAY = Fault(
    HTTPStatus.SERVICE_UNAVAILABLE,
    "unavailable",
    "The place where the server keeps uploads does not take part at this moment. Please send the request again in a "
    "minute. The same file sent twice is one submission.",
    30,
)
NO_ROOM = Fault(
    HTTPStatus.INSUFFICIENT_STORAGE,
    "no_room",
    "The server has no room left for what you send. Please send it again later. Everything that was confirmed is kept, "
    "and the same file sent twice is one submission.",
    300,
)


def fault_of(error: BaseException | None) -> Fault | None:
    """What a fault is told as; None where it is one of ours."""
    if isinstance(error, OSError):
        if error.errno in _NO_ROOM:
            return NO_ROOM
        return STORAGE_AWAY if isinstance(error, StorageAway) else None
    if error is None:
        return None
    if has_no_room(error):
        return NO_ROOM
    return DATABASE_AWAY if is_away(error) else None
