"""The private equity report of a submission: a page, and the same over the API."""

import uuid
from dataclasses import dataclass
from typing import Any, cast

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import reader, signed_in
from accounts.api.token_scopes import refuse_other_benchmark
from accounts.models import User
from accounts.page_content import PageContent
from leaderboard.models import Release
from leaderboard.reports.equity import SIGNIFICANCE, readable, release_of
from scoring.core.measures.equity import BiasGroup
from scoring.item_sets.equity import GroupComparison, report_for
from submissions.models import Submission


@dataclass(frozen=True)
class EquityReport:
    """What there is to tell about one submission; `release` is the one whose tests are corrected for, if any.

    `comparisons` are the tests on everything that it answers, `significance` is the level before the correction.
    """

    submission: Submission
    release: Release | None
    assessments: int
    comparisons: list[GroupComparison]
    significance: float = SIGNIFICANCE


@dataclass(frozen=True)
class EquityPage(PageContent):
    """The report, and whether the reader is in the submission's team."""

    template = "leaderboard/equity.html"
    section = "submissions"
    report: EquityReport
    is_mine: bool


def _report(user: User, pk: uuid.UUID) -> EquityReport:
    """The report of a submission that the person may read; 404 for every other, whether or not it exists."""
    rows = readable(user).select_related("system__team", "phase__benchmark")
    submission = get_object_or_404(rows, pk=pk)
    release, assessments = release_of(submission)
    return EquityReport(submission, release, assessments, report_for(submission, assessments=assessments))


@signed_in
@require_safe
def equity_page(request: HttpRequest, submission: uuid.UUID) -> HttpResponse:
    """The equity report of one submission, for its team and the organisers of its benchmark."""
    report = _report(reader(request), submission)
    is_mine = Submission.objects.of(reader(request)).filter(pk=submission).exists()
    return EquityPage(report, is_mine).answer(request)


class TestedSerializer(serializers.Serializer[Any]):
    """One paired t-test; differences are `first` minus `second`."""

    stratum = serializers.CharField(help_text="Empty for all pairs together.")
    pairs = serializers.IntegerField(source="test.pair_count")
    mean_first = serializers.FloatField(source="test.mean_first")
    mean_second = serializers.FloatField(source="test.mean_second")
    mean_difference = serializers.FloatField(source="test.mean_difference")
    mean_absolute_difference = serializers.FloatField(source="test.mean_absolute_difference")
    largest_absolute_difference = serializers.FloatField(source="test.largest_absolute_difference")
    first_higher_count = serializers.IntegerField(source="test.first_higher_count")
    equal_count = serializers.IntegerField(source="test.equal_count")
    t = serializers.FloatField(
        source="test.finite_t", allow_null=True, help_text="Null where it is infinite or there is none."
    )
    is_t_infinite = serializers.BooleanField(
        source="test.is_t_infinite", help_text="All differences are the same and not 0."
    )
    p = serializers.FloatField(source="test.p", allow_null=True, help_text="Null if all differences are 0.")
    group = serializers.ChoiceField(choices=[group.value for group in BiasGroup])


class ComparisonSerializer(serializers.Serializer[GroupComparison]):
    """The tests of one task's predictions on one set of pairs: all pairs first, then each stratum."""

    task = serializers.CharField(source="split.task.slug")
    split = serializers.CharField(source="split.slug")
    seed = serializers.IntegerField()
    comparison = serializers.CharField(source="pair_set.comparison")
    title = serializers.CharField(source="pair_set.title")
    first = serializers.CharField(source="pair_set.first")
    second = serializers.CharField(source="pair_set.second")
    pairs_version = serializers.IntegerField(source="pair_set.number")
    results = TestedSerializer(source="rows", many=True, help_text="Empty until it has been tested.")


class EquityReportSerializer(serializers.Serializer[EquityReport]):
    """The equity report of a submission. A group is told at `significance` / `assessments`."""

    submission = serializers.UUIDField(source="submission.pk")
    release = serializers.IntegerField(
        source="release.number", default=None, allow_null=True, help_text="Null until a release counts it."
    )
    significance = serializers.FloatField()
    assessments = serializers.IntegerField(
        help_text="All tests of that release, to correct for; 1 before it."
    )
    comparisons = ComparisonSerializer(many=True)


class SubmissionEquity(APIView):
    """The equity report of one submission, for its team and the organisers of its benchmark."""

    is_for_tokens_of_one_benchmark = True

    @extend_schema(responses=EquityReportSerializer)
    def get(self, request: Request, pk: uuid.UUID) -> Response:
        report = _report(cast(User, request.user), pk)
        refuse_other_benchmark(request.auth, report.submission.phase.benchmark_id)
        return Response(EquityReportSerializer(report).data)
