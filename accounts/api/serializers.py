"""Teams and tokens as the API shows them. Shape only; what they mean is in services."""

from rest_framework import serializers

from accounts.formats.names import one_line
from accounts.models import Team


class TeamSerializer(serializers.ModelSerializer[Team]):
    """A team with its members' names; e-mail addresses are not told."""

    members = serializers.SerializerMethodField()

    class Meta:
        model = Team
        fields = ["id", "name", "members", "created_at"]
        read_only_fields = ["created_at"]

    def validate_name(self, name: str) -> str:
        return one_line(name)

    def get_members(self, team: Team) -> list[str]:
        return [user.name or "(no name given)" for user in team.members.all()]


class TokenSerializer(serializers.Serializer[object]):
    """A new token. It is stored hashed, so this is the only time it can be read."""

    token = serializers.CharField(read_only=True)
    expiry = serializers.DateTimeField(read_only=True, allow_null=True)
