"""Contested labels as the API shows and takes them. Shape only; what is allowed is in `breaking.contests.services`."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from breaking.contests.public_contests import ShownContest
from breaking.contests.services import LONGEST_REASON
from breaking.models import Contest


class ContestFilterSerializer(serializers.Serializer[Any]):
    """Which contests to list."""

    benchmark = serializers.CharField(max_length=64, required=False)
    status = serializers.ChoiceField(choices=Contest.Status.choices, required=False)


class ContestingSerializer(serializers.Serializer[Any]):
    """A label that is to be contested."""

    benchmark = serializers.CharField(max_length=64)
    task = serializers.CharField(max_length=64)
    split = serializers.CharField(max_length=64, help_text="The set: `dev`, or that of a breaker.")
    item = serializers.CharField(max_length=200, trim_whitespace=False)
    team = serializers.CharField(max_length=80, help_text="The team's id, or its name.")
    reason = serializers.CharField(max_length=LONGEST_REASON, help_text="Public.")
    proposed_label = serializers.CharField(
        max_length=1_000, required=False, allow_blank=True, trim_whitespace=False
    )


class VoiceSerializer(serializers.Serializer[Any]):
    """What one more team says about a contested label."""

    team = serializers.CharField(max_length=80, help_text="The team's id, or its name.")
    label = serializers.CharField(max_length=1_000, trim_whitespace=False)  # type: ignore[assignment]  # a declared field


class _SaidSerializer(serializers.Serializer[Any]):
    team = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]  # a declared field, not its own heading


class ContestSerializer(serializers.Serializer[ShownContest]):
    """A contested label. As long as systems are anonymous, builders are called “a builder”."""

    id = serializers.UUIDField(source="contest.pk")
    benchmark = serializers.CharField(source="contest.split.task.benchmark_id")
    task = serializers.CharField(source="contest.split.task.slug")
    split = serializers.CharField(source="contest.split.slug")
    item = serializers.CharField(source="contest.item")
    url = serializers.SerializerMethodField(help_text="The item's page.")
    reason = serializers.CharField(source="contest.reason")
    proposed_label = serializers.CharField(source="contest.proposed_label")
    raised_by = serializers.CharField(source="party")
    is_mine = serializers.BooleanField(help_text="Whether a team of whoever asks contests it.")
    raised_at = serializers.DateTimeField(source="contest.raised_at")
    votes = serializers.SerializerMethodField(help_text="How many annotators gave which label.")
    majority = serializers.SerializerMethodField(help_text="What more than half of them say, or null.")
    agreement = serializers.FloatField(
        source="tally.agreement", allow_null=True, help_text="Share of pairs of votes that agree."
    )
    voices = serializers.SerializerMethodField(help_text="What further teams say; not counted as votes.")
    status = serializers.ChoiceField(source="contest.status", choices=Contest.Status.choices)
    is_decided = serializers.SerializerMethodField(
        help_text="True of an open one whose decision is on its way into the gold labels, too."
    )
    note = serializers.SerializerMethodField(help_text="Why the organiser decided so.")
    gold_version = serializers.SerializerMethodField(help_text="That which the decision made, or null.")
    label_before = serializers.SerializerMethodField(help_text="Null where nothing was changed.")
    label_after = serializers.SerializerMethodField(help_text="What it was changed to, or null.")

    def get_url(self, one: ShownContest) -> str:
        url: str = self.context["request"].build_absolute_uri(one.url)
        return url

    def get_votes(self, one: ShownContest) -> dict[str, int]:
        return dict(one.tally.counts)

    def get_majority(self, one: ShownContest) -> str | None:
        return one.tally.majority or None

    @extend_schema_field(_SaidSerializer(many=True))
    def get_voices(self, one: ShownContest) -> list[dict[str, str]]:
        return [{"team": party, "label": label} for party, label in one.voices]

    def get_is_decided(self, one: ShownContest) -> bool:
        return one.contest.decided_at is not None

    def get_note(self, one: ShownContest) -> str:
        return "" if one.contest.status == Contest.Status.OPEN else one.contest.note

    def get_gold_version(self, one: ShownContest) -> int | None:
        return one.contest.gold_version.number if one.contest.gold_version else None

    def get_label_before(self, one: ShownContest) -> str | None:
        return one.change[0] if one.change else None

    def get_label_after(self, one: ShownContest) -> str | None:
        return one.change[1] if one.change else None
