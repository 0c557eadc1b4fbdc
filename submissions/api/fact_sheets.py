"""Fact sheets over the API: what a benchmark asks, and what one of my systems says."""

from collections.abc import Mapping
from typing import IO, Any

from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.generics import GenericAPIView
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.authentication import sender
from accounts.api.token_scopes import SUBMITTING
from accounts.server.clock import received_at
from benchmarks.models import Benchmark
from submissions.api.serializers import FactListSerializer, RefusedUploadSerializer
from submissions.fact_sheets.services import fact_lists, upload_fact_sheet
from submissions.models import FactSheet, System
from submissions.querysets import SystemQuerySet


class UnreadJson(BaseParser):
    """The body as it came: our own reader knows the line of every fault."""

    media_type = "application/json"

    def parse(
        self, stream: IO[Any], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> dict[str, bytes]:
        return {"body": stream.read()}


class FactSheetSerializer(serializers.Serializer[Any]):
    """A system's fact sheet for a benchmark, with what could be answered."""

    system = serializers.UUIDField()
    benchmark = serializers.CharField()
    lists = FactListSerializer(many=True)
    answers = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField()),
        allow_null=True,
        help_text="The options that the system uses, by list; null until something has been said.",
    )
    changed_at = serializers.DateTimeField(allow_null=True)
    changed_by = serializers.CharField(allow_null=True)


class FactSheetDetail(GenericAPIView[System]):
    """What one of my systems says of itself, by the lists of a benchmark."""

    serializer_class = FactSheetSerializer
    token_scopes = SUBMITTING
    parser_classes = [UnreadJson]

    def get_queryset(self) -> SystemQuerySet:
        return System.objects.of(sender(self.request))

    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        system, benchmark = self._asked()
        sheet = FactSheet.objects.filter(system=system, benchmark=benchmark).select_related("changed_by")
        return Response(_shown(system, benchmark, sheet.first()))

    @extend_schema(
        request={"application/json": OpenApiTypes.OBJECT},
        responses={422: RefusedUploadSerializer, 200: FactSheetSerializer},
    )
    def put(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Replace the sheet as a whole: an object from every list's id to a list of its options, which may be empty."""
        system, benchmark = self._asked()
        sent: Any = request.data  # what UnreadJson gives; empty where there is no body
        sheet = upload_fact_sheet(
            system=system,
            benchmark=benchmark,
            data=sent.get("body", b""),
            file_name="fact_sheet",
            user=sender(request),
            now=received_at(request),
        )
        return Response(_shown(system, benchmark, sheet))

    def _asked(self) -> tuple[System, Benchmark]:
        system = self.get_object()
        benchmark = get_object_or_404(Benchmark, pk=self.kwargs["benchmark"])
        if not fact_lists(benchmark):
            raise NotFound(f"{benchmark} asks for no fact sheet.", code="fact_sheet_not_asked")
        return system, benchmark


def _shown(system: System, benchmark: Benchmark, sheet: FactSheet | None) -> Any:
    return FactSheetSerializer(
        {
            "system": system.pk,
            "benchmark": benchmark.slug,
            "lists": fact_lists(benchmark),
            "answers": sheet.answers if sheet else None,
            "changed_at": sheet.changed_at if sheet else None,
            "changed_by": str(sheet.changed_by) if sheet else None,
        }
    ).data
