"""Registering a team with a code, over the API."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.authentication import sender
from accounts.api.teams import MyTeamField
from accounts.server.clock import database_now
from submissions.api.serializers import TeamRegistrationSerializer
from submissions.quota.registration_codes import register_by_code


class RegistrationCodeSerializer(serializers.Serializer[None]):
    """A team of mine, the id of a benchmark, and the code that its organisers have given."""

    benchmark = serializers.SlugField(max_length=64)
    team = MyTeamField()
    code = serializers.CharField(max_length=200, write_only=True)


class Registrations(APIView):
    """Register one of my teams where a benchmark asks for a code. Wrong codes are counted, and tell nothing."""

    @extend_schema(request=RegistrationCodeSerializer, responses={201: TeamRegistrationSerializer})
    def post(self, request: Request) -> Response:
        given = RegistrationCodeSerializer(data=request.data, context={"request": request})
        given.is_valid(raise_exception=True)
        values = given.validated_data
        registered = register_by_code(
            slug=values["benchmark"],
            code=values["code"],
            team=values["team"],
            user=sender(request),
            now=database_now(),
        )
        return Response(TeamRegistrationSerializer(registered).data, status=status.HTTP_201_CREATED)
