"""Releases and published scores as the API shows them."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.reverse import reverse

from leaderboard.models import Release, ReleaseCell
from submissions.models import Submission
from submissions.serializers import SubmissionSerializer


class ReleaseSerializer(serializers.ModelSerializer[Release]):
    """A release in short; its boards are at `url`."""

    phase = serializers.CharField(source="phase.__str__")
    url = serializers.SerializerMethodField()

    class Meta:
        model = Release
        fields = ["number", "phase", "published_at", "url"]

    def get_url(self, release: Release) -> str:
        place = [release.benchmark_id, release.number]
        return reverse("api:release", args=place, request=self.context["request"])


class PublishedScoreSerializer(serializers.ModelSerializer[ReleaseCell]):
    """A score as a release published it. `value` is null where `undefined` says why."""

    task = serializers.CharField(source="task.slug")
    metric = serializers.CharField(source="score.metric")
    value = serializers.FloatField(source="score.value", allow_null=True)
    undefined = serializers.CharField(source="score.undefined", help_text="Empty where there is a value.")
    ci_low = serializers.FloatField(source="score.ci_low", allow_null=True)
    ci_high = serializers.FloatField(source="score.ci_high", allow_null=True)
    release = serializers.IntegerField(source="release.number")

    class Meta:
        model = ReleaseCell
        fields = ["task", "metric", "value", "undefined", "ci_low", "ci_high", "release"]


class SubmissionWithScoresSerializer(SubmissionSerializer):
    """A submission with its published scores: one per task it counted for, from the newest release that shows it."""

    scores = serializers.SerializerMethodField(
        help_text="Empty before the release, and where another one counts."
    )

    class Meta(SubmissionSerializer.Meta):
        fields = [*SubmissionSerializer.Meta.fields, "scores"]

    @extend_schema_field(PublishedScoreSerializer(many=True))
    def get_scores(self, submission: Submission) -> list[Any]:
        # Cells of releases and nothing else: a score that was never released cannot be among them.
        cells = ReleaseCell.objects.filter(submission=submission).order_by(
            "task__position", "release__number"
        )
        newest = {cell.task_id: cell for cell in cells.select_related("task", "score", "release")}
        return [PublishedScoreSerializer(cell).data for cell in newest.values()]
