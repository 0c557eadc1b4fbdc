"""Tokens over the API: made for a password, listed, ended."""

from typing import Any, cast

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import NotFound, PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.authentication import PasswordAuthentication, TokenAuthentication, sender
from accounts.formats.names import one_line
from accounts.models import TOKEN_NAME_LENGTH, ApiToken
from accounts.server.clock import database_now
from accounts.tokens.scopes import Scope
from accounts.tokens.services import (
    LIFE_DAYS,
    LONGEST_LIFE_DAYS,
    TooManyTokens,
    benchmarks_for_tokens,
    create_token,
    end_token,
    tokens_of,
)


class NewTokenSerializer(serializers.Serializer[Any]):
    """What a new token is to be; every field may be left out."""

    name = serializers.CharField(max_length=TOKEN_NAME_LENGTH, required=False, default="", allow_blank=True)
    scopes = serializers.ListField(
        child=serializers.ChoiceField(choices=Scope.choices),
        required=False,
        default=list(Scope.values),
        allow_empty=False,
    )
    benchmark = serializers.CharField(
        max_length=64,
        required=False,
        default="",
        allow_blank=True,
        help_text="The id of the one benchmark that it is for; empty for all.",
    )
    days = serializers.IntegerField(
        min_value=1, max_value=LONGEST_LIFE_DAYS, required=False, default=LIFE_DAYS
    )

    def validate_name(self, name: str) -> str:
        return one_line(name)

    def validate_benchmark(self, wanted: str) -> str:
        if wanted and wanted not in dict(benchmarks_for_tokens(sender(self.context["request"]))):
            raise serializers.ValidationError("There is no such benchmark, or it is not yours to see.")
        return wanted


class TokenSerializer(serializers.Serializer[Any]):
    """A new token. It is stored hashed, so this is the only time it can be read."""

    token = serializers.CharField(read_only=True)
    expiry = serializers.DateTimeField(read_only=True)
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=Scope.choices), read_only=True)


class ListedTokenSerializer(serializers.ModelSerializer[ApiToken]):
    """One of my tokens: never the token itself."""

    key = serializers.CharField(source="token_key", help_text="How it begins; it is ended by this.")
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=Scope.choices))
    last_used_at = serializers.DateTimeField(
        allow_null=True, help_text="Known to ten minutes; null if never."
    )
    is_this = serializers.SerializerMethodField(help_text="Whether this very request was sent with it.")

    class Meta:
        model = ApiToken
        fields = ["key", "name", "scopes", "benchmark", "created", "expiry", "last_used_at", "is_this"]

    def get_is_this(self, token: ApiToken) -> bool:
        return bool(self.context["request"].auth == token)


class SignIn(APIView):
    """Exchange e-mail address and password (HTTP Basic) for a token."""

    authentication_classes = [PasswordAuthentication]

    @extend_schema(request=NewTokenSerializer, responses=TokenSerializer)
    def post(self, request: Request) -> Response:
        asked = NewTokenSerializer(data=request.data, context={"request": request})
        asked.is_valid(raise_exception=True)
        values = dict(asked.validated_data)
        values["scopes"] = [Scope(one) for one in values["scopes"]]
        try:
            stored, token = create_token(user=sender(request), now=database_now(), **values)
        except TooManyTokens as error:
            raise PermissionDenied(str(error), code="too_many_tokens") from None
        return Response(
            TokenSerializer({"token": token, "expiry": stored.expiry, "scopes": stored.scopes}).data
        )


class SignOut(APIView):
    """Make the token of this request useless."""

    authentication_classes = [TokenAuthentication]
    token_scopes = {"POST": None}
    is_for_tokens_of_one_benchmark = True

    @extend_schema(request=None, responses={204: None})
    def post(self, request: Request) -> Response:
        end_token(user=sender(request), key=cast(ApiToken, request.auth).token_key)
        return Response(status=status.HTTP_204_NO_CONTENT)


class TokenList(APIView):
    """My tokens, newest first, and what each may do. New ones are made on the account page, or for a password."""

    token_scopes = {"GET": Scope.MANAGE}

    @extend_schema(operation_id="tokens", responses=ListedTokenSerializer(many=True))
    def get(self, request: Request) -> Response:
        mine = tokens_of(sender(request), database_now())
        return Response(ListedTokenSerializer(mine, many=True, context={"request": request}).data)


class TokenDetail(APIView):
    """One of my tokens, named by how it begins."""

    @extend_schema(operation_id="end_token", request=None, responses={204: None})
    def delete(self, request: Request, key: str) -> Response:
        """End it: whatever uses it is signed out at once."""
        if end_token(user=sender(request), key=key) is None:
            raise NotFound("You have no token that begins so.")
        return Response(status=status.HTTP_204_NO_CONTENT)
