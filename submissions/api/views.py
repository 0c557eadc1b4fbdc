"""Systems, uploads and submissions over the API. Whatever belongs to another team is not found."""

import datetime as dt
import uuid
from collections.abc import Mapping
from typing import Any

from django.db.models import Prefetch, Q
from django.http import FileResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema
from rest_framework import status
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.generics import GenericAPIView, ListCreateAPIView, RetrieveAPIView, RetrieveUpdateAPIView
from rest_framework.parsers import MultiPartParser
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer
from rest_framework.throttling import BaseThrottle

from accounts.api.authentication import sender
from accounts.api.token_scopes import SUBMITTING, benchmark_of_token, refuse_other_benchmark
from accounts.models import Team, User
from accounts.server.clock import database_now, received_at
from benchmarks.models import Benchmark, Phase, Task, Texts
from catalogue.suggestions import near
from submissions.api.serializers import (
    BenchmarkDetailSerializer,
    CheckedSerializer,
    DryRunSerializer,
    QuotaUsedUpSerializer,
    ReceiptSerializer,
    RefusedUploadSerializer,
    SubmissionFilterSerializer,
    SubmissionSerializer,
    UploadSerializer,
)
from submissions.api.system_serializers import SystemChangeSerializer, SystemSerializer
from submissions.fact_sheets.services import read_for, save_fact_sheet
from submissions.intake import IntakeResult
from submissions.models import Submission, System
from submissions.participants import TeamRegistration
from submissions.querysets import SubmissionQuerySet, SystemQuerySet
from submissions.quota.slots import Quota, quotas
from submissions.services import PredictionUpload, check, submit_predictions
from submissions.systems.file_removals import as_download
from submissions.systems.replacements import replaced_by, told_of_others, waiting_beside
from submissions.systems.services import change_system, create_system
from submissions.systems.status_transitions import choose, withdraw
from submissions.uploads.answer_summary import answered_splits, in_order, predictions_to_list
from submissions.uploads.repairs import kept, repaired_file


class BenchmarkDetail(RetrieveAPIView[Benchmark]):
    """A benchmark with its tasks, its phases, and what my teams have used of their quota."""

    permission_classes = [AllowAny]
    serializer_class = BenchmarkDetailSerializer
    lookup_url_kwarg = "benchmark"
    queryset = Benchmark.objects.prefetch_related(
        Prefetch("tasks", Task.objects.filter(is_retired=False)),
        "tasks__splits",
        Prefetch("tasks__splits__texts", Texts.objects.defer("packed")),
        "phases",
    )

    def get_serializer_context(self) -> dict[str, Any]:
        now = database_now()
        used: list[Quota] = []
        registrations: list[TeamRegistration] = []
        if self.request.user.is_authenticated:
            user = sender(self.request)
            phases = Phase.objects.filter(benchmark=self.kwargs.get("benchmark"))
            teams = Team.objects.of(user)
            used = quotas(user, teams, phases, now)
            registrations = list(
                TeamRegistration.objects.filter(
                    benchmark=self.kwargs.get("benchmark"), team__in=teams
                ).select_related("team")
            )
        return {
            **super().get_serializer_context(),
            "now": now,
            "withheld": Phase.objects.withheld(self.kwargs.get("benchmark", ""), now),
            "quotas": used,
            "registrations": registrations,
        }


class SystemList(ListCreateAPIView[System]):
    """The systems of my teams; a new one needs a team and a name."""

    serializer_class = SystemSerializer
    token_scopes = SUBMITTING
    is_for_tokens_of_one_benchmark = True

    def get_queryset(self) -> SystemQuerySet:
        return System.objects.of(sender(self.request)).select_related("team")

    def perform_create(self, serializer: BaseSerializer[System]) -> None:
        serializer.instance = create_system(now=database_now(), **serializer.validated_data)


