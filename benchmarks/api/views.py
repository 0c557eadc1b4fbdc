"""What is evaluated, over the API: public, and all that a check on one's own machine needs."""

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.exceptions import APIException, NotFound
from rest_framework.generics import ListAPIView
from rest_framework.permissions import AllowAny, IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.authentication import sender
from accounts.server.clock import database_now
from benchmarks.api.serializers import (
    AcceptSerializer,
    BenchmarkSerializer,
    ItemIdsSerializer,
    TermsSerializer,
)
from benchmarks.models import Benchmark, Split
from benchmarks.notices.models import Acceptance
from benchmarks.notices.terms import TermsChanged, accept_terms, current_terms


class BenchmarkList(ListAPIView[Benchmark]):
    """All benchmarks of this server."""

    permission_classes = [AllowAny]
    serializer_class = BenchmarkSerializer
    queryset = Benchmark.objects.all()


class Definition(APIView):
    """The document that a benchmark is defined by. Send its ETag back to learn whether it has changed."""

    permission_classes = [AllowAny]

    @extend_schema(responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, benchmark: str) -> Response:
        found = get_object_or_404(Benchmark, pk=benchmark)
        return _unless_known(request, found.definition_sha256, found.definition.document)


class TermsRefused(APIException):
    """The version that was to be accepted does not stand."""

    status_code = status.HTTP_409_CONFLICT
    default_code = "terms_changed"


class TermsDetail(APIView):
    """The terms that a person accepts once before the first submission, for each version of them."""

    permission_classes = [IsAuthenticatedOrReadOnly]

    @extend_schema(responses=TermsSerializer)
    def get(self, request: Request, benchmark: str) -> Response:
        """404 where nothing has to be accepted."""
        return self._answer(request, get_object_or_404(Benchmark, pk=benchmark))

    @extend_schema(request=AcceptSerializer, responses=TermsSerializer)
    def post(self, request: Request, benchmark: str) -> Response:
        """Accept the version that was read. 409 `terms_changed` if another stands; accepting again changes nothing."""
        found = get_object_or_404(Benchmark, pk=benchmark)
        form = AcceptSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        version = form.validated_data["version"]
        try:
            accept_terms(user=sender(request), benchmark=found, version=version, now=database_now())
        except TermsChanged as changed:
            raise TermsRefused(f"{changed} GET this address to read what stands.") from None
        return self._answer(request, found)

    def _answer(self, request: Request, benchmark: Benchmark) -> Response:
        terms = current_terms(benchmark)
        if terms is None:
            raise NotFound(f"{benchmark} has no terms to accept.", code="no_terms")
        accepted = None
        if request.user.is_authenticated:
            accepted = Acceptance.objects.filter(terms=terms, user=sender(request)).first()
        context = {"accepted_at": accepted.accepted_at if accepted else None}
        return Response(TermsSerializer(terms, context=context).data)


class TaskIds(APIView):
    """The ids that a task's prediction file must answer. Send the ETag back to learn whether they have changed."""

    permission_classes = [AllowAny]

    @extend_schema(
        responses=ItemIdsSerializer,
        parameters=[
            OpenApiParameter("split", str, description="One of the task's splits; `test` without it.")
        ],
    )
    def get(self, request: Request, benchmark: str, task: str) -> Response:
        asked = request.query_params.get("split", "test").replace("\0", "")
        splits = Split.objects.filter(task__benchmark=benchmark, task__is_retired=False)
        split = get_object_or_404(splits, task__slug=task, slug=asked)
        data = {
            "task": task,
            "split": split.slug,
            "sha256": split.ids_sha256,
            "ids": split.ids_text().decode().split("\n"),
        }
        return _unless_known(request, split.ids_sha256, data)


def _unless_known(request: Request, sha256: str, data: dict[str, Any]) -> Response:
    headers = {"ETag": f'"{sha256}"', "Cache-Control": "no-cache"}
    if f'"{sha256}"' in request.headers.get("If-None-Match", ""):
        return Response(status=status.HTTP_304_NOT_MODIFIED, headers=headers)
    return Response(data, headers=headers)
