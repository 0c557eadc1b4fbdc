"""What systems predicted for the development data, as a download: on the site and over the API."""

import datetime as dt
from http import HTTPStatus

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.access import reader, signed_in
from accounts.api.authentication import sender
from accounts.models import User
from accounts.server.clock import database_now, received_at
from benchmarks.models import Task
from breaking.development.predictions import NothingBuilt, blind_predictions, refuse_people_without_team
from submissions.exceptions import PhaseNotReady, SubmissionError


@signed_in
@require_safe
def download(request: HttpRequest, benchmark: str, task: str) -> HttpResponse:
    """The predictions for one task, for members of any team."""
    try:
        return _answer(benchmark, task, reader(request), received_at(request))
    except SubmissionError as error:
        context = {
            "section": "benchmarks",
            "benchmark": _task(benchmark, task).benchmark,
            "message": str(error),
        }
        status = HTTPStatus.SERVICE_UNAVAILABLE if isinstance(error, PhaseNotReady) else HTTPStatus.FORBIDDEN
        return render(request, "breaking/no_blind.html", context, status=status)


class BlindPredictions(APIView):
    """What every system of the build phase predicted for a task's development data, as CSV: for members of any team.

    403 for whoever is in none; 503 before the build phase is closed and scored.
    """

    @extend_schema(responses={(200, "text/csv"): OpenApiTypes.STR})
    def get(self, request: Request, benchmark: str, task: str) -> HttpResponse:
        return _answer(benchmark, task, sender(request), database_now())


def _answer(benchmark: str, task: str, user: User, now: dt.datetime) -> HttpResponse:
    found = _task(benchmark, task)
    refuse_people_without_team(user)
    try:
        data = blind_predictions(found.benchmark, found, now=now)
    except NothingBuilt as error:
        raise Http404(str(error)) from None
    answer = HttpResponse(data, content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{benchmark}-{task}-blind.csv"'
    answer["Cache-Control"] = "private, no-store"
    return answer


def _task(benchmark: str, task: str) -> Task:
    tasks = Task.objects.filter(benchmark=benchmark, is_retired=False).select_related("benchmark")
    return get_object_or_404(tasks, slug=task)
