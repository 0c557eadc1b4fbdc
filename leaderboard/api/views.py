"""Releases over the API, and submissions with their published scores."""

from typing import Any

from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from benchmarks.models import Benchmark
from leaderboard.api.serializers import ReleaseSerializer, SubmissionWithScoresSerializer
from leaderboard.board.exports.board_json import JSON
from leaderboard.models import Page, Release
from leaderboard.serving.page_server import response
from submissions.api.views import MySubmission


class SubmissionDetail(MySubmission):
    """One submission of one of my teams: its status, what happens next and, once published, its scores."""

    serializer_class = SubmissionWithScoresSerializer

    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return Response(self.get_serializer(self.get_object()).data)


class ReleaseList(ListAPIView[Release]):
    """The releases of a benchmark, newest first."""

    permission_classes = [AllowAny]
    serializer_class = ReleaseSerializer

    def get_queryset(self) -> QuerySet[Release]:
        benchmark = get_object_or_404(Benchmark, pk=self.kwargs["benchmark"])
        return Release.objects.of(benchmark.slug).select_related("phase").defer("boards")


class PublishedBoard(APIView):
    """A published board: the very bytes of the page that the site offers as JSON.

    Without `number` the newest release; without `task` and `board` the overall board.
    """

    permission_classes = [AllowAny]

    @extend_schema(responses=OpenApiTypes.OBJECT)
    def get(
        self,
        request: Request,
        benchmark: str,
        number: int | None = None,
        task: str | None = None,
        board: str | None = None,
    ) -> HttpResponse:
        release = "" if number is None else f"/releases/{number}"
        place = f"/tasks/{task}" if task else f"/boards/{board}" if board else ""
        page = Page.objects.filter(pk=f"/benchmarks/{benchmark}{release}{place}.{JSON.ending}").first()
        if page is None:
            raise Http404
        return response(page, request._request)  # noqa: SLF001  # the pages' own answer takes Django's request
