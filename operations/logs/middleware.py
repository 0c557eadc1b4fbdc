"""What Django knows of a request, noted for its line in the log."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from operations.logs.access import ACCOUNT, ROUTE
from operations.logs.formatting import route_of


class NoteRoute:
    """Note route and account of a request, as far as they are known when it was answered; asks the database nothing."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        request.META[ROUTE] = route_of(request) or "none"
        # Who sends a session is looked up when somebody asks; the API puts whom a token is of in its place.
        user = getattr(request, "_cached_user", None) or request.__dict__.get("user")
        known = vars(user).get("_wrapped", user) if user is not None else None
        request.META[ACCOUNT] = getattr(known, "pk", None) if type(known) is not object else None
        return response
