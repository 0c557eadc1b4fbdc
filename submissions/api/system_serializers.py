"""Systems as the API shows and takes them. Shape only; what they mean is in submissions.systems."""

from typing import Any

from django.core.validators import URLValidator
from rest_framework import serializers

from accounts.api.teams import MyTeamField
from accounts.formats.names import one_line
from catalogue.declared_facts import MOST_COST, MOST_EXAMPLES, MOST_PARAMETERS, TRAINING_DATA, WEIGHTS
from submissions.models import System
from submissions.systems.services import clean_tags


class DeclaredFactsSerializer(serializers.Serializer[Any]):
    """What a team states of its system; nobody checks it. What is left out is not stated."""

    parameters = serializers.IntegerField(
        required=False, min_value=1, max_value=MOST_PARAMETERS, help_text="Of all its models together."
    )
    weights = serializers.ChoiceField(required=False, choices=list(WEIGHTS.items()))
    training_data = serializers.ChoiceField(
        required=False,
        choices=list(TRAINING_DATA.items()),
        help_text="Labelled items it was trained or prompted with.",
    )
    cost = serializers.FloatField(
        required=False,
        min_value=0,
        max_value=MOST_COST,
        help_text="US dollars for labelling the test set once.",
    )
    examples = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=MOST_EXAMPLES,
        help_text="How many labelled examples it was trained or prompted with.",
    )


class SystemChangeSerializer(serializers.ModelSerializer[System]):
    """What a team may say about its system. It stays with its team; its kind is the organiser's to decide."""

    team_name = serializers.CharField(source="team.name", read_only=True)
    tags = serializers.ListField(child=serializers.CharField(), required=False)
    facts = DeclaredFactsSerializer(required=False)

    class Meta:
        model = System
        fields = [
            "id", "team", "team_name", "name", "kind", "description", "paper_url", "code_url", "tags", "facts",
            "created_at",
        ]  # fmt: skip
        read_only_fields = ["team", "kind", "created_at"]
        extra_kwargs = {
            "paper_url": {"validators": [URLValidator(schemes=["http", "https"])]},
            "code_url": {"validators": [URLValidator(schemes=["http", "https"])]},
        }
        validators: list[Any] = []  # a name given twice is refused by the service, for pages and API alike

    def validate_name(self, name: str) -> str:
        return one_line(name)

    def validate_tags(self, tags: list[str]) -> list[str]:
        try:
            return clean_tags(tags)
        except ValueError as error:
            raise serializers.ValidationError(str(error)) from None


class SystemSerializer(SystemChangeSerializer):
    """A system as it is entered."""

    team = MyTeamField()

    class Meta(SystemChangeSerializer.Meta):
        read_only_fields = ["kind", "created_at"]
