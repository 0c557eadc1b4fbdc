"""Handing in pairs over the API. Whatever belongs to another team is not found."""

import uuid
from typing import Any

from django.db.models import Q
from django.views.decorators.debug import sensitive_variables
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import NotFound
from rest_framework.generics import GenericAPIView, ListCreateAPIView, RetrieveAPIView
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle

from accounts.api.authentication import sender
from accounts.models import Team
from accounts.server.clock import database_now, received_at
from benchmarks.models import Benchmark, Task
from breaking.models import PairFile
from breaking.pairs.task_files import tasks_of_pairs
from breaking.pairs.uploads import hand_in_pairs, withdraw_pairs
from breaking.querysets import PairFileQuerySet
from breaking.serializers import (
    HandInSerializer,
    PairFileDetailSerializer,
    PairFileSerializer,
    PairReceiptSerializer,
)
from submissions.api.serializers import RefusedUploadSerializer
from submissions.api.views import phase_named


def my_files(request: Request) -> PairFileQuerySet:
    """The files of my teams with all that their serializer reads."""
    files: PairFileQuerySet = PairFile.objects.of(sender(request)).listed()
    return files


class HandedIn(ListCreateAPIView[PairFile]):
    """The files of pairs of my teams, newest first; and where pairs are handed in."""

    serializer_class = PairFileSerializer
    parser_classes = [MultiPartParser]
    throttle_scope = "uploads"

    def get_queryset(self) -> PairFileQuerySet:
        return my_files(self.request)

    def get_throttles(self) -> list[BaseThrottle]:
        return super().get_throttles() if self.request.method == "POST" else []

    @extend_schema(
        request=HandInSerializer,
        responses={201: PairReceiptSerializer, 200: PairReceiptSerializer, 422: RefusedUploadSerializer},
    )
    @sensitive_variables()  # the file says what the pairs' labels are
    def post(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Hand in pairs. 201: accepted, in place of the team's earlier file. 200: this very file counts already."""
        arrived = received_at(request)
        form = HandInSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        upload = form.validated_data["file"]
        phase = phase_named(form.validated_data["phase"])
        taken = hand_in_pairs(
            team=my_team(form.validated_data["team"], request),
            phase=phase,
            task=_task(form.validated_data["task"], phase.benchmark),
            user=sender(request),
            data=upload.read(),
            file_name=upload.name,
            received_at=arrived,
        )
        context = {**self.get_serializer_context(), "received_at": arrived}
        data = PairReceiptSerializer(my_files(request).get(pk=taken.pk), context=context).data
        code = status.HTTP_200_OK if data["is_repeat"] else status.HTTP_201_CREATED
        return Response(data, status=code, headers={"Location": data["status_url"]})


class PairFileDetail(RetrieveAPIView[PairFile]):
    """A file of one of my teams with all its pairs, and what the organiser says of them."""

    serializer_class = PairFileDetailSerializer

    def get_queryset(self) -> PairFileQuerySet:
        return my_files(self.request)


class WithdrawPairs(GenericAPIView[PairFile]):
    """Have a file of one of my teams count no longer, before the phase closes; its trace stays."""

    serializer_class = PairFileSerializer

    def get_queryset(self) -> PairFileQuerySet:
        return my_files(self.request)

    @extend_schema(request=None)
    def post(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        withdraw_pairs(pair_file=self.get_object(), user=sender(request), now=database_now())
        return Response(self.get_serializer(self.get_object()).data)


def my_team(wanted: str, request: Request) -> Team:
    """My team of that id or name."""
    try:
        named = Q(pk=uuid.UUID(wanted))
    except ValueError:
        named = Q(name=wanted)
    found: Team | None = Team.objects.of(sender(request)).filter(named).first()
    if found is None:
        raise NotFound(
            f"You are in no team {wanted!r}. /api/v1/teams/ lists yours and founds new ones.",
            code="unknown_team",
        )
    return found


def _task(wanted: str, benchmark: Benchmark) -> Task:
    tasks = tasks_of_pairs(benchmark)
    found = next((task for task in tasks if task.slug == wanted), None)
    if found is None:
        known = ", ".join(task.slug for task in tasks) or "none"
        raise NotFound(
            f"{benchmark} has no task {wanted!r} that pairs are made of. There is: {known}.",
            code="unknown_task",
        )
    return found