class SystemDetail(RetrieveUpdateAPIView[System]):
    """One of my systems."""

    serializer_class = SystemChangeSerializer
    token_scopes = SUBMITTING
    is_for_tokens_of_one_benchmark = True
    http_method_names = ["get", "patch", "head", "options"]

    def get_queryset(self) -> SystemQuerySet:
        return System.objects.of(sender(self.request)).select_related("team")

    def perform_update(self, serializer: BaseSerializer[System]) -> None:
        change_system(system=self.get_object(), **serializer.validated_data)


def my_submissions(request: Request) -> SubmissionQuerySet:
    """The submissions of my teams with all that their serializer reads."""
    benchmark = benchmark_of_token(request)
    return (
        Submission.objects.of(sender(request))
        .filter(**({"phase__benchmark": benchmark} if benchmark else {}))
        .select_related("phase", "system__team", "submitted_by")
        .prefetch_related(Prefetch("predictions", predictions_to_list()))
    )


class SubmissionList(ListCreateAPIView[Submission]):
    """The submissions of my teams, newest first; and where predictions are sent."""

    serializer_class = SubmissionSerializer
    parser_classes = [MultiPartParser]
    throttle_scope = "uploads"
    token_scopes = SUBMITTING
    is_for_tokens_of_one_benchmark = True
    _others: Mapping[str, Any] = {}

    def get_queryset(self) -> SubmissionQuerySet:
        filters = SubmissionFilterSerializer(data=self.request.query_params)
        filters.is_valid(raise_exception=True)
        asked = dict(filters.validated_data)
        if "phase" in asked:
            asked["phase"] = phase_named(asked["phase"], self.request)
        return my_submissions(self.request).filter(**asked)

    def get_serializer_context(self) -> dict[str, Any]:
        return {**super().get_serializer_context(), "now": database_now(), **self._others}

    def paginate_queryset(self, queryset: Any) -> Any:
        """A page; what its submissions are to each other is read at once."""
        page = super().paginate_queryset(queryset)
        self._others = {"others": told_of_others(page or [], dt.UTC)}
        return page

    def get_throttles(self) -> list[BaseThrottle]:
        return super().get_throttles() if self.request.method == "POST" else []

    @extend_schema(parameters=[SubmissionFilterSerializer])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return self.list(request)

    @extend_schema(
        request=UploadSerializer,
        parameters=[DryRunSerializer],
        responses={
            201: ReceiptSerializer,
            200: PolymorphicProxySerializer(
                component_name="RepeatedOrChecked",
                serializers=[ReceiptSerializer, CheckedSerializer],
                resource_type_field_name=None,
            ),
            422: RefusedUploadSerializer,
            429: QuotaUsedUpSerializer,
        },
    )
    def post(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Send predictions. 201: accepted. 200: these predictions had been sent before, or were only checked."""
        arrived = received_at(request)
        form = UploadSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        asked = DryRunSerializer(data=request.query_params)
        asked.is_valid(raise_exception=True)
        file = form.validated_data["file"]
        phase, system = (
            phase_named(form.validated_data["phase"], request),
            _system(form.validated_data["system"], request),
        )
        sheet = form.validated_data.get("fact_sheet")
        said = read_for(phase.benchmark, sheet.read(), sheet.name) if sheet is not None else None
        upload = PredictionUpload(
            system=system,
            phase=phase,
            user=sender(request),
            data=file.read(),
            file_name=file.name,
            received_at=arrived,
            task=form.validated_data.get("task") or None,
            split=form.validated_data.get("split") or None,
            track=form.validated_data.get("track") or "",
            fact_sheet=said,
        )
        if form.validated_data["dry_run"] or asked.validated_data["dry_run"]:
            return _checked(check(upload), sender(request), system, phase, arrived)
        receipt = submit_predictions(upload)
        if said is not None and said.content is not None:
            save_fact_sheet(
                system=system,
                benchmark=phase.benchmark,
                answers=said.content,
                user=sender(request),
                now=arrived,
            )
        submission = receipt.submission
        submission.phase, submission.system = phase, system  # as they were read for the request
        rows = (
            in_order(receipt.stored)
            if receipt.stored
            else predictions_to_list().filter(submission=submission)
        )
        beside = waiting_beside([submission])
        context = {
            **self.get_serializer_context(),
            "receipt": receipt,
            "answered": answered_splits(rows),
            "quota": receipt.quota(sender(request), arrived),
            "others": told_of_others([submission], dt.UTC, beside),
            "replaces": replaced_by(submission, beside),
        }
        data = ReceiptSerializer(submission, context=context).data
        code = status.HTTP_200_OK if receipt.is_repeat else status.HTTP_201_CREATED
        return Response(data, status=code, headers={"Location": data["status_url"]})


def _checked(result: IntakeResult, user: User, system: System, phase: Phase, at: dt.datetime) -> Response:
    (quota,) = quotas(user, [system.team], [phase], at)
    data = {
        "phase": str(phase),
        "system": system.pk,
        "splits": [{"task": one.task, "split": one.split, "seed": one.seed} for one in result.predictions],
        "labels_read": result.labels_read,
        "quota": quota,
    }
    return Response(CheckedSerializer(data).data)


def phase_named(name: str, request: Request) -> Phase:
    """The phase called `benchmark/phase` when the request began.

    NotFound, with what to give instead, where the sender may know of none.
    """
    refuse_other_benchmark(request.auth, name.partition("/")[0])
    try:
        return Phase.objects.named_to(request.user, name, received_at(request))
    except Phase.DoesNotExist:
        raise NotFound(
            f"There is no phase {name!r}. Expected benchmark/phase, such as raft/main; "
            "/api/v1/benchmarks/ lists the benchmarks, and each lists its phases.",
            code="unknown_phase",
        ) from None


def _system(wanted: str, request: Request) -> System:
    """The system of that id, if I may know that it exists; or mine of that name."""
    systems = System.objects.select_related("team")
    mine = systems.of(sender(request))
    try:
        by_id = Q(pk=uuid.UUID(wanted))
    except ValueError:
        found = list(mine.filter(name=wanted)[:2])
    else:
        found = list(mine.filter(by_id)) or list(systems.public().filter(by_id))
    if len(found) > 1:
        raise ValidationError(
            {"system": ["Several of your teams have a system of this name. Please give its id instead."]}
        )
    if not found:
        closest = near(wanted, list(mine.values_list("name", flat=True)))
        meant = f" Did you mean {closest!r}?" if closest else ""
        raise NotFound(
            f"You have no system {wanted!r}.{meant} /api/v1/systems/ lists yours and takes new ones.",
            code="unknown_system",
        )
    system: System = found[0]
    return system


class MySubmission(GenericAPIView[Submission]):
    """One submission of one of my teams."""

    serializer_class = SubmissionSerializer
    is_for_tokens_of_one_benchmark = True

    def get_queryset(self) -> SubmissionQuerySet:
        return my_submissions(self.request)

    def get_serializer_context(self) -> dict[str, Any]:
        return {**super().get_serializer_context(), "now": database_now()}


class Withdraw(MySubmission):
    """Take a submission back; its trace stays."""

    @extend_schema(request=None)
    def post(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        withdraw(submission=self.get_object(), user=sender(request), now=database_now())
        return Response(self.get_serializer(self.get_object()).data)


class Choose(MySubmission):
    """Have this submission count for every task that it answers, where the phase lets teams choose."""

    @extend_schema(request=None)
    def post(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        choose(submission=self.get_object(), user=sender(request), now=database_now())
        return Response(self.get_serializer(self.get_object()).data)


class RepairedUpload(GenericAPIView[Submission]):
    """My repaired upload, within the hour after it was refused."""

    is_for_tokens_of_one_benchmark = True

    @extend_schema(responses={(200, "application/octet-stream"): OpenApiTypes.BINARY})
    def get(self, request: Request, token: str) -> FileResponse:
        found = kept(token, sender(request))
        if found is None:
            raise NotFound("There is no such file, or its hour is over.")
        return repaired_file(*found)


class UploadedFile(MySubmission):
    """The file as it was sent, byte for byte."""

    @extend_schema(responses={(200, "application/octet-stream"): OpenApiTypes.BINARY})
    def get(self, request: Request, *args: Any, **kwargs: Any) -> FileResponse:
        return as_download(self.get_object())
