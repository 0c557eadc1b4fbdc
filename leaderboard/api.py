"""Releases over the API, and submissions with their published scores."""

from typing import Any, cast

from django.db.models import QuerySet
from django.http import FileResponse, Http404, HttpResponse
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

from accounts.audit.log import record
from accounts.models import User
from accounts.tokens.scopes import Scope
from benchmarks.models import Benchmark
from leaderboard.board.analysis.own_result import as_dict
from leaderboard.board.exports.board_json import JSON
from leaderboard.ledger.accounts import published_bits
from leaderboard.models import ArchiveOrder, Release
from leaderboard.rendering.opened_gold import tasks_with_public_gold
from leaderboard.serving.own_results import result_of
from leaderboard.serving.page_server import response
from leaderboard.serving.published_scores import PublishedScore, published_scores, shown_of
from leaderboard.take_home.made_archives import as_download, ready_archive
from scoring.disclosure.told_answers import FeedbackScore, feedback_on, note_on_feedback
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


class EarlierResultSerializer(serializers.Serializer[Any]):
    """The same system in the newest earlier release of the phase that shows it."""

    release = serializers.IntegerField()
    rank = serializers.IntegerField(allow_null=True)
    value = serializers.FloatField()
    difference = serializers.FloatField(
        allow_null=True,
        help_text="How much better the score is now, negative if it is worse; null where it is measured otherwise.",
    )


class NextPlaceSerializer(serializers.Serializer[Any]):
    """The system at the next better place."""

    system = serializers.CharField()
    rank = serializers.IntegerField()
    value = serializers.FloatField()
    distance = serializers.FloatField()
    to_pass_surely = serializers.FloatField(
        allow_null=True,
        help_text="The distance and the smallest difference that a test would find on these items, about.",
    )


class NeighbourSerializer(serializers.Serializer[Any]):
    """A system right above or below."""

    system = serializers.CharField()
    rank = serializers.IntegerField()
    value = serializers.FloatField()
    surely_apart = serializers.BooleanField(
        allow_null=True,
        help_text="What the board decided: that one of the two is surely ahead, or that it could be chance; null for "
        "a tie, and where nothing was decided.",
    )


class ResultColumnSerializer(serializers.Serializer[Any]):
    """The system's score in one column beside the others'."""

    column = serializers.CharField()
    value = serializers.FloatField()
    ci_low = serializers.FloatField(allow_null=True)
    ci_high = serializers.FloatField(allow_null=True)
    place = serializers.IntegerField(help_text="From 1; equal scores share one.")
    of = serializers.IntegerField(help_text="How many systems have a score there.")
    best = serializers.FloatField()
    median = serializers.FloatField()
    baseline = serializers.FloatField(allow_null=True, help_text="The best baseline.")
    gain = serializers.FloatField(
        allow_null=True,
        help_text="What half of the way to the best would add to the score that ranks the board; null where that is no "
        "mean of this column.",
    )


class ResultSerializer(serializers.Serializer[Any]):
    """Where the system of a submission stands in its phase's newest release; all of it is on a published board.

    `column` is the one that ranks the board; it is null, with the numbers after it, where each column is a ranking of
    its own.
    """

    release = serializers.IntegerField()
    sentence = serializers.CharField()
    is_provisional = serializers.BooleanField(help_text="Whether a final release of the phase follows.")
    column = serializers.CharField(allow_null=True)
    value = serializers.FloatField(allow_null=True)
    ci_low = serializers.FloatField(allow_null=True)
    ci_high = serializers.FloatField(allow_null=True)
    rank = serializers.IntegerField(allow_null=True)
    rank_low = serializers.IntegerField(allow_null=True)
    rank_high = serializers.IntegerField(allow_null=True)
    ranked = serializers.IntegerField(help_text="How many systems carry a rank.")
    tries = serializers.IntegerField(allow_null=True, help_text="Of so many tries the score is the best.")
    corrected_low = serializers.FloatField(
        allow_null=True, help_text="The 95 % range with that choice taken into account."
    )
    corrected_high = serializers.FloatField(allow_null=True)
    earlier = EarlierResultSerializer(allow_null=True)
    next = NextPlaceSerializer(allow_null=True)
    neighbours = NeighbourSerializer(many=True)
    human = serializers.FloatField(allow_null=True, help_text="The best human estimate.")
    baseline = serializers.FloatField(allow_null=True, help_text="The best baseline.")
    columns = ResultColumnSerializer(many=True, help_text="The one with the largest gain first.")


