"""What seals gold labels, over the API: the public half of the scorer's key."""

from typing import Any

from django.conf import settings
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from submissions.intake.sealing import key_digest, key_fingerprint


class GoldKeySerializer(serializers.Serializer[Any]):
    """The key that gold labels are sealed to, and what to compare it by with what an operator says."""

    public_key = serializers.CharField(help_text="32 bytes in base64.")
    fingerprint = serializers.CharField(help_text="The first 16 hexadecimal digits of the key's SHA-256.")
    sha256 = serializers.CharField(help_text="Of the key's 32 bytes.")


class GoldKey(APIView):
    """The public key that organisers seal gold labels to on their own machine."""

    permission_classes = [AllowAny]
    is_for_tokens_of_one_benchmark = True

    @extend_schema(operation_id="gold_key", responses=GoldKeySerializer)
    def get(self, request: Request) -> Response:
        """404 where this server has none."""
        key = settings.GOLD_PUBLIC_KEY
        if not key:
            raise NotFound("This server has no key to seal gold labels to.")
        return Response({"public_key": key, "fingerprint": key_fingerprint(key), "sha256": key_digest(key)})
