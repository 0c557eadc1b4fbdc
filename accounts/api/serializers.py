"""Teams and people as the API shows them. Shape only; what they mean is in services."""

from rest_framework import serializers

from accounts.formats.names import one_line
from accounts.models import Team, User
from accounts.sign_in.addresses import has_confirmed_address


class TeamSerializer(serializers.ModelSerializer[Team]):
    """A team with its members' names, or what stands before the @ of their addresses; whole addresses are not told."""

    members = serializers.SerializerMethodField()

    class Meta:
        model = Team
        fields = ["id", "name", "members", "created_at"]
        read_only_fields = ["created_at"]

    def validate_name(self, name: str) -> str:
        return one_line(name)

    def get_members(self, team: Team) -> list[str]:
        return [user.name or user.email.partition("@")[0] for user in team.members.all()]


class MyTeamSerializer(serializers.ModelSerializer[Team]):
    """One of my teams in short."""

    class Meta:
        model = Team
        fields = ["id", "name"]


class MeSerializer(serializers.Serializer[User]):
    """The person that a token belongs to."""

    name = serializers.CharField(help_text="Empty where none was given.")
    email = serializers.EmailField()
    has_confirmed_address = serializers.SerializerMethodField(
        help_text="Submitting needs it where the server sends mail to confirm addresses."
    )
    teams = MyTeamSerializer(many=True)

    def get_has_confirmed_address(self, user: User) -> bool:
        return has_confirmed_address(user)
