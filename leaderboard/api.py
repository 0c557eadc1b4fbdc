"""Releases over the API, and submissions with their published scores."""

from typing import Any

from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse
from rest_framework.views import APIView

from benchmarks.models import Benchmark
from leaderboard.board.exports.board_json import JSON
from leaderboard.ledger.accounts import published_bits
from leaderboard.models import Page, Release
from leaderboard.rendering.opened_gold import tasks_with_public_gold
from leaderboard.serving.page_server import response
from leaderboard.serving.published_scores import PublishedScore, published_scores, shown_of
from scoring.queue.quarantine import is_quarantined
from submissions.api.serializers import SubmissionSerializer
from submissions.api.views import MySubmission
from submissions.models import Submission
from submissions.systems.status_texts import Passed


class ReleaseSerializer(serializers.ModelSerializer[Release]):
    """A release in short; its boards are at `url`."""

    phase = serializers.CharField(source="phase.__str__")
    url = serializers.SerializerMethodField()
    gold_labels_told = serializers.SerializerMethodField(
        help_text="What everything published up to this release can tell of the gold labels that are hidden, in the "
        "words of the board's page; empty where the ledger has not counted it yet, or nothing is hidden."
    )

    class Meta:
        model = Release
        fields = ["number", "phase", "published_at", "url", "gold_labels_told"]

    def get_url(self, release: Release) -> str:
        place = (release.benchmark_id, release.number)
        return reverse("api:release", args=place, request=self.context["request"])

    def get_gold_labels_told(self, release: Release) -> str:
        benchmark = release.benchmark
        told = published_bits(benchmark, release.number, tasks_with_public_gold(benchmark)).get("")
        return told.sentences(of_one=False) if told else ""


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


class SubmissionDetail(MySubmission):
    """One submission of one of my teams: its status, what happens next and, once published, its scores."""

    serializer_class = SubmissionWithScoresSerializer

    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return Response(self.get_serializer(self.get_object()).data)


class ReleaseList(ListAPIView[Release]):
    """The releases of a benchmark, newest first."""

    permission_classes = [AllowAny]
    serializer_class = ReleaseSerializer

    def get_queryset(self) -> QuerySet[Release]:
        benchmark = get_object_or_404(Benchmark, pk=self.kwargs["benchmark"])
        return Release.objects.of(benchmark.slug).select_related("phase", "benchmark").defer("boards")


class PublishedBoard(APIView):
    """A published board: the very bytes of the page that the site offers as JSON.

    Without `number` the newest release; without `task` and `board` the overall board.
    """

    permission_classes = [AllowAny]

    @extend_schema(responses=OpenApiTypes.OBJECT)
    def get(
        self,
        request: Request,
        benchmark: str,
        number: int | None = None,
        task: str | None = None,
        board: str | None = None,
    ) -> HttpResponse:
        release = "" if number is None else f"/releases/{number}"
        place = f"/tasks/{task}" if task else f"/boards/{board}" if board else ""
        page = Page.objects.filter(pk=f"/benchmarks/{benchmark}{release}{place}.{JSON.ending}").first()
        if page is None:
            raise Http404
        return response(page, request._request)  # noqa: SLF001  # the pages' own answer takes Django's request
