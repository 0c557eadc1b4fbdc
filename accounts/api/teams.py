"""One of my teams, as a request names it."""

import uuid
from typing import Any

from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request

from accounts.api.authentication import sender
from accounts.models import Team
from catalogue.suggestions import near


def my_team(wanted: str, request: Request) -> Team:
    """My team of that id or name; NotFound, with the name that is most like it, where I am in none."""
    teams = Team.objects.of(sender(request))
    team: Team | None = teams.filter(name=wanted).first() or teams.filter(pk=_id(wanted)).first()
    if team is None:
        closest = near(wanted, list(teams.values_list("name", flat=True)))
        meant = f" Did you mean {closest!r}?" if closest else ""
        raise NotFound(
            f"You are in no team {wanted!r}.{meant} /api/v1/teams/ lists yours and founds new ones.",
            code="unknown_team",
        )
    return team


def _id(wanted: str) -> uuid.UUID | None:
    try:
        return uuid.UUID(wanted)
    except ValueError:
        return None


class MyTeamField(serializers.CharField):
    """Takes the id or the name of one of my teams; shows its id."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            max_length=80, help_text="The team's id, or its name. Answers hold the id.", **options
        )

    def to_internal_value(self, data: Any) -> Any:
        wanted = super().to_internal_value(data)
        super().run_validators(wanted)
        return my_team(wanted, self.context["request"])

    def run_validators(self, value: Any) -> None:
        """What was sent is judged before the team is looked up; the team itself needs no judgement."""

    def to_representation(self, value: Any) -> str:
        return str(value.pk)