class FeedbackScoreSerializer(serializers.Serializer[FeedbackScore]):
    """A score before the release, of a task's primary metric."""

    task = serializers.CharField(source="task.slug")
    split = serializers.CharField()
    metric = serializers.CharField()
    value = serializers.FloatField(allow_null=True)
    undefined = serializers.CharField(help_text="Empty where there is a value.")


class SubmissionWithScoresSerializer(SubmissionSerializer):
    """A submission with its published scores: one per split it counted for, from the newest release that shows it."""

    scores = serializers.SerializerMethodField(
        help_text="Empty before the release, and where another one counts."
    )

    result = serializers.SerializerMethodField(
        help_text="Where its system stands in its phase's newest release; null where that shows nothing of this one, "
        "and where the benchmark's pages are not for you any more."
    )

    feedback = serializers.SerializerMethodField(
        help_text="In a phase with feedback: its scores as the rule of the phase shows them, told only to its team "
        "before any release; provisional. Empty until they are told; null in other phases."
    )
    feedback_note = serializers.SerializerMethodField(
        help_text="What these numbers are, and how many further answers are judged; empty before they are told."
    )

    class Meta(SubmissionSerializer.Meta):
        fields = [*SubmissionSerializer.Meta.fields, "scores", "result", "feedback", "feedback_note"]

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

    @extend_schema_field(ResultSerializer(allow_null=True))
    def get_result(self, submission: Submission) -> dict[str, Any] | None:
        result = result_of(submission, self._scores, self.context["request"].user)
        return as_dict(result) if result else None

    @extend_schema_field(FeedbackScoreSerializer(many=True, allow_null=True))
    def get_feedback(self, submission: Submission) -> list[Any] | None:
        scores = feedback_on(submission)
        return None if scores is None else [FeedbackScoreSerializer(score).data for score in scores]

    def get_feedback_note(self, submission: Submission) -> str:
        return note_on_feedback(submission)


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
        return Release.objects.of(benchmark.slug).select_related("phase", "benchmark")


class ArchiveOrderSerializer(serializers.ModelSerializer[ArchiveOrder]):
    """An archive of everything that an organiser has asked for; it is kept for a day."""

    url = serializers.SerializerMethodField(
        help_text="Where it can be downloaded; null until a worker has made it."
    )

    class Meta:
        model = ArchiveOrder
        fields = ["asked_at", "made_at", "said", "url"]
        extra_kwargs = {"said": {"help_text": "What is in it, in words; empty until it is made."}}

    def get_url(self, order: ArchiveOrder) -> str | None:
        if order.made_at is None:
            return None
        return reverse("api:archive", args=[order.benchmark_id], request=self.context["request"])


class ArchiveList(ListAPIView[ArchiveOrder]):
    """The archive of everything that is kept or being made, for those who run the benchmark: one at most.

    It is asked for in the admin. Everybody else is answered 404.
    """

    serializer_class = ArchiveOrderSerializer
    token_scopes = {"GET": Scope.MANAGE}

    def get_queryset(self) -> QuerySet[ArchiveOrder]:
        if getattr(self, "swagger_fake_view", False):
            return ArchiveOrder.objects.none()
        return ArchiveOrder.objects.filter(
            benchmark=_run_by(self.request, self.kwargs["benchmark"])
        ).order_by("pk")


class ArchiveFile(APIView):
    """The archive of everything, as a zip. The audit log notes who downloaded it."""

    token_scopes = {"GET": Scope.MANAGE}

    @extend_schema(responses={(200, "application/zip"): OpenApiTypes.BINARY})
    def get(self, request: Request, benchmark: str) -> FileResponse:
        found = _run_by(request, benchmark)
        order = ready_archive(found)
        if order is None:
            raise Http404
        answer = as_download(order)
        what = "Downloaded the archive of everything."
        record(
            row=found,
            kind="fetch home",
            by="API",
            actor=cast(User, request.user),
            benchmark=found.pk,
            what=what,
        )
        return answer


def _run_by(request: Request, benchmark: str) -> Benchmark:
    """The benchmark, where whoever asks runs it; else 404."""
    organised = Benchmark.objects.organised_by(cast(User, request.user)).distinct()
    found: Benchmark = get_object_or_404(organised, pk=benchmark)
    return found


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
        path = f"/benchmarks/{benchmark}{release}{place}.{JSON.ending}"
        return response(path, request._request)  # noqa: SLF001  # the pages' own answer takes Django's request
