"""Handing in pairs over the API. Whatever belongs to another team is not found.

No label is among what is shown: those stand in the sealed file alone.
"""

from typing import Any

from django.views.decorators.debug import sensitive_variables
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.exceptions import NotFound
from rest_framework.generics import GenericAPIView, ListCreateAPIView, RetrieveAPIView
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.throttling import BaseThrottle

from accounts.api.authentication import sender
from accounts.api.teams import my_team
from accounts.api.token_scopes import SUBMITTING, benchmark_of_token
from accounts.server.clock import database_now, received_at
from benchmarks.models import Benchmark, Task
from breaking.models import Pair, PairFile
from breaking.pairs.starter_data import tasks_of_pairs
from breaking.pairs.uploads import hand_in_pairs, withdraw_pairs
from breaking.querysets import PairFileQuerySet
from submissions.api.serializers import RefusedUploadSerializer
from submissions.api.views import phase_named


class HandInSerializer(serializers.Serializer[Any]):
    """The form that a file of pairs is sent as."""

    phase = serializers.CharField(max_length=129, help_text="benchmark/phase, such as bibi/break.")
    team = serializers.CharField(max_length=80, help_text="The team's id, or its name.")
    task = serializers.CharField(max_length=64, help_text="The id of the task.")
    file = serializers.FileField(
        allow_empty_file=True,
        max_length=None,
        help_text="CSV, or TSV where the task's files are: id, original_id, text, label, rationale, perhaps category.",
    )


class PairSerializer(serializers.ModelSerializer[Pair]):
    """A pair, the size of its change, and what the organiser says of it."""

    item = serializers.CharField(source="changed_item")
    reason = serializers.SerializerMethodField(help_text="Why it waits, or what the organiser said of it.")

    class Meta:
        model = Pair
        fields = [
            "item", "line", "original_id", "is_from_scratch", "original_text", "changed_text", "rationale",
            "category", "character_edits", "token_edits", "token_count", "decision", "reason",
        ]  # fmt: skip

    def get_reason(self, pair: Pair) -> str:
        return pair.decision_reason or pair.outlier_reason


class PairFileSerializer(serializers.ModelSerializer[PairFile]):
    """A team's file of pairs and what has become of it."""

    url = serializers.SerializerMethodField(help_text="Its page.")
    status_url = serializers.SerializerMethodField(help_text="Where it can be asked for.")
    phase = serializers.CharField(source="phase.__str__")
    task = serializers.CharField(source="task.slug")
    team_name = serializers.CharField(source="team.name")
    submitted_by = serializers.CharField(source="submitted_by.__str__")
    waiting_count = serializers.IntegerField(help_text="Pairs that wait for the organiser.")
    left_out_count = serializers.IntegerField(help_text="Pairs that the organiser left out.")

    class Meta:
        model = PairFile
        fields = [
            "id", "url", "status_url", "status", "status_reason", "phase", "task", "team", "team_name",
            "submitted_by", "received_at", "ended_at", "file_name", "pair_count", "waiting_count", "left_out_count",
        ]  # fmt: skip

    def get_url(self, pair_file: PairFile) -> str:
        return str(self.context["request"].build_absolute_uri(pair_file.get_absolute_url()))

    def get_status_url(self, pair_file: PairFile) -> str:
        return reverse("api:pair-file", args=[pair_file.pk], request=self.context["request"])


class PairReceiptSerializer(PairFileSerializer):
    """What is answered to a file that was accepted."""

    is_repeat = serializers.SerializerMethodField(help_text="This very file counts already.")
    waiting = serializers.SerializerMethodField(help_text="The pairs that wait for the organiser.")

    class Meta(PairFileSerializer.Meta):
        fields = [*PairFileSerializer.Meta.fields, "is_repeat", "waiting"]

    def get_is_repeat(self, pair_file: PairFile) -> bool:
        return bool(pair_file.received_at != self.context["received_at"])

    @extend_schema_field(PairSerializer(many=True))
    def get_waiting(self, pair_file: PairFile) -> list[Any]:
        return [PairSerializer(pair).data for pair in pair_file.pairs.filter(decision=Pair.Decision.WAITING)]


class PairFileDetailSerializer(PairFileSerializer):
    """A file with all its pairs."""

    pairs = PairSerializer(many=True)

    class Meta(PairFileSerializer.Meta):
        fields = [*PairFileSerializer.Meta.fields, "pairs"]


class _MyFiles(GenericAPIView[PairFile]):
    serializer_class = PairFileSerializer
    is_for_tokens_of_one_benchmark = True

    def get_queryset(self) -> PairFileQuerySet:
        files: PairFileQuerySet = PairFile.objects.of(sender(self.request)).listed()
        benchmark = benchmark_of_token(self.request)
        return files.filter(phase__benchmark=benchmark) if benchmark else files


class HandedIn(_MyFiles, ListCreateAPIView[PairFile]):
    """The files of pairs of my teams, newest first; and where pairs are handed in."""

    parser_classes = [MultiPartParser]
    throttle_scope = "uploads"
    token_scopes = SUBMITTING

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
        sent, phase = form.validated_data, phase_named(form.validated_data["phase"], request)
        taken = hand_in_pairs(
            team=my_team(sent["team"], request),
            phase=phase,
            task=_task(sent["task"], phase.benchmark),
            user=sender(request),
            data=sent["file"].read(),
            file_name=sent["file"].name,
            received_at=arrived,
        )
        context = {**self.get_serializer_context(), "received_at": arrived}
        data = PairReceiptSerializer(self.get_queryset().get(pk=taken.pk), context=context).data
        code = status.HTTP_200_OK if data["is_repeat"] else status.HTTP_201_CREATED
        return Response(data, status=code, headers={"Location": data["status_url"]})


class PairFileDetail(_MyFiles, RetrieveAPIView[PairFile]):
    """A file of one of my teams with all its pairs, and what the organiser says of them."""

    serializer_class = PairFileDetailSerializer


class WithdrawPairs(_MyFiles):
    """Have a file of one of my teams count no longer, before the phase closes; its trace stays."""

    @extend_schema(request=None)
    def post(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        withdraw_pairs(pair_file=self.get_object(), user=sender(request), now=database_now())
        return Response(self.get_serializer(self.get_object()).data)


def _task(wanted: str, benchmark: Benchmark) -> Task:
    tasks = {task.slug: task for task in tasks_of_pairs(benchmark)}
    if wanted not in tasks:
        raise NotFound(
            f"{benchmark} has no task {wanted!r} that pairs are made of. There is: {', '.join(tasks) or 'none'}.",
            code="unknown_task",
        )
    return tasks[wanted]
