"""Releases and published scores as the API shows them."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.reverse import reverse

from leaderboard.models import Release
from leaderboard.serving.published_scores import PublishedScore, published_scores, shown_of
from scoring.queue.quarantine import is_quarantined
from submissions.api.serializers import SubmissionSerializer
from submissions.models import Submission
from submissions.systems.status_texts import Passed


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


class PublishedScoreSerializer(serializers.Serializer[PublishedScore]):
    """A score as a release published it. `value` is null where `undefined` says why."""

    task = serializers.CharField(source="task.slug")
    split = serializers.CharField()
    metric = serializers.CharField()
    value = serializers.FloatField(allow_null=True, help_text="Over several seeds, their mean.")
    undefined = serializers.CharField(help_text="Empty where there is a value.")
    deviation = serializers.FloatField(
        allow_null=True, help_text="Population standard deviation over the seeds; null for a single one."
    )
    seeds = serializers.IntegerField(help_text="How many seeds the value is over.")
    ci_low = serializers.FloatField(allow_null=True)
    ci_high = serializers.FloatField(allow_null=True)
    release = serializers.IntegerField()
    disclosure = serializers.CharField(
        help_text="The rule that `value` is shown by, as the phase names it: it is then no exact score, and no "
        "interval is given. Empty for exact scores."
    )


class SubmissionWithScoresSerializer(SubmissionSerializer):
    """A submission with its published scores: one per split it counted for, from the newest release that shows it."""

    scores = serializers.SerializerMethodField(
        help_text="Empty before the release, and where another one counts."
    )

    class Meta(SubmissionSerializer.Meta):
        fields = [*SubmissionSerializer.Meta.fields, "scores"]

    def to_representation(self, instance: Submission) -> Any:
        """The submission; its scores are read once for all fields that say something of them."""
        self._scores = published_scores(instance)
        self._passed = Passed(shown=shown_of(instance, self._scores), is_quarantined=is_quarantined(instance))
        return super().to_representation(instance)

    def passed(self, submission: Submission) -> Passed:
        """What is told of its scores."""
        return self._passed

    @extend_schema_field(PublishedScoreSerializer(many=True))
    def get_scores(self, submission: Submission) -> list[Any]:
        return [PublishedScoreSerializer(score).data for score in self._scores]
