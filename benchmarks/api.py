"""What is evaluated, over the API: public, and all that a check on one's own machine needs."""

from typing import Any

from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.exceptions import APIException, NotFound
from rest_framework.generics import ListAPIView
from rest_framework.permissions import AllowAny, IsAuthenticatedOrReadOnly
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.authentication import sender
from accounts.formats.instants import in_words
from accounts.server.clock import database_now
from benchmarks.models import Benchmark, Phase, Split, Task, Texts
from benchmarks.notices.models import Acceptance, Terms
from benchmarks.notices.services import TermsChanged, accept_terms, current_terms
from benchmarks.querysets import BenchmarkQuerySet
from benchmarks.spec import SplitSpec
from catalogue.item_lines import id_and_tokens


class BenchmarkSerializer(serializers.ModelSerializer[Benchmark]):
    """A benchmark in short. `definition_sha256` changes with every change of its definition."""

    id = serializers.CharField(source="slug")
    summary = serializers.CharField(source="spec.summary")
    url = serializers.URLField(source="spec.url", help_text="Where the benchmark itself is described.")
    registration = serializers.ChoiceField(
        choices=["open", "approval"],
        read_only=True,
        help_text="`open`: every team takes part at once; `approval`: once its organisers have approved it.",
    )

    class Meta:
        model = Benchmark
        fields = [
            "id", "title", "summary", "url", "is_synthetic", "registration", "registration_opens_at",
            "registration_closes_at", "definition_sha256",
        ]  # fmt: skip


class MetricSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    title = serializers.CharField()


class SplitSerializer(serializers.Serializer[Any]):
    """A set of items of a task, and where the file that answers it stands."""

    id = serializers.CharField()
    title = serializers.CharField()
    file_path = serializers.CharField(help_text="Where its file stands in a zip.")
    item_count = serializers.IntegerField(
        allow_null=True, help_text="null until the ids are loaded, and a phase that is about them has opened."
    )
    ids_sha256 = serializers.CharField(
        allow_null=True, help_text="null until the ids are loaded, and a phase that is about them has opened."
    )
    texts_url = serializers.CharField(
        allow_null=True, help_text="The texts of its items as CSV; null where the organiser gives none."
    )
    texts_sha256 = serializers.CharField(allow_null=True, help_text="That file's SHA-256.")
    is_withdrawn = serializers.BooleanField(
        help_text="A breaker's set that counts in no score any more; predictions for it are still taken."
    )


class TaskSerializer(serializers.ModelSerializer[Task]):
    """A task with all that a prediction file has to keep to."""

    id = serializers.CharField(source="slug")
    code = serializers.CharField(source="spec.code")
    summary = serializers.CharField(source="spec.summary")
    instructions = serializers.CharField(source="spec.instructions")
    licence = serializers.CharField(source="spec.licence")
    citation = serializers.CharField(source="spec.citation")
    answer = serializers.CharField(
        source="spec.output.describe", read_only=True, help_text="What each answer is, in words."
    )
    labels = serializers.ListField(
        child=serializers.CharField(),
        source="spec.output.labels",
        read_only=True,
        help_text="Empty where answers are numbers, classes or texts.",
    )
    file_path = serializers.CharField(source="spec.file.path", help_text="Where the file stands in a zip.")
    header = serializers.CharField(
        source="spec.file.first_line",
        read_only=True,
        help_text="The file's first line; empty where files have rows only.",
    )
    metrics = MetricSerializer(
        many=True, source="spec.metrics", help_text="The first fills the task's column."
    )
    item_count = serializers.SerializerMethodField(help_text="null until the organiser has loaded the ids.")
    ids_sha256 = serializers.SerializerMethodField(help_text="null until the organiser has loaded the ids.")
    splits = serializers.SerializerMethodField(help_text="All its sets of items; the test set among them.")

    class Meta:
        model = Task
        fields = [
            "id", "code", "title", "version", "summary", "instructions", "licence", "citation", "answer", "labels",
            "file_path", "header", "metrics", "item_count", "ids_sha256", "splits",
        ]  # fmt: skip

    def get_item_count(self, task: Task) -> int | None:
        test = self._given(task).get("test")
        return test.item_count if test else None

    def get_ids_sha256(self, task: Task) -> str | None:
        test = self._given(task).get("test")
        return test.ids_sha256 if test else None

    @extend_schema_field(SplitSerializer(many=True))
    def get_splits(self, task: Task) -> list[dict[str, Any]]:
        rows = self._given(task)
        return [
            SplitSerializer(self._split(task, split, rows.get(split.id))).data for split in task.spec.splits
        ]

    def _given(self, task: Task) -> dict[str, Split]:
        """The splits whose ids anybody may have, by their ids."""
        withheld = self.context["withheld"]
        return {row.slug: row for row in task.splits.all() if (task.slug, row.slug) not in withheld}

    def _split(self, task: Task, spec: SplitSpec, row: Split | None) -> dict[str, Any]:
        texts: Texts | None = getattr(row, "texts", None)
        return {
            "id": spec.id,
            "title": spec.title,
            "file_path": task.spec.path_of(spec.id),
            "item_count": row.item_count if row else None,
            "ids_sha256": row.ids_sha256 if row else None,
            "texts_url": texts and self.context["request"].build_absolute_uri(texts.get_absolute_url()),
            "texts_sha256": texts.sha256 if texts else None,
            "is_withdrawn": spec.withdrawn,
        }


