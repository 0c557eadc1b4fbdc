"""The pages about a benchmark, over the API."""

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from benchmarks.models import Benchmark
from benchmarks.notices.models import WrittenVersion
from benchmarks.notices.pages import standing_pages


class WrittenPageSerializer(serializers.ModelSerializer[WrittenVersion]):
    """A page that organisers have written about a benchmark, as it stands; `text` is Markdown."""

    id = serializers.CharField(source="page.slug")
    url = serializers.SerializerMethodField(help_text="Where it is read.")
    version = serializers.IntegerField(source="number")

    class Meta:
        model = WrittenVersion
        fields = ["id", "title", "text", "version", "written_at", "url"]

    def get_url(self, version: WrittenVersion) -> str:
        request: Request = self.context["request"]
        return request.build_absolute_uri(version.page.get_absolute_url())


class WrittenPages(APIView):
    """The pages that the organisers of a benchmark have written about it, in their order."""

    permission_classes = [AllowAny]

    @extend_schema(responses=WrittenPageSerializer(many=True))
    def get(self, request: Request, benchmark: str) -> Response:
        found = get_object_or_404(Benchmark, pk=benchmark)
        context: dict[str, Any] = {"request": request}
        return Response(WrittenPageSerializer(standing_pages(found), many=True, context=context).data)
