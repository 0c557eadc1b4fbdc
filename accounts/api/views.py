"""People and teams over the API."""

from django.db import IntegrityError
from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import PermissionDenied, ValidationError
from rest_framework.generics import ListCreateAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer
from rest_framework.views import APIView

from accounts.api.authentication import sender
from accounts.api.serializers import MeSerializer, TeamSerializer
from accounts.models import Team
from accounts.server.clock import database_now
from accounts.services import NameTaken, TooManyTeams, create_team


class Me(APIView):
    """Who I am, by the token of this request, and my teams."""

    is_for_tokens_of_one_benchmark = True

    @extend_schema(responses=MeSerializer)
    def get(self, request: Request) -> Response:
        return Response(MeSerializer(sender(request)).data)


class TeamList(ListCreateAPIView[Team]):
    """My teams; founding one makes me its first member."""

    serializer_class = TeamSerializer
    is_for_tokens_of_one_benchmark = True

    def get_queryset(self) -> QuerySet[Team]:
        return Team.objects.of(sender(self.request)).prefetch_related("members")

    def perform_create(self, serializer: BaseSerializer[Team]) -> None:
        name = serializer.validated_data["name"]
        try:
            serializer.instance = create_team(name=name, founder=sender(self.request), now=database_now())
        except (IntegrityError, NameTaken):  # IntegrityError: by somebody else since the name was checked
            raise ValidationError({"name": ["A team of this name already exists."]}) from None
        except TooManyTeams as error:
            raise PermissionDenied(str(error), code="too_many_teams") from None
