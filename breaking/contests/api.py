"""Contested labels over the API: the public list, and contesting in the name of a team."""

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.generics import GenericAPIView
from rest_framework.permissions import AllowAny, BasePermission, IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle

from accounts.api.authentication import sender
from accounts.api.teams import my_team
from accounts.models import User
from accounts.server.clock import database_now
from benchmarks.models import Benchmark, Split
from breaking.contests.services import (
    LONGEST_REASON,
    ShownContest,
    add_voice,
    contest_item,
    retract,
    shown_contests,
    with_all_shown,
)
from breaking.models import Contest
from breaking.querysets import ContestQuerySet


class ContestFilterSerializer(serializers.Serializer[Any]):
    """Which contests to list."""

    benchmark = serializers.CharField(max_length=64, required=False)
    status = serializers.ChoiceField(choices=Contest.Status.choices, required=False)


class ContestingSerializer(serializers.Serializer[Any]):
    """A label that is to be contested."""

    benchmark = serializers.CharField(max_length=64)
    task = serializers.CharField(max_length=64)
    split = serializers.CharField(max_length=64, help_text="The set: `dev`, or that of a breaker.")
    item = serializers.CharField(max_length=200, trim_whitespace=False)
    team = serializers.CharField(max_length=80, help_text="The team's id, or its name.")
    reason = serializers.CharField(max_length=LONGEST_REASON, help_text="Public.")
    proposed_label = serializers.CharField(
        max_length=1_000, required=False, allow_blank=True, trim_whitespace=False
    )


class VoiceSerializer(serializers.Serializer[Any]):
    """What one more team says about a contested label."""

    team = serializers.CharField(max_length=80, help_text="The team's id, or its name.")
    label = serializers.CharField(max_length=1_000, trim_whitespace=False)  # type: ignore[assignment]  # a declared field


class _SaidSerializer(serializers.Serializer[Any]):
    team = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # a declared field, not its own heading


class ContestSerializer(serializers.Serializer[ShownContest]):
    """A contested label. As long as systems are anonymous, builders are called “a builder”."""

    id = serializers.UUIDField(source="contest.pk")
    benchmark = serializers.CharField(source="contest.split.task.benchmark_id")
    task = serializers.CharField(source="contest.split.task.slug")
    split = serializers.CharField(source="contest.split.slug")
    item = serializers.CharField(source="contest.item")
    url = serializers.SerializerMethodField(help_text="The item's page.")
    reason = serializers.CharField(source="contest.reason")
    proposed_label = serializers.CharField(source="contest.proposed_label")
    raised_by = serializers.CharField(source="party")
    is_mine = serializers.BooleanField(help_text="Whether a team of whoever asks contests it.")
    raised_at = serializers.DateTimeField(source="contest.raised_at")
    votes = serializers.SerializerMethodField(help_text="How many annotators gave which label.")
    majority = serializers.SerializerMethodField(help_text="What more than half of them say, or null.")
    agreement = serializers.FloatField(
        source="tally.agreement", allow_null=True, help_text="Share of pairs of votes that agree."
    )
    voices = serializers.SerializerMethodField(help_text="What further teams say; not counted as votes.")
    status = serializers.ChoiceField(source="contest.status", choices=Contest.Status.choices)
    is_decided = serializers.SerializerMethodField(
        help_text="True of an open one whose decision is on its way into the gold labels, too."
    )
    note = serializers.SerializerMethodField(help_text="Why the organiser decided so.")
    gold_version = serializers.SerializerMethodField(help_text="That which the decision made, or null.")
    label_before = serializers.SerializerMethodField(help_text="Null where nothing was changed.")
    label_after = serializers.SerializerMethodField(help_text="What it was changed to, or null.")

    def get_url(self, one: ShownContest) -> str:
        url: str = self.context["request"].build_absolute_uri(one.url)
        return url

    def get_votes(self, one: ShownContest) -> dict[str, int]:
        return dict(one.tally.counts)

    def get_majority(self, one: ShownContest) -> str | None:
        return one.tally.majority or None

    @extend_schema_field(_SaidSerializer(many=True))
    def get_voices(self, one: ShownContest) -> list[dict[str, str]]:
        return [{"team": party, "label": label} for party, label in one.voices]

    def get_is_decided(self, one: ShownContest) -> bool:
        return one.contest.decided_at is not None

    def get_note(self, one: ShownContest) -> str:
        return "" if one.contest.status == Contest.Status.OPEN else one.contest.note

    def get_gold_version(self, one: ShownContest) -> int | None:
        return one.contest.gold_version.number if one.contest.gold_version else None

    def get_label_before(self, one: ShownContest) -> str | None:
        return one.change[0] if one.change else None

    def get_label_after(self, one: ShownContest) -> str | None:
        return one.change[1] if one.change else None


def public_contests(request: Request) -> ContestQuerySet:
    """Those that whoever asks may read of: the gold labels of their sets are public, and so is their benchmark."""
    seen = Benchmark.objects.seen_by(request.user)
    return with_all_shown(
        Contest.objects.filter(split__gold_opened_at__isnull=False, split__task__benchmark__in=seen)
    )


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
        form = ContestFilterSerializer(data=request.query_params)
        form.is_valid(raise_exception=True)
        wanted = form.validated_data
        if "benchmark" in wanted:
            wanted["split__task__benchmark"] = get_object_or_404(
                Benchmark.objects.seen_by(request.user), pk=wanted.pop("benchmark")
            )
        page = self.paginate_queryset(public_contests(request).filter(**wanted))
        assert page is not None  # noqa: S101  # every list here comes in pages
        shown = shown_contests(page, _user(request))
        return self.get_paginated_response(self.get_serializer(shown, many=True).data)

    @extend_schema(request=ContestingSerializer, responses={201: ContestSerializer})
    def post(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Contest the label of an item, with a reason and perhaps the label that it should have."""
        form = ContestingSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        said = form.validated_data
        seen = Benchmark.objects.seen_by(request.user)
        splits = Split.objects.select_related("task__benchmark").filter(
            task__is_retired=False, task__benchmark__in=seen
        )
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


class _OneContest(GenericAPIView[Any]):
    serializer_class = ContestSerializer

    def get_queryset(self) -> ContestQuerySet:
        return public_contests(self.request)


class ContestDetail(_OneContest):
    """One contested label."""

    permission_classes: list[type[BasePermission]] = [AllowAny]

    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return Response(_one(self, self.get_object()))


class Voice(_OneContest):
    """Say which label one more team would give a contested item. It is shown beside the votes and is none."""

    @extend_schema(request=VoiceSerializer)
    def post(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        contest = self.get_object()
        form = VoiceSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        team, label = my_team(form.validated_data["team"], request), form.validated_data["label"]
        add_voice(contest=contest, team=team, user=sender(request), label=label, now=database_now())
        return Response(_one(self, contest))


class Retract(_OneContest):
    """Take a contest of one of my teams back, as long as it is undecided."""

    @extend_schema(request=None)
    def post(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        contest = self.get_object()
        retract(contest=contest, user=sender(request), now=database_now())
        return Response(_one(self, contest))


def _one(view: GenericAPIView[Any], contest: Contest) -> Any:
    found = public_contests(view.request).get(pk=contest.pk)
    (shown,) = shown_contests([found], _user(view.request))
    return view.get_serializer(shown).data
