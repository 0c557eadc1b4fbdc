"""Contested labels over the API: the public list, and contesting in the name of a team."""

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.generics import GenericAPIView
from rest_framework.permissions import AllowAny, BasePermission, IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle

from accounts.api.authentication import sender
from accounts.models import User
from accounts.server.clock import database_now
from benchmarks.models import Benchmark, Split
from breaking.api import my_team
from breaking.contests.public_contests import shown_contests, with_all_shown
from breaking.contests.serializers import (
    ContestFilterSerializer,
    ContestingSerializer,
    ContestSerializer,
    VoiceSerializer,
)
from breaking.contests.services import add_voice, contest_item, retract
from breaking.models import Contest
from breaking.querysets import ContestQuerySet


def public_contests() -> ContestQuerySet:
    """Those that everybody may read of: the gold labels of their sets are public."""
    contests = Contest.objects.filter(split__gold_opened_at__isnull=False)
    return with_all_shown(contests)


def _user(request: Request) -> User | None:
    return sender(request) if request.user.is_authenticated else None


class ContestList(GenericAPIView[Any]):
    """Contested labels, of all benchmarks or of one, newest first; and where one is contested."""

    permission_classes: list[type[BasePermission]] = [IsAuthenticatedOrReadOnly]
    serializer_class = ContestSerializer
    throttle_scope = "uploads"

    def get_throttles(self) -> list[BaseThrottle]:
        return super().get_throttles() if self.request.method == "POST" else []

    @extend_schema(parameters=[ContestFilterSerializer], responses=ContestSerializer(many=True))
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        asked = ContestFilterSerializer(data=request.query_params)
        asked.is_valid(raise_exception=True)
        found = public_contests()
        if "benchmark" in asked.validated_data:
            benchmark = get_object_or_404(Benchmark, pk=asked.validated_data["benchmark"])
            found = found.filter(split__task__benchmark=benchmark)
        if "status" in asked.validated_data:
            found = found.filter(status=asked.validated_data["status"])
        page = self.paginate_queryset(found)
        assert page is not None  # noqa: S101  # every list here comes in pages
        shown = shown_contests(page, _user(request))
        return self.get_paginated_response(self.get_serializer(shown, many=True).data)

    @extend_schema(request=ContestingSerializer, responses={201: ContestSerializer})
    def post(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Contest the label of an item, with a reason and perhaps the label that it should have."""
        form = ContestingSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        said = form.validated_data
        splits = Split.objects.select_related("task__benchmark").filter(task__is_retired=False)
        split = get_object_or_404(
            splits, task__benchmark=said["benchmark"], task__slug=said["task"], slug=said["split"]
        )
        raised = contest_item(
            split=split,
            item=said["item"],
            reason=said["reason"],
            proposed_label=said.get("proposed_label", ""),
            team=my_team(said["team"], request),
            user=sender(request),
            now=database_now(),
        )
        return Response(_one(self, raised), status=status.HTTP_201_CREATED)


class ContestDetail(GenericAPIView[Any]):
    """One contested label."""

    permission_classes: list[type[BasePermission]] = [AllowAny]
    serializer_class = ContestSerializer

    def get_queryset(self) -> ContestQuerySet:
        return public_contests()

    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return Response(_one(self, self.get_object()))


class Voice(GenericAPIView[Any]):
    """Say which label one more team would give a contested item. It is shown beside the votes and is none."""

    serializer_class = ContestSerializer

    def get_queryset(self) -> ContestQuerySet:
        return public_contests()

    @extend_schema(request=VoiceSerializer)
    def post(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        contest = self.get_object()
        form = VoiceSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        team, label = my_team(form.validated_data["team"], request), form.validated_data["label"]
        add_voice(contest=contest, team=team, user=sender(request), label=label, now=database_now())
        return Response(_one(self, contest))


class Retract(GenericAPIView[Any]):
    """Take a contest of one of my teams back, as long as it is undecided."""

    serializer_class = ContestSerializer

    def get_queryset(self) -> ContestQuerySet:
        return public_contests()

    @extend_schema(request=None)
    def post(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        contest = self.get_object()
        retract(contest=contest, user=sender(request), now=database_now())
        return Response(_one(self, contest))


def _one(view: GenericAPIView[Any], contest: Contest) -> Any:
    """The contest as it is now."""
    found = public_contests().get(pk=contest.pk)
    (shown,) = shown_contests([found], _user(view.request))
    return view.get_serializer(shown).data
