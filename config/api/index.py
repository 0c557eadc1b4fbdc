"""What the API has, as the answer to its own address."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.schemas.generators import EndpointEnumerator
from rest_framework.views import APIView

PREFIX = "/api/v1/"


class AddressSerializer(serializers.Serializer[Any]):
    """An address with its methods; `{benchmark}` and the like stand for what differs."""

    path = serializers.CharField()
    methods = serializers.ListField(child=serializers.CharField())


class IndexSerializer(serializers.Serializer[Any]):
    """Everything that there is."""

    handbook = serializers.URLField(help_text="What each address takes and answers, to read.")
    schema = serializers.URLField(help_text="The same as an OpenAPI document.")
    addresses = AddressSerializer(many=True)


class Index(APIView):
    """Every address of the API with its methods."""

    permission_classes = [AllowAny]
    is_for_tokens_of_one_benchmark = True

    @extend_schema(responses=IndexSerializer)
    def get(self, request: Request) -> Response:
        methods: dict[str, list[str]] = {}
        for path, method, _ in EndpointEnumerator().get_api_endpoints():
            if path.startswith(PREFIX):
                methods.setdefault(path, []).append(method)
        data = {
            "handbook": request.build_absolute_uri("/handbook/api/addresses/"),
            "schema": request.build_absolute_uri("/api/schema/"),
            "addresses": [{"path": path, "methods": sorted(of)} for path, of in sorted(methods.items())],
        }
        return Response(IndexSerializer(data).data)