class TakenSplitSerializer(serializers.Serializer[Any]):
    """A split that a phase takes predictions for."""

    task = serializers.CharField()
    split = serializers.CharField()


class PhaseSerializer(serializers.ModelSerializer[Phase]):
    """A phase as it stands at the instant `now` of the context."""

    name = serializers.CharField(source="__str__", help_text="What an upload gives as `phase`.")
    is_open = serializers.SerializerMethodField()
    kind = serializers.CharField(
        help_text="`predictions` for everything, or, where teams break systems, `build`, `break` (pairs) or `score`."
    )
    splits = serializers.SerializerMethodField(
        help_text="What it takes predictions for; those whose ids are not loaded yet among them."
    )
    takes = serializers.CharField(source="taking.words", read_only=True, help_text="`splits` in words.")
    targets = serializers.JSONField(
        read_only=True,
        help_text="What the phase is about: splits of tasks, as `task`, `split` and, where it has limits of its own, "
        "`quota` by period. Empty: everything.",
    )
    next_cut_off_at = serializers.DateTimeField(
        source="awaited_cut_off",
        read_only=True,
        allow_null=True,
        help_text="null once the last one has passed.",
    )
    disclosure = serializers.CharField(
        read_only=True,
        help_text="What is shown before the end of the phase: `sealed` (nothing), `protected` (half of the items, "
        "through noise), `open` (half of the items, exact) or `exact`. Under `protected` and `open` the other half "
        "ranks at the end.",
    )

    class Meta:
        model = Phase
        fields = [
            "name", "title", "kind", "splits", "takes", "targets", "is_open", "opens_at", "closes_at",
            "next_cut_off_at", "timezone", "counting", "publish_automatically", "release_not_before", "feedback",
            "disclosure",
        ]  # fmt: skip

    def get_is_open(self, phase: Phase) -> bool:
        return phase.is_open(self.context["now"])

    @extend_schema_field(TakenSplitSerializer(many=True))
    def get_splits(self, phase: Phase) -> list[dict[str, str]]:
        spec = phase.as_spec()
        return [
            {"task": task.id, "split": split.id}
            for task in phase.benchmark.spec.tasks
            for split in task.splits
            if spec.takes(task, split.id)
        ]


class AcceptSerializer(serializers.Serializer[Any]):
    """Which version of the terms a person accepts."""

    version = serializers.IntegerField(min_value=1, max_value=2**31 - 1)


class TermsSerializer(serializers.ModelSerializer[Terms]):
    """The terms that stand, and since when the person who asks has accepted them."""

    benchmark = serializers.CharField(source="benchmark_id")
    accepted_at = serializers.SerializerMethodField(
        help_text="null where they are not accepted, or nobody is signed in."
    )

    class Meta:
        model = Terms
        fields = ["benchmark", "version", "text", "written_at", "accepted_at"]

    @extend_schema_field(serializers.DateTimeField(allow_null=True))
    def get_accepted_at(self, terms: Terms) -> str | None:
        at = self.context["accepted_at"]
        return serializers.DateTimeField().to_representation(at) if at else None


