"""Files of pairs as the API shows them. No label is among it: those stand in the sealed file alone."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.reverse import reverse

from breaking.models import Pair, PairFile


class HandInSerializer(serializers.Serializer[Any]):
    """The form that a file of pairs is sent as."""

    phase = serializers.CharField(max_length=129, help_text="benchmark/phase, such as bibi/break.")
    team = serializers.CharField(max_length=80, help_text="The team's id, or its name.")
    task = serializers.CharField(max_length=64, help_text="The id of the task.")
    file = serializers.FileField(
        allow_empty_file=True,
        max_length=None,
        help_text="CSV, or TSV where the task's files are: id, original_id, text, label, rationale.",
    )


class PairSerializer(serializers.ModelSerializer[Pair]):
    """A pair, the size of its change, and what the organiser says of it."""

    item = serializers.CharField(source="changed_item")
    reason = serializers.SerializerMethodField(help_text="Why it waits, or what the organiser said of it.")

    class Meta:
        model = Pair
        fields = [
            "item", "line", "original_id", "is_from_scratch", "original_text", "changed_text", "rationale",
            "character_edits", "token_edits", "token_count", "decision", "reason",
        ]  # fmt: skip

    def get_reason(self, pair: Pair) -> str:
        return pair.decision_reason or pair.outlier_reason


class PairFileSerializer(serializers.ModelSerializer[PairFile]):
    """A team's file of pairs and what has become of it."""

    url = serializers.SerializerMethodField(help_text="Its page.")
    status_url = serializers.SerializerMethodField(help_text="Where it can be asked for.")
    phase = serializers.CharField(source="phase.__str__")
    task = serializers.CharField(source="task.slug")
    team_name = serializers.CharField(source="team.name")
    submitted_by = serializers.CharField(source="submitted_by.__str__")
    waiting_count = serializers.IntegerField(help_text="Pairs that wait for the organiser.")
    left_out_count = serializers.IntegerField(help_text="Pairs that the organiser left out.")

    class Meta:
        model = PairFile
        fields = [
            "id", "url", "status_url", "status", "status_reason", "phase", "task", "team", "team_name",
            "submitted_by", "received_at", "ended_at", "file_name", "pair_count", "waiting_count", "left_out_count",
        ]  # fmt: skip

    def get_url(self, pair_file: PairFile) -> str:
        url: str = self.context["request"].build_absolute_uri(pair_file.get_absolute_url())
        return url

    def get_status_url(self, pair_file: PairFile) -> str:
        return reverse("api:pair-file", args=[pair_file.pk], request=self.context["request"])


class PairReceiptSerializer(PairFileSerializer):
    """What is answered to a file that was accepted."""

    is_repeat = serializers.SerializerMethodField(help_text="This very file counts already.")
    waiting = serializers.SerializerMethodField(help_text="The pairs that wait for the organiser.")

    class Meta(PairFileSerializer.Meta):
        fields = [*PairFileSerializer.Meta.fields, "is_repeat", "waiting"]

    def get_is_repeat(self, pair_file: PairFile) -> bool:
        return bool(pair_file.received_at != self.context["received_at"])

    @extend_schema_field(PairSerializer(many=True))
    def get_waiting(self, pair_file: PairFile) -> list[Any]:
        waiting = pair_file.pairs.filter(decision=Pair.Decision.WAITING)
        return [PairSerializer(one).data for one in waiting]


class PairFileDetailSerializer(PairFileSerializer):
    """A file with all its pairs."""

    pairs = PairSerializer(many=True)

    class Meta(PairFileSerializer.Meta):
        fields = [*PairFileSerializer.Meta.fields, "pairs"]