class ItemIdsSerializer(serializers.Serializer[Any]):
    """The public ids of a split in its order; `sha256` is that of the ids as UTF-8, one a line.

    Where answers label tokens, `tokens` has each item's (an empty text for one that is not known), and each line of
    what `sha256` is of goes on with them, U+001F before each.
    """

    task = serializers.CharField()
    split = serializers.CharField()
    sha256 = serializers.CharField()
    ids = serializers.ListField(child=serializers.CharField())
    tokens = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))


class BenchmarkList(ListAPIView[Benchmark]):
    """The benchmarks that have a page on this server, without archived ones."""

    permission_classes = [AllowAny]
    is_for_tokens_of_one_benchmark = True
    serializer_class = BenchmarkSerializer
    queryset = Benchmark.objects.none()

    def get_queryset(self) -> BenchmarkQuerySet:
        return Benchmark.objects.offered_to(self.request.user)


class Definition(APIView):
    """The document that a benchmark is defined by. Send its ETag back to learn whether it has changed."""

    permission_classes = [AllowAny]

    @extend_schema(responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, benchmark: str) -> Response:
        found = get_object_or_404(Benchmark, pk=benchmark)
        return _unless_known(request, found.definition_sha256, found.definition.document)


class TermsRefused(APIException):
    """The version that was to be accepted does not stand."""

    status_code = status.HTTP_409_CONFLICT
    default_code = "terms_changed"


class TermsDetail(APIView):
    """The terms that a person accepts once before the first submission, for each version of them."""

    permission_classes = [IsAuthenticatedOrReadOnly]

    @extend_schema(responses=TermsSerializer)
    def get(self, request: Request, benchmark: str) -> Response:
        """404 where nothing has to be accepted."""
        return self._answer(request, get_object_or_404(Benchmark, pk=benchmark))

    @extend_schema(request=AcceptSerializer, responses=TermsSerializer)
    def post(self, request: Request, benchmark: str) -> Response:
        """Accept the version that was read. 409 `terms_changed` if another stands; accepting again changes nothing."""
        found = get_object_or_404(Benchmark, pk=benchmark)
        form = AcceptSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        version = form.validated_data["version"]
        try:
            accept_terms(user=sender(request), benchmark=found, version=version, now=database_now())
        except TermsChanged as changed:
            raise TermsRefused(f"{changed} GET this address to read what stands.") from None
        return self._answer(request, found)

    def _answer(self, request: Request, benchmark: Benchmark) -> Response:
        terms = current_terms(benchmark)
        if terms is None:
            raise NotFound(f"{benchmark} has no terms to accept.", code="no_terms")
        accepted = Acceptance.objects.filter(terms=terms, user=request.user.pk).first()
        context = {"accepted_at": accepted.accepted_at if accepted else None}
        return Response(TermsSerializer(terms, context=context).data)


class TaskIds(APIView):
    """The ids that a task's prediction file must answer. Send the ETag back to learn whether they have changed."""

    permission_classes = [AllowAny]

    @extend_schema(
        responses=ItemIdsSerializer,
        parameters=[
            OpenApiParameter("split", str, description="One of the task's splits; `test` without it.")
        ],
    )
    def get(self, request: Request, benchmark: str, task: str) -> Response:
        asked = request.query_params.get("split", "test").replace("\0", "")
        splits = Split.objects.filter(task__benchmark=benchmark, task__is_retired=False)
        split = get_object_or_404(splits, task__slug=task, slug=asked)
        if given_at := Phase.objects.withheld(benchmark, database_now()).get((task, asked)):
            raise NotFound(
                f"The ids of {task}, {asked} are given when a phase about them opens, on {in_words(given_at)}."
            )
        items = list(map(id_and_tokens, split.ids_text().decode().split("\n")))
        data = {
            "task": task,
            "split": split.slug,
            "sha256": split.ids_sha256,
            "ids": [item for item, _ in items],
            "tokens": [tokens for _, tokens in items if tokens],
        }
        return _unless_known(request, split.ids_sha256, data)


def _unless_known(request: Request, sha256: str, data: dict[str, Any]) -> Response:
    headers = {"ETag": f'"{sha256}"', "Cache-Control": "no-cache"}
    if f'"{sha256}"' in request.headers.get("If-None-Match", ""):
        return Response(status=status.HTTP_304_NOT_MODIFIED, headers=headers)
    return Response(data, headers=headers)
